package verify_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// TestVerifyNamesTheTableOfEveryEditedColumn: verify finds an edit of any column of any table whose rows
// can be compared with the journal. The test reads the columns from the schema, so it includes those of
// later versions.
func TestVerifyNamesTheTableOfEveryEditedColumn(t *testing.T) {
	t.Parallel()
	// Columns whose edits verify does not report, each with the reason.
	free := map[string]string{
		"tokens.last_used_at": "the last use of a token is not journalled",
	}
	// Tables whose edits verify reports under another name: it reports a wrong link at the entries of
	// the link.
	at := map[string]string{"journal_links": "journal"}
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	tables := []string{"positions", "position_checkpoints", "sequences", "journal", "journal_links"}
	for _, entity := range journal.Kept() {
		tables = append(tables, string(entity))
	}
	tried := 0
	for _, table := range tables {
		for _, column := range sqlitetest.ColumnsOf(t, s, table) {
			name := table + "." + column.Name
			value := fmt.Sprintf(`CASE typeof(%[1]s) WHEN 'integer' THEN %[1]s + 1000 WHEN 'text' THEN %[1]s || 'x'
				WHEN 'blob' THEN zeroblob(length(%[1]s)) ELSE %[2]s END`, column.Name, map[string]string{"INTEGER": "1000", "TEXT": "'x'", "BLOB": "x'00'"}[column.Kind])
			update := fmt.Sprintf("UPDATE %[1]s SET %[2]s = %[3]s WHERE (%[4]s) = (SELECT %[4]s FROM %[1]s LIMIT 1)", table, column.Name, value, column.Key)
			got := s.Edited(t, s.Quietly(table, update)...)
			where := table
			if at[table] != "" {
				where = at[table]
			}
			if free[name] == "" && !sqlitetest.Names(got, where) {
				t.Errorf("%s: got %q, want a finding of %s", update, got, where)
			} else if free[name] != "" && len(got) > 0 {
				t.Errorf("%s: got %q, want nothing: %s", update, got, free[name])
			}
			tried++
		}
	}
	if tried < 90 {
		t.Errorf("got %d columns, want those of all tables", tried)
	}
}

// TestVerifyNamesEveryEditOfTheSchema: verify finds every trigger, index, table or check of ours that was
// removed or changed, and every trigger that was added.
func TestVerifyNamesEveryEditOfTheSchema(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	check := func(want string, statements ...string) {
		t.Helper()
		if got := s.Edited(t, statements...); !slices.Contains(got, want) {
			t.Errorf("%s: got %q, want %q among them", statements, got, want)
		}
	}
	for _, kind := range []string{"trigger", "index"} {
		if len(s.Objects(kind)) < 6 {
			t.Errorf("got %d objects of kind %s, want at least 6", len(s.Objects(kind)), kind)
		}
		for _, o := range s.Objects(kind) {
			check(fmt.Sprintf("%s: the %s %s is missing", o.Table, kind, o.Name), "DROP "+kind+" "+o.Name)
		}
	}
	checks := 0
	for _, o := range s.Objects("table") {
		check(o.Name+": the trigger t was not made by Daybook",
			fmt.Sprintf("CREATE TRIGGER t AFTER INSERT ON %s BEGIN SELECT 1; END", strings.ToUpper(o.Name)))
		altered := o.Name + ": the table " + o.Name + " is not as the migrations made it"
		check(altered, fmt.Sprintf("ALTER TABLE %s ADD COLUMN more TEXT", o.Name))
		parts := strings.Split(o.SQL, "CHECK (")
		for i := range parts[1:] {
			cut := strings.Join(parts[:i+1], "CHECK (") + "CHECK (1 OR " + strings.Join(parts[i+1:], "CHECK (")
			check(altered, fmt.Sprintf("UPDATE sqlite_schema SET sql = '%s' WHERE name = '%s'", strings.ReplaceAll(cut, "'", "''"), o.Name))
			checks++
		}
		if got, want := len(verify.ChecksOf(o.SQL)), strings.Count(o.SQL, "CHECK"); got != want {
			t.Errorf("%s: got %d checks that verify evaluates, want %d", o.Name, got, want)
		}
		if o.Name != "journal" && o.Name != "journal_links" { // without them verify cannot run
			check(o.Name+": the table "+o.Name+" is missing", "DROP TABLE "+o.Name)
		}
	}
	if checks < 20 {
		t.Errorf("got %d checks, want at least 20", checks)
	}
	for _, o := range s.Objects("trigger") { // change it so that it does nothing
		check(fmt.Sprintf("%s: the trigger %s is not as the migrations made it", o.Table, o.Name),
			fmt.Sprintf("UPDATE sqlite_schema SET sql = replace(sql, 'RAISE(ABORT, ''the journal only grows'')', '1') WHERE name = '%s'", o.Name))
	}
}

