package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/money"
)

// baseline returns a database as the first release made it: with schema version 11 and records of every
// kind, some of them changed or removed.
func baseline(t *testing.T) string {
	t.Helper()
	return ofSchema(t, 11)
}

// ofSchema returns a database with records of every kind, as a program made it whose newest schema had
// this version.
func ofSchema(t *testing.T, version int64) string {
	t.Helper()
	statements, err := os.ReadFile(fixture(version))
	if err != nil {
		t.Fatalf("%v: testdata must have a database of every schema, which later migrations must upgrade; write that of the newest with `go test ./db/sqlite -run TestADatabaseOfEverySchema -update`", err)
	}
	path := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.BehindItsBack(t, path, string(statements))
	return path
}

func fixture(version int64) string { return fmt.Sprintf("testdata/schema-%d.sql", version) }

var writeFixture = flag.Bool("update", false, "write the database of the newest schema, if it does not exist")

// restored returns a database with a record of each kind, restored from an older backup.
func restored(t *testing.T) string {
	t.Helper()
	path := sqlitetest.RecordOfEach(t, Open)
	taken, _ := sqlitetest.BackupOf(t, path)
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addCode(t, s, "LATER"), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Restore(t.Context(), taken, path, nil, sqlitetest.Midday); err != nil {
		t.Fatal(err)
	}
	return path
}

// dump returns a database as SQL.
func dump(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	texts := func(query string) []string {
		t.Helper()
		texts, err := verify.Texts(t.Context(), tx, query)
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	const made = "FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND "
	all := []string{fmt.Sprintf("PRAGMA application_id = %d", schema.ApplicationID)}
	all = append(all, texts("SELECT sql "+made+"type = 'table'")...)
	for _, table := range append(texts("SELECT name "+made+"type = 'table'"), "sqlite_sequence") {
		columns := strings.Join(texts("SELECT 'quote(' || name || ')' FROM pragma_table_info('"+table+"')"), " || ', ' || ")
		if table == "sqlite_sequence" {
			all = append(all, "DELETE FROM sqlite_sequence")
		}
		all = append(all, texts("SELECT 'INSERT INTO "+table+" VALUES (' || "+columns+" || ')' FROM "+table)...)
	}
	all = append(all, texts("SELECT sql "+made+"type <> 'table'")...)
	return strings.Join(all, ";\n") + ";\n"
}

// TestADatabaseOfTheFirstReleaseGoesOn: a database of the first release can be migrated and then read
// and written, and verify finds nothing.
func TestADatabaseOfTheFirstReleaseGoesOn(t *testing.T) {
	path := baseline(t)
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	v, err := verify.Database(t.Context(), path, nil)
	if err != nil || len(v.Findings) > 0 || v.Records != 19 || v.Entries != 34 {
		t.Fatalf("got %+v, %v, want 19 records in 34 entries and nothing found", v, err)
	}
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	held := map[money.Currency]int64{}
	for p, err := range s.Positions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		held[p.Currency] = p.Quantity
	}
	if held["USD"] != 20 || held["EUR"] != -3 {
		t.Errorf("got the positions %v, want 20 and -3", held)
	}
	if d, err := s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: "ärzte"}); err != nil || d.ID != 2 {
		t.Errorf("got %+v, %v, want department 2 by its code in another case", d, err)
	}
	if a, err := s.CreateAccount(t.Context(), budget.Account{Code: "5000", Type: budget.COGS}); err != nil || a.ID != 4 {
		t.Errorf("a new account: got %+v, %v, want the id 4, because 3 was used before", a, err)
	}
	key := budget.LineKey{Key: budget.Key{DepartmentID: 2, AccountID: 2, Year: 2026, Period: 1}, Version: budget.Original}
	if l, err := s.CreateLines(t.Context(), []budget.Line{{LineKey: key, Amount: 1, Currency: "EUR"}}); err != nil || l[0].ID != 4 {
		t.Errorf("a new line: got %v, %v, want the id 4, because 3 was used before", l, err)
	}
	if _, err := s.VoidTrade(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("after it was written: got %q, want nothing", got)
	}
}

// unreleased returns a database of a build before the first release.
func unreleased(t *testing.T) []byte {
	t.Helper()
	return sqlitetest.AnotherProgram(t, fmt.Sprintf(`PRAGMA application_id = %d;
		CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP);
		INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1), (10, 1);
		CREATE TABLE trades (id INTEGER PRIMARY KEY)`, schema.ApplicationID))
}

// TestADatabaseOfAnUnreleasedBuildIsRefused: every command refuses a database that a build before the
// first release made, and does not change it. A restore can replace it.
func TestADatabaseOfAnUnreleasedBuildIsRefused(t *testing.T) {
	content := unreleased(t)
	path := sqlitetest.FileOf(t, content)
	dir := filepath.Dir(path)
	want := path + " was made by an unreleased build; serve it with that build, or start a new one"
	for name, use := range map[string]func() error{
		"open":     func() error { _, err := Open(t.Context(), path, time.Now); return err },
		"guard":    func() error { _, err := Guard(t.Context(), path); return err },
		"up":       func() error { _, err := Migrate(t.Context(), path); return err },
		"status":   func() error { _, err := Migrations(t.Context(), path); return err },
		"verify":   func() error { _, err := verify.Database(t.Context(), path, nil); return err },
		"lineages": func() error { _, err := sqlitebackup.Lineages(t.Context(), path, nil); return err },
		"backup": func() error {
			_, err := sqlitebackup.Backup(t.Context(), path, filepath.Join(dir, "b.db"), "test", sqlitetest.Midday)
			return err
		},
		"restore": func() error {
			_, err := sqlitebackup.Restore(t.Context(), path, filepath.Join(t.TempDir(), "app.db"), nil, sqlitetest.Midday)
			return err
		},
	} {
		if err := use(); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	if got := sqlitetest.NamesIn(t, dir); !slices.Equal(got, []string{filepath.Base(path)}) {
		t.Errorf("got the files %q, want only the database", got)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
		t.Errorf("got another database, %v, want it unchanged", err)
	}
	part, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open))
	if r, err := sqlitebackup.Restore(t.Context(), part, path, nil, sqlitetest.Midday); err != nil || r.Aside == "" {
		t.Errorf("restoring in its place: got %+v, %v, want it kept aside", r, err)
	}
}
