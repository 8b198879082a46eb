package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// looped returns a damaged database: in the B-tree of a table, the second half of the child pages of the
// root is replaced by the first one. The rightmost page stays, so the newest id is unchanged.
func looped(t *testing.T, table string, fill ...string) string {
	t.Helper()
	path := sqlitetest.RecordOfEach(t, Open)
	sqlitetest.BehindItsBack(t, path, append(fill, "PRAGMA journal_mode = DELETE")...)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var root, size int
	if err := db.QueryRowContext(t.Context(), "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?", table).Scan(&root, &size); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := content[(root-1)*size : root*size]
	if page[0] != 5 { // an interior page (SQLite, "Database File Format", 1.6)
		t.Fatalf("got a root of %s of type %d, want 5, a page with children", table, page[0])
	}
	child := func(i int) []byte { return page[binary.BigEndian.Uint16(page[12+2*i:]):] }
	children := int(binary.BigEndian.Uint16(page[3:]))
	if children < 4 {
		t.Fatalf("got %d children of the root of %s, want at least 4", children, table)
	}
	first := child(0)[:4]
	for i := children / 2; i < children; i++ {
		copy(child(i), first)
	}
	return sqlitetest.FileOf(t, content)
}

const (
	fillCurrencies = `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO currencies (id, code, name) SELECT i, char(65 + i / 676 % 26, 65 + i / 26 % 26, 65 + i % 26) || i, 'a name of some length' FROM n`
	fillTrades = `WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO trades (id, symbol, currency_code, shares, product, side, price, traded_at) SELECT i, 'ACME', 'USD', 1, 0, 1, 1, i FROM n`
	fillJournal = `WITH RECURSIVE n (i) AS (SELECT 18 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO journal SELECT i, at, actor, request, entity, entity_id, before, after, first, reason, batch FROM n, journal WHERE seq = 17`
)

// TestVerifyOfPagesThatLeadBack: verify names the wrong pages of such a database, and ends before the
// deadline.
func TestVerifyOfPagesThatLeadBack(t *testing.T) {
	for table, fill := range map[string]string{"currencies": fillCurrencies, "trades": fillTrades, "journal": fillJournal} {
		path := looped(t, table, fill)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		v, err := verify.Database(ctx, path, nil)
		stop()
		if err != nil || len(v.Findings) == 0 || !strings.Contains(v.Findings[0].String(), "2nd reference to page") {
			t.Errorf("%s: got %v, %v, want a finding of the pages", table, v.Findings, err)
		}
	}
}

// TestAListOfPagesThatLeadBack: a list of such a table ends with an error, and yields no record twice.
// As a control, the list of an undamaged table ends without an error.
func TestAListOfPagesThatLeadBack(t *testing.T) {
	const most = 20_000 // more than the records in the table
	for _, damaged := range []bool{true, false} {
		var path string
		if damaged {
			path = looped(t, "currencies", fillCurrencies)
		} else {
			path = sqlitetest.RecordOfEach(t, Open)
			sqlitetest.BehindItsBack(t, path, fillCurrencies)
		}
		s, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		n, last := 0, trading.CurrencyID(0)
		var ended error
		for c, err := range s.Currencies(t.Context()) {
			if ended = err; err != nil {
				break
			}
			n++
			if c.ID <= last || n > most {
				t.Errorf("damaged %t: got currency %d after %d as number %d, want rising ids", damaged, c.ID, last, n)
				break
			}
			last = c.ID
		}
		if damaged != (ended != nil) || damaged && (fault.KindOf(ended) != fault.Unavailable || !strings.Contains(ended.Error(), "damaged")) {
			t.Errorf("damaged %t: got %v after %d records, want an error only if damaged", damaged, ended, n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTradesOfPagesThatLeadBack is TestAListOfPagesThatLeadBack for trades.
func TestTradesOfPagesThatLeadBack(t *testing.T) {
	path := looped(t, "trades", fillTrades)
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	last := trading.TradeID(0)
	for trade, err := range s.Trades(t.Context()) {
		if err != nil {
			if !strings.Contains(fmt.Sprint(err), "damaged") {
				t.Errorf("got %v, want an error that the file is damaged", err)
			}
			return
		}
		if trade.ID <= last {
			t.Fatalf("got trade %d after %d, want rising ids", trade.ID, last)
		}
		last = trade.ID
	}
	t.Errorf("got the end of the list after trade %d, want an error", last)
}