// TestVerifyLeavesTheTablesOfLitestreamAlone: verify does not report the tables that Litestream, a tool
// that replicates the file, makes in the database.
func TestVerifyLeavesTheTablesOfLitestreamAlone(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	got := s.Edited(t, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)", "CREATE TABLE _litestream_lock (id INTEGER)",
		"INSERT INTO _litestream_seq VALUES (1, 1)", "ANALYZE")
	if len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestVerifyNamesWhatIsNotInTheJournal: verify finds edits of data that the journal does not contain,
// but that must fit it: derived columns, checks, versions of the schema, counters of ids, sessions and
// stored answers. It also finds rows that it would not reach by their numbers.
func TestVerifyNamesWhatIsNotInTheJournal(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	answers := func(key, principal, body string, seq int) string {
		return fmt.Sprintf("INSERT INTO idempotency_keys SELECT '%s', '%s', zeroblob(32), 201, CAST('%s' AS BLOB), at, seq, seq FROM journal WHERE seq = %d", principal, key, body, seq)
	}
	answer := answers("k", "local", `{"id":1,"code":"USD","name":"US dollar"}`, 1)
	const trade = `{"Symbol":"ACME","CurrencyCode":"USD","Shares":10,"Product":0,"Type":true,"Price":0.000005,"Date":"2026-01-03T00:00:00Z","ID":1}`
	released := schema.Released.Versions()
	last := len(released) - 1
	versions := func(held ...string) string {
		return fmt.Sprintf("goose_db_version: holds the versions %q, not %q", held, released)
	}
	for _, c := range []struct{ table, statement, want string }{
		{"", "UPDATE departments SET code_key = 'FIN'", `departments 1: its code_key is "FIN", which does not match its code "FIN"`},
		{"", "UPDATE gl_accounts SET code_key = '7000'", `gl_accounts 1: its code_key is "7000", which does not match its code "6000"`},
		{"", "UPDATE trades SET product = 256 WHERE id = 1", "trades: CHECK (product BETWEEN 0 AND 4) does not hold in 1 of its rows"},
		{"", "UPDATE trades SET product = 256 WHERE id = 1", "trades 1: is not what the journal says"},
		{"", "UPDATE trades SET side = -257 WHERE id = 3", "trades: CHECK (side IN (1, -1)) does not hold in 1 of its rows"},
		{"", "UPDATE trades SET side = 257 WHERE id = 1", "trades 1: is not what the journal says"},
		{"", "UPDATE positions SET product = 256", "positions: the position of ACME, USD, product 256 has no trades"},
		{"", "UPDATE departments SET active = 2 WHERE active = 1", "departments: CHECK (active IN (0, 1)) does not hold in 1 of its rows"},
		{"", "UPDATE gl_accounts SET favour_high = 256", "gl_accounts: CHECK (favour_high IN (0, 1)) does not hold in 1 of its rows"},
		{"", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (5, 1)", versions(append(slices.Clone(released), "5")...)},
		{"", "UPDATE goose_db_version SET is_applied = 0 WHERE version_id = " + released[last], versions(append(slices.Clone(released[:last]), released[last]+" taken back")...)},
		{"", "DELETE FROM goose_db_version WHERE version_id = 0", versions(released[1:]...)},
		{"", "DELETE FROM sequences WHERE name = 'actuals'", "sequences: the counter of actuals is missing"},
		{"", "DELETE FROM sequences", "sequences: the counter of budget_lines is missing"},
		{"", "UPDATE sequences SET last = 0 WHERE name = 'budget_lines'", "sequences: the counter of budget_lines is 0, but the highest id in the journal is 1"},
		{"", "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'trades'", "sqlite_sequence: the counter of trades is 2, but the highest id in the journal is 3"},
		{"", "DELETE FROM sqlite_sequence WHERE name = 'tokens'", "sqlite_sequence: the counter of tokens is 0, but the highest id in the journal is 1"},
		{"", "INSERT INTO sqlite_sequence (rowid, name, seq) VALUES (-1, 'trades', 0)", "sqlite_sequence: the counter of trades is 0, but the highest id in the journal is 3"},
		{"", "UPDATE sqlite_sequence SET seq = NULL WHERE name = 'trades'", "sqlite_sequence: the counter of trades is 0, but the highest id in the journal is 3"},
		{"", "UPDATE sequences SET last = 9223372036854775807 WHERE name = 'actuals'", "sequences: the counter of actuals is 9223372036854775807, but the highest id in the journal is 2"},
		{"", "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'trades'", "sqlite_sequence: the counter of trades is 9223372036854775807, but the highest id in the journal is 3"},
		{"", "INSERT INTO sequences VALUES ('trades', 3)", "sequences: the counter of trades was not made by Daybook"},
		{"", "INSERT INTO sessions VALUES (zeroblob(32), 1, 9000000000000000)", "sessions: a session of token 1 ends at 2255-03-14T16:00:00Z, later than a session that begins now"},
		{"", "UPDATE tokens SET expires_at = 5; INSERT INTO sessions VALUES (zeroblob(32), 1, 6)", "sessions: a session of token 1 ends at 1970-01-01T00:00:00.000006Z, later than its token"},
		{"", answer + "; UPDATE idempotency_keys SET fingerprint = x'01'", `idempotency_keys: the stored answer for "k" is not an answer of Daybook`},
		{"", answer + "; UPDATE idempotency_keys SET status = 500", `idempotency_keys: the stored answer for "k" is not an answer of Daybook`},
		{"", answer + "; UPDATE idempotency_keys SET body = x'7b'", `idempotency_keys: the stored answer for "k" is not an answer of Daybook`},
		{"", answer + "; UPDATE idempotency_keys SET body = CAST(body || '{}' AS BLOB)", `idempotency_keys: the stored answer for "k" is not an answer of Daybook`},
		{"", answer + "; UPDATE idempotency_keys SET body = CAST('[]' AS BLOB)", `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answer + "; UPDATE idempotency_keys SET at = at + 1", `idempotency_keys: the stored answer for "k" belongs to a write that is not in the journal`},
		{"", answer + "; UPDATE idempotency_keys SET seq = 0", `idempotency_keys: the stored answer for "k" belongs to a write that is not in the journal`},
		{"", answer + "; UPDATE idempotency_keys SET seq = 15", `idempotency_keys: the stored answer for "k" belongs to a write that is not in the journal`},
		{"", answer + "; UPDATE idempotency_keys SET seq = 2", `idempotency_keys: the stored answer for "k" belongs to a write that is not in the journal`},
		{"", answer + "; UPDATE idempotency_keys SET seq = 0", "idempotency_keys: CHECK (seq >= 1) does not hold in 1 of its rows"},
		{"", answer + "; UPDATE idempotency_keys SET principal = '1'", `idempotency_keys: the stored answer for "k" belongs to a write of another principal`},
		{"journal", answer + "; UPDATE journal SET actor = 'feed (token 1)' WHERE seq = 1", `idempotency_keys: the stored answer for "k" belongs to a write of another principal`},
		{"", answer + "; UPDATE idempotency_keys SET running_bytes = 4611686018427387904", `idempotency_keys: the stored answer for "k" counts more bytes than all earlier answers can have`},
		{"", answer + "; UPDATE idempotency_keys SET status = 1000", `idempotency_keys: the stored answer for "k" is not an answer of Daybook`},
		{"", answer + "; UPDATE idempotency_keys SET running_bytes = -9223372036854775808", `idempotency_keys: CHECK (running_bytes BETWEEN 1 AND 4611686018427387904) does not hold in 1 of its rows`},
		{"", answers("k", "local", `{"code":"USD","name":"US dollar"}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", `{"id":2,"code":"USD","name":"US dollar"}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", `{"id":1,"Code":"EUR","name":"US dollar"}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", `{"id":1,"code":"USD"}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", `{"id":1,"code":"USD","name":"US dollar","rate":2}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", `{"id":1,"code":"USD","ID":1}`, 1), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", strings.Replace(trade, "true", "false", 1), 4), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", strings.Replace(trade, "00Z", "01Z", 1), 4), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answers("k", "local", strings.Replace(strings.Replace(trade, "true", "1", 1), "Type", "Side", 1), 4), `idempotency_keys: the stored answer for "k" differs from its write in the journal`},
		{"", answer + "; " + strings.Replace(answer, "'k'", "'l'", 1) + "; UPDATE idempotency_keys SET running_bytes = 2 WHERE key = 'l'", `idempotency_keys: the stored answer for "l" belongs to entry 1, whose answer is also stored for another key`},
		{"journal", "INSERT INTO journal SELECT 0, at, actor, request, entity, entity_id, before, after, NULL, NULL, NULL FROM journal WHERE seq = 3", "journal: an entry has the number 0"},
		{"journal", fmt.Sprintf("INSERT INTO journal SELECT %d, at, actor, request, entity, entity_id, before, after, first, reason, batch FROM journal WHERE seq = 3", math.MinInt64), "journal: holds 18 rows, but the walk found 17"},
		{"journal_links", "INSERT INTO journal_links VALUES (-5, zeroblob(32))", "journal 1: the entries 1 to 1 do not match their link of the chain"},
		{"journal_links", fmt.Sprintf("INSERT INTO journal_links VALUES (%d, zeroblob(32))", math.MinInt64), "journal_links: holds 16 rows, but the walk found 15"},
		{"", fmt.Sprintf("INSERT INTO tokens SELECT %d, 'evil', 'admin', zeroblob(32), created_at, NULL, NULL, NULL FROM tokens", math.MinInt64), "tokens: holds 2 rows, but the walk found 1"},
		{"", fmt.Sprintf("INSERT INTO trades SELECT %d, symbol, currency_code, shares, product, side, price, traded_at FROM trades ORDER BY id LIMIT 1", math.MinInt64), "trades: holds 3 rows, but the walk found 2"},
		{"", strings.Replace(strings.Replace(answer, "'k'", "''", 1), "'local'", "''", 1), `idempotency_keys: the stored answer for "" belongs to a write of another principal`},
		{"", "INSERT INTO sequences VALUES ('x' || char(10) || char(27) || '[2J', 1)", `sequences: the counter of x\n\x1b[2J was not made by Daybook`},
		{"journal", "UPDATE journal SET actor = CAST(x'61ff' AS TEXT) WHERE seq = 3", `journal 3: its text "a\xff" is not UTF-8`},
	} {
		if got := s.Edited(t, s.Quietly(c.table, c.statement)...); !slices.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among them", c.statement, got, c.want)
		}
	}
	for _, answer := range []string{
		answer, answers("k", "local", trade, 4),
		answers("k", "local", `{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"type":true,"price":0.000005,"date":"2026-01-02T00:00:00Z"}`, 7), // that was voided
	} {
		if got := s.Edited(t, answer); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", answer, got)
		}
	}
}

