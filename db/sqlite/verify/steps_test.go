package verify_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
)

// TestVerifyNamesStepsThatNoProgramTook: verify finds edits of the table in which goose, the migration
// library, notes the migrations that it has run. Such an edit could stop the next migration, or make app
// migrate status wrong. The control, a file without an edit, is TestVerifyFindsNothingInAWholeFile.
func TestVerifyNamesStepsThatNoProgramTook(t *testing.T) {
	whole, err := os.ReadFile(sqlitetest.RecordOfEach(t, sqlite.Open))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ statement, want string }{
		{"UPDATE goose_db_version SET tstamp = 'garbage'", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET tstamp = NULL", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET tstamp = CAST(tstamp AS BLOB)", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET tstamp = tstamp || ' '", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET tstamp = 1", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET version_id = CAST(version_id AS BLOB)", "goose_db_version: holds the versions"},
		{"UPDATE goose_db_version SET is_applied = CAST('1' AS BLOB)", "goose_db_version: holds the versions"},
		{"UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'goose_db_version'", "sqlite_sequence: the counter of goose_db_version is 9223372036854775807"},
		{"UPDATE sqlite_sequence SET seq = 0 WHERE name = 'goose_db_version'", "sqlite_sequence: the counter of goose_db_version is 0"},
		{"DELETE FROM sqlite_sequence WHERE name = 'goose_db_version'", "sqlite_sequence: the counter of goose_db_version is 0"},
	} {
		path := sqlitetest.FileOf(t, whole)
		sqlitetest.BehindItsBack(t, path, c.statement)
		got := sqlitetest.Found(t, path)
		if !slices.ContainsFunc(got, func(finding string) bool { return strings.HasPrefix(finding, c.want) }) {
			t.Errorf("%s: got %q, want %q among them", c.statement, got, c.want)
		}
	}
}

// TestAViewInThePlaceOfTheVersions: verify refuses a view in the place of the table of versions, and
// does not read it. The view yields rows without end.
func TestAViewInThePlaceOfTheVersions(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	sqlitetest.BehindItsBack(t, path, "DROP TABLE goose_db_version", `CREATE VIEW goose_db_version AS
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS version_id FROM n`)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if v, err := verify.Database(ctx, path, nil); err == nil || ctx.Err() != nil {
		t.Errorf("got %v, %v, want an error before the time is over", v.Findings, err)
	}
}

// TestVerifyNamesAnIndexOfOtherTypes: verify finds entries of an index that have 0.0 where their rows
// have 0. SQLite's own check does not report this, because the two are equal for SQLite.
func TestVerifyNamesAnIndexOfOtherTypes(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	edit := func(statements string) {
		t.Helper()
		sqlitetest.BehindItsBack(t, path, "PRAGMA writable_schema = ON; "+statements)
	}
	typed := func(from, to string) string {
		return fmt.Sprintf("UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE name = 'trades';", from, to)
	}
	edit("UPDATE trades SET product = 0")
	edit(typed(") STRICT", ")") + typed("product       INTEGER", "product       BLOB"))
	edit("UPDATE trades SET product = 0.0")
	edit("CREATE TABLE aside AS SELECT * FROM sqlite_schema WHERE name = 'trades_by_instrument'; DELETE FROM sqlite_schema WHERE name = 'trades_by_instrument'")
	edit("UPDATE trades SET product = 0")
	edit(typed("product       BLOB", "product       INTEGER") + "UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'trades'")
	edit("INSERT INTO sqlite_schema SELECT * FROM aside; DROP TABLE aside")
	if got, want := sqlitetest.Found(t, path), "trades: the index trades_by_instrument has a REAL in place of an INTEGER in 2 of its entries"; !slices.Equal(got, []string{want}) {
		t.Errorf("got %q, want %q", got, want)
	}
}
