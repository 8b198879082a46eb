package verify_test

import (
	"database/sql"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/trading"
)

// TestVerifyFindsNothingInAWholeFile: verify reads all entries and records of a good file and finds
// nothing.
func TestVerifyFindsNothingInAWholeFile(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	v, err := verify.Database(t.Context(), path, nil)
	if err != nil || len(v.Findings) > 0 {
		t.Fatalf("got %v, %v, want nothing", v.Findings, err)
	}
	if v.Entries != 17 || v.Records != 13 {
		t.Errorf("got %d entries and %d records, want 17 and 13", v.Entries, v.Records)
	}
}

// TestVerifyNamesWhatAnotherProgramChanged: verify names the table and the row of each edit by another
// program.
func TestVerifyNamesWhatAnotherProgramChanged(t *testing.T) {
	const noTriggers = `DROP TRIGGER journal_refuses_update; DROP TRIGGER journal_refuses_delete;
		DROP TRIGGER journal_links_refuse_update; DROP TRIGGER journal_links_refuse_delete`
	whole, err := os.ReadFile(sqlitetest.RecordOfEach(t, sqlite.Open))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ statement, want string }{
		{"UPDATE currencies SET name = 'dollar'", "currencies 1: is not what the journal says"},
		{"UPDATE companies SET price = price + 1", "companies 1: is not what the journal says"},
		{"UPDATE revenues SET amount = -amount", "revenues 1: is not what the journal says"},
		{"UPDATE trades SET traded_at = traded_at + 1 WHERE id = 3", "trades 3: is not what the journal says"},
		{"UPDATE departments SET active = 0", "departments 1: is not what the journal says"},
		{"UPDATE gl_accounts SET favour_high = 1", "gl_accounts 1: is not what the journal says"},
		{"UPDATE budget_lines SET notes = 'x'", "budget_lines 1: is not what the journal says"},
		{"UPDATE actuals SET amount = 2", "actuals 1: is not what the journal says"},
		{"UPDATE tokens SET name = 'me'", "tokens 1: is not what the journal says"},
		{"UPDATE tokens SET scope = 'admin'", "tokens 1: is not what the journal says"},
		{"UPDATE tokens SET digest = zeroblob(32)", "tokens 1: is not what the journal says"},
		{"PRAGMA ignore_check_constraints = ON; UPDATE tokens SET digest = x'0102'", "tokens 1: is not what the journal says"},
		{"PRAGMA ignore_check_constraints = ON; UPDATE tokens SET digest = CAST(digest || x'00' AS BLOB)", "tokens 1: is not what the journal says"},
		{"UPDATE tokens SET created_at = created_at + 1", "tokens 1: is not what the journal says"},
		{"UPDATE tokens SET expires_at = NULL", "tokens 1: is not what the journal says"},
		{"UPDATE tokens SET revoked_at = NULL", "tokens 1: is not what the journal says"},
		{"UPDATE batches SET last = last + 1", "batches 1: is not what the journal says"},
		{"UPDATE batches SET state = 'undone', undone_by = 2", "batches 1: is not what the journal says"},
		{"DELETE FROM batches", "batches 1: is in the journal, not in the table"},
		{"UPDATE journal SET batch = 2 WHERE seq = 15", "journal 15: the entries 15 to 16 do not match their link of the chain"},
		{"UPDATE maps SET map = '[]'", "maps 1: is not what the journal says"},
		{"PRAGMA foreign_keys = OFF; DELETE FROM tokens", "tokens 1: is in the journal, not in the table"},
		{"INSERT INTO tokens (name, scope, digest, created_at) VALUES ('me', 'admin', zeroblob(32), 0)", "tokens 2: is not in the journal"},
		{"PRAGMA foreign_keys = OFF; DELETE FROM tokens", "sessions refers to a missing row of tokens"},
		{"DELETE FROM actuals", "actuals 1: is in the journal, not in the table"},
		{"INSERT INTO currencies (code, name) VALUES ('EUR', 'Euro')", "currencies 2: is not in the journal"},
		{"UPDATE positions SET quantity = 11", "positions: the position of ACME, USD, product 0 is not what its trades add up to"},
		{"UPDATE positions SET net_cost_low = net_cost_low + 1", "positions: the position of ACME, USD, product 0 is not what its trades add up to"},
		{"UPDATE positions SET trades = 3", "positions: the position of ACME, USD, product 0 is not what its trades add up to"},
		{"DELETE FROM positions", "positions: the position of ACME, USD, product 0 is missing"},
		{"INSERT INTO positions VALUES ('B', 'USD', 0, 1, 1, 0, 0, 1, 0, 1, 0, 1)", "positions: the position of B, USD, product 0 has no trades"},
		{"UPDATE position_checkpoints SET quantity = 11", "position_checkpoints: the checkpoint of ACME, USD, product 0 at 2026-01-01T00:00:00Z is not what its trades add up to"},
		{"UPDATE position_checkpoints SET traded_at = traded_at + 1", "position_checkpoints: the checkpoint of ACME, USD, product 0 at 2026-01-01T00:00:00.000000001Z is not what its trades add up to"},
		{"UPDATE position_checkpoints SET symbol = 'B'", "position_checkpoints: the checkpoint of B, USD, product 0 at 2026-01-01T00:00:00Z is not what its trades add up to"},
		{"INSERT INTO position_checkpoints SELECT * FROM positions", "position_checkpoints: the checkpoint of ACME, USD, product 0 at 2026-01-03T00:00:00Z is not what its trades add up to"},
		{"UPDATE journal SET actor = 'me' WHERE seq = 5", "journal 5: the entries 5 to 5 do not match their link of the chain"},
		{"UPDATE journal SET at = at + 1 WHERE seq = 1", "journal 1: the entries 1 to 1 do not match their link of the chain"},
		{"DELETE FROM journal WHERE seq = 5", "journal 5: is missing: the next entry is 6"},
		{"DELETE FROM journal WHERE seq = 17", "journal 16: the chain does not end with the last entry"},
		{"DELETE FROM journal_links WHERE through = 17", "journal 17: the chain does not end with the last entry"},
		{"UPDATE journal_links SET hash = zeroblob(32) WHERE through = 4", "journal 4: the entries 4 to 4 do not match their link of the chain"},
		{"PRAGMA foreign_keys = OFF; DELETE FROM gl_accounts", "budget_lines refers to a missing row of gl_accounts"},
	} {
		path := sqlitetest.FileOf(t, whole)
		sqlitetest.BehindItsBack(t, path, noTriggers, c.statement)
		if got := sqlitetest.Found(t, path); !slices.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among them", c.statement, got, c.want)
		}
	}
}