// TestVerifyFoldsImpossibleFigures: verify finds a trade with impossible numbers, and does not panic
// when it folds the position.
func TestVerifyFoldsImpossibleFigures(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	for _, figures := range []string{
		"price = -1", "price = -9223372036854775808", "price = 9223372036854775807", "shares = 0", "shares = -1",
		"shares = -9223372036854775808", "side = 0", "side = -128", "side = 257", "side = -9223372036854775808",
		"product = 256", "product = -1", "shares = -1, side = -1", "shares = -9223372036854775807, side = -1",
		"shares = 9223372036854775807, price = 9223372036854775807",
	} {
		for _, where := range []string{"", " WHERE id > 1"} {
			update := "UPDATE trades SET " + figures + where
			if got := s.Edited(t, update); !sqlitetest.Names(got, "trades") {
				t.Errorf("%s: got %q, want a finding of trades", update, got)
			}
		}
	}
}

// TestVerifyTellsTextThatIsNotUTF8FromItsReplacement: the journal has U+FFFD for bytes that are not
// UTF-8. So verify must find such bytes in a row whose record has a real U+FFFD. As a control, a text of
// U+FFFD is no finding.
func TestVerifyTellsTextThatIsNotUTF8FromItsReplacement(t *testing.T) {
	path := sqlitetest.FileOf(t, sqlitetest.NewSpecimen(t, sqlite.Open).Content)
	store, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, nameless := store.AddCurrency(t.Context(), trading.Currency{Code: "\uFFFD", Name: "\uFFFD"})
	_, err = store.AddRevenue(t.Context(), trading.Revenue{CompanyID: 1, Category: "Lamps", CurrencyCode: "\uFFFD"})
	if err := errors.Join(nameless, err, store.Close()); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Fatalf("got %q, want nothing", got)
	}
	sqlitetest.BehindItsBack(t, path, "UPDATE currencies SET name = CAST(x'ff' AS TEXT) WHERE id = 2", "UPDATE revenues SET currency_code = CAST(x'ff' AS TEXT) WHERE id = 2")
	want := []string{`currencies 2: its text "\xff" is not UTF-8`, `revenues 2: its text "\xff" is not UTF-8`}
	if got := sqlitetest.Found(t, path); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestVerifyFoldsInTheOrderOfDates: verify folds trades by date, not by id. With these trades the
