package verify_test

import (
	"context"
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