// TestVerifyComparesEveryPositionBesideAnImpossibleOne: trades that cannot be added up are reported for
// their instrument. Verify still compares the positions of all other instruments.
func TestVerifyComparesEveryPositionBesideAnImpossibleOne(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, symbol := range []trading.Symbol{"SOUND", "WRONG"} {
		trade := trading.Trade{Instrument: trading.Instrument{Symbol: symbol, Currency: "USD"}, Shares: 1, Side: trading.Buy, Price: 1, Date: sqlitetest.Midday}
		if _, err := s.AddTrades(t.Context(), []trading.Trade{trade}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, path, "UPDATE trades SET shares = 9223372036854775807 WHERE symbol = 'ACME'", "UPDATE positions SET quantity = 2 WHERE symbol = 'WRONG'")
	var positions []string
	for _, finding := range sqlitetest.Found(t, path) {
		if strings.HasPrefix(finding, "positions: ") {
			positions = append(positions, finding)
		}
	}
	if len(positions) != 2 || !strings.HasPrefix(positions[0], "positions: the position of ACME, USD, product 0 cannot exist") || positions[1] != "positions: the position of WRONG, USD, product 0 is not what its trades add up to" {
		t.Errorf("got %q, want ACME cannot exist, WRONG differs, and no finding of SOUND", positions)
	}
}

// TestVerifyNamesARowWithAFlippedBit: verify names the row when one bit of its text is flipped in the
// file.
func TestVerifyNamesARowWithAFlippedBit(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]int{}
	for i := range content[:len(content)-7] {
		if string(content[i:i+7]) != "Finance" {
			continue
		}
		damaged := slices.Clone(content)
		damaged[i] ^= 1
		for _, finding := range sqlitetest.Found(t, sqlitetest.FileOf(t, damaged)) {
			where, _, _ := strings.Cut(finding, ":")
			named[where]++
		}
	}
	for _, where := range []string{"departments 1", "journal 8"} { // both have the text
		if named[where] == 0 {
			t.Errorf("got findings of %v, want one of %s", named, where)
		}
	}
}

// TestVerifyLeavesUsesAndSessionsAlone: verify reports no change of the last use of a token or of the
// sessions, because these are not journalled.
func TestVerifyLeavesUsesAndSessionsAlone(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	sqlitetest.BehindItsBack(t, path, "UPDATE tokens SET last_used_at = NULL", "DELETE FROM sessions")
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestTheJournalOnlyGrows: triggers refuse every statement that changes or deletes an entry or a link of
// the journal.
func TestTheJournalOnlyGrows(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		"UPDATE journal SET actor = 'me'",
		"DELETE FROM journal",
		"DELETE FROM journal WHERE seq = 14",
		"REPLACE INTO journal SELECT * FROM journal WHERE seq = 3",
		"INSERT INTO journal SELECT 0, at, actor, request, entity, entity_id, before, after, NULL, NULL, NULL FROM journal WHERE seq = 3",
		"UPDATE journal_links SET hash = zeroblob(32)",
		"DELETE FROM journal_links",
		"REPLACE INTO journal_links SELECT * FROM journal_links WHERE through = 3",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "only grows") {
			t.Errorf("%s: got %v, want it refused", statement, err)
		}
	}
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("afterwards: got %q, want nothing", got)
	}
}

// TestVerifyRefusesAnOlderSchema: verify of a database with an older schema says to run app migrate
// first.
func TestVerifyRefusesAnOlderSchema(t *testing.T) {
	f, err := file.Locate(sqlitetest.RecordOfEach(t, sqlite.Open))
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = sqlitetest.Later(t)
	if _, err := verify.File(t.Context(), f, nil); err == nil || !strings.Contains(err.Error(), "app migrate first") {
		t.Errorf("got %v, want an error that says to run app migrate first", err)
	}
}