// position stays in its range by date, but would leave it by id. As a control, verify finds an edit of a
// date.
func TestVerifyFoldsInTheOrderOfDates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, trade := range []struct {
		side   trading.Side
		shares trading.Shares
		day    int
	}{{trading.Buy, math.MaxInt64, 1}, {trading.Sell, 10, 3}, {trading.Buy, 10, 4}, {trading.Sell, 10, 2}} {
		if _, err := s.AddTrades(t.Context(), []trading.Trade{{
			Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: trade.shares, Side: trade.side,
			Price: 500, Date: time.Date(2026, 1, trade.day, 0, 0, 0, 0, time.UTC),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.VoidTrade(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
	sqlitetest.BehindItsBack(t, path, "UPDATE trades SET traded_at = traded_at + 1000000000000000 WHERE id = 4")
	const want = "positions: the position of ACME, USD, product 0 cannot exist: its trades: shares would take the position in ACME beyond 9223372036854775807"
	if got := sqlitetest.Found(t, path); !slices.Contains(got, want) {
		t.Errorf("the sale after the second purchase: got %q, want %q among them", got, want)
	}
}

// TestAWriteAfterALinkThatIsNoHashIsRefused: if the newest link of the journal is not a hash, the next
// write is refused, and the error says why.
func TestAWriteAfterALinkThatIsNoHashIsRefused(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // may fail, because the journal is damaged
	add := func(code text.Code) error {
		_, err := s.CreateAccount(t.Context(), budget.Account{Code: code, Type: budget.Opex})
		return err
	}
	if err := add("1"); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, path, "PRAGMA ignore_check_constraints = ON; INSERT INTO journal_links SELECT max(through) + 1, x'0102' FROM journal_links")
	err = add("2")
	if !sqlitetest.RefusesDamage(err) {
		t.Errorf("got %v, want Unavailable because the end of the journal is damaged", err)
	}
}

// TestOpenRefusesADamagedEndOfTheJournal: a database is not opened if the last entry does not match the
// last link.
func TestOpenRefusesADamagedEndOfTheJournal(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	for _, edit := range []struct{ table, statement string }{
		{"journal_links", "UPDATE journal_links SET hash = zeroblob(32) WHERE through = 17"},
		{"journal_links", "UPDATE journal_links SET hash = x'01' WHERE through = 17"},
		{"journal", "UPDATE journal SET actor = 'me' WHERE seq = 17"},
	} {
		path := sqlitetest.FileOf(t, s.Content)
		sqlitetest.BehindItsBack(t, path, slices.Concat([]string{"PRAGMA ignore_check_constraints = ON"}, s.Quietly(edit.table, edit.statement))...)
		store, err := sqlite.Open(t.Context(), path, time.Now)
		if err == nil {
			_ = store.Close()
		}
		if !sqlitetest.RefusesDamage(err) {
			t.Errorf("%s: got %v, want Unavailable because the end of the journal is damaged", edit.statement, err)
		}
	}
}
