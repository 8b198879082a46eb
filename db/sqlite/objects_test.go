//go:build !race

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
)

// refusals changes copies of the database with the statements, and returns the error of each command on
// them.
func refusals(s sqlitetest.Specimen, t *testing.T, statements ...string) map[string]error {
	t.Helper()
	path := s.Planted(t, statements...)
	errs := map[string]error{}
	guarded, err := Guard(t.Context(), path)
	if errs["serve"] = err; err == nil {
		defer func() { _ = guarded.Release() }()
	}
	store, err := Open(t.Context(), path, time.Now)
	if errs["open"] = err; err == nil {
		defer func() { _ = store.Close() }()
	}
	_, errs["migrate"] = Migrate(t.Context(), path)
	_, errs["backup"] = sqlitebackup.Backup(t.Context(), path, filepath.Join(t.TempDir(), "b.db"), "test", sqlitetest.Midday)
	_, errs["restore"] = sqlitebackup.Restore(t.Context(), s.Planted(t, statements...), filepath.Join(t.TempDir(), "app.db"), nil, sqlitetest.Midday)
	return errs
}

// TestAHarmfulObjectIsRefusedWithItsDrop: every command refuses a schema with a trigger on a table of ours,
// or with a table that hides a function of SQLite. The error is one line, with the statements that remove it.
// After these statements every command works again.
func TestAHarmfulObjectIsRefusedWithItsDrop(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, Open)
	for _, c := range []struct{ plant, named, drop string }{
		{"CREATE TRIGGER t AFTER INSERT ON trades BEGIN DELETE FROM journal; END", "trigger t on trades", `DROP TRIGGER "t";`},
		{`CREATE TRIGGER "DROP ""x""; --" AFTER INSERT ON TRADES BEGIN SELECT 1; END`, `trigger DROP "x"; -- on trades`, `DROP TRIGGER "DROP ""x""; --";`},
		{"CREATE VIEW v AS SELECT 1; CREATE TRIGGER t AFTER DELETE ON journal BEGIN SELECT 1; END", "trigger t on journal", `DROP TRIGGER "t";`},
		{"CREATE TABLE json_each (value)", "table json_each", `DROP TABLE IF EXISTS "json_each";`},
		{"CREATE TABLE Pragma_Foreign_Key_Check ([table], parent)", "table Pragma_Foreign_Key_Check", `DROP TABLE IF EXISTS "Pragma_Foreign_Key_Check";`},
		{"CREATE TABLE pragma_application_id AS SELECT 1 AS application_id", "table pragma_application_id", `DROP TABLE IF EXISTS "pragma_application_id";`},
	} {
		for name, err := range refusals(s, t, c.plant) {
			want := " cannot be used: Daybook did not make its " + c.named + "; remove what was added with any SQLite tool: " + c.drop
			if fault.KindOf(err) != fault.Unavailable || !strings.HasSuffix(fmt.Sprint(err), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %s: got %v, want %q", c.plant, name, err, want)
			}
		}
		for name, err := range refusals(s, t, c.plant, c.drop) {
			if err != nil {
				t.Errorf("%s, and then %s: %s: got %v, want no error", c.plant, c.drop, name, err)
			}
		}
	}
	for name, err := range refusals(s, t, "CREATE TRIGGER \"a\nb\x1b[2J\" AFTER INSERT ON trades BEGIN SELECT 1; END") {
		if want := `trigger a\nb\x1b[2J on trades; remove`; !strings.Contains(fmt.Sprint(err), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("a name with a line break: %s: got %v, want %q in it", name, err, want)
		}
	}
}

// TestWhatAnOwnerAddsIsServed: an index, a view, a table and the statistics of ANALYZE are served, backed up,
// restored and verified. A warning names them, with the statements that remove them. As a control, the
// database without them has no warning.
func TestWhatAnOwnerAddsIsServed(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, Open)
	for _, c := range []struct{ plant, named, drop string }{
		{"SELECT 1", "", ""}, // the control
		{"CREATE VIEW v AS SELECT * FROM trades", "view v", `DROP VIEW "v";`},
		{"CREATE VIEW v AS SELECT * FROM no_such_table", "view v", `DROP VIEW "v";`},
		{"CREATE VIEW v AS SELECT 1 AS x; CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN DELETE FROM trades; END", "trigger t on v, view v", `DROP TRIGGER "t"; DROP VIEW "v";`},
		{"CREATE UNIQUE INDEX i ON trades (price, id)", "index i on trades", `DROP INDEX "i";`},
		{"CREATE INDEX i ON Trades (symbol); CREATE INDEX j ON sessions (token_id)", "index j on sessions, index i on trades", `DROP INDEX "j"; DROP INDEX "i";`},
		{"CREATE TABLE notes (x)", "table notes", `DROP TABLE IF EXISTS "notes";`},
		{"CREATE TABLE notes (x); CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END", "trigger t on notes, table notes", `DROP TRIGGER "t"; DROP TABLE IF EXISTS "notes";`},
		{"CREATE TABLE notes (x, trade REFERENCES Trades (id)); INSERT INTO notes VALUES (1, 1)", "table notes", `DROP TABLE IF EXISTS "notes";`},
		{"CREATE VIRTUAL TABLE words USING fts5 (word)", "table words, table words_config", `DROP TABLE IF EXISTS "words";`},
		{"CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER CHECK (seq > 0))", "table _litestream_seq", `DROP TABLE IF EXISTS "_litestream_seq";`},
		{"ANALYZE; DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 VALUES ('journal', 'journal_by_record', '9 9 9 9'), ('journal', NULL, '1')", "table sqlite_stat1", `DROP TABLE IF EXISTS "sqlite_stat1";`},
	} {
		for name, err := range refusals(s, t, c.plant) {
			if err != nil {
				t.Errorf("%s: %s: got %v, want no error", c.plant, name, err)
			}
		}
		path, restored := s.Planted(t, c.plant), filepath.Join(t.TempDir(), "app.db")
		store, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatalf("%s: %v", c.plant, err)
		}
		err = errors.Join(addCode(t, store, "XTS"), store.Close())
		copied := filepath.Join(t.TempDir(), "b.db")
		m, backup := sqlitebackup.Backup(t.Context(), path, copied, "test", sqlitetest.Midday)
		_, restore := sqlitebackup.Restore(t.Context(), copied, restored, nil, sqlitetest.Midday)
		if err := errors.Join(err, backup, restore); err != nil || m.Damage != "" {
			t.Errorf("%s: got %v, damage %q, want it written, backed up and restored", c.plant, err, m.Damage)
		}
		for _, at := range []string{path, copied, restored} {
			if got := sqlitetest.Found(t, at); len(got) > 0 {
				t.Errorf("%s: verify %s: got %q, want nothing", c.plant, filepath.Base(at), got)
			}
			warnings, err := file.Warnings(t.Context(), at)
			said := fmt.Sprint(warnings)
			if err != nil || c.named == "" && len(warnings) > 0 || c.named != "" && (len(warnings) != 1 || !strings.Contains(said, "holds what Daybook did not make: "+c.named) || !strings.Contains(said, c.drop)) {
				t.Errorf("%s: got the warnings %s, %v, want one of %s with %s", c.plant, said, err, c.named, c.drop)
			}
		}
	}
}

// TestAChangedDefinitionIsRefused: every command refuses a schema in which an object of Daybook is
// missing or has another definition.
func TestAChangedDefinitionIsRefused(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, Open)
	for plant, want := range map[string]string{
		"ALTER TABLE trades ADD COLUMN more TEXT":                                                                                       "the table trades is not as the migrations made it",
		"ALTER TABLE trades ADD COLUMN twice INTEGER AS (shares * 2)":                                                                   "the table trades is not as the migrations made it",
		"ALTER TABLE trades RENAME TO TRADES2; ALTER TABLE TRADES2 RENAME TO TRADES":                                                    "the index trades_by_date is not as the migrations made it",
		"INSERT INTO sqlite_schema VALUES ('TRIGGER', 't', 'TRADES', 0, 'CREATE TRIGGER t AFTER INSERT ON trades BEGIN SELECT 1; END')": "the TRIGGER t was not made by Daybook", // no DROP removes it
		"UPDATE sqlite_schema SET sql = replace(sql, 'TIMESTAMP', 'TEXT') WHERE name = 'goose_db_version'":                              "the table goose_db_version is not as the migrations made it",
		"UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'trades'":                                            "the table trades is not as the migrations made it",
		"UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', 'NOT NULL COLLATE NOCASE') WHERE name = 'trades'":                      "the table trades is not as the migrations made it",
		"DROP TABLE sessions":                 "the index sessions_by_end is missing",
		"DROP TRIGGER journal_refuses_update": "the trigger journal_refuses_update is missing",
		"DROP INDEX trades_by_instrument; CREATE INDEX trades_by_instrument ON trades (symbol)":                                                               "the index trades_by_instrument is not as the migrations made it",
		"DROP INDEX sessions_by_end; CREATE TABLE extra (x); CREATE INDEX sessions_by_end ON extra (x)":                                                       "the index sessions_by_end is not as the migrations made it",
		"UPDATE sqlite_schema SET sql = replace(sql, 'RAISE(ABORT, ''the journal only grows'')', '1') WHERE type = 'trigger'":                                 "the trigger journal_refuses_delete is not as the migrations made it",
		"UPDATE sqlite_schema SET sql = replace(sql, 'price >=', 'price <') WHERE name = 'x'; CREATE VIEW v AS SELECT 1; DROP TRIGGER journal_refuses_delete": "the trigger journal_refuses_delete is missing",
	} {
		for name, err := range refusals(s, t, plant) {
			if fault.KindOf(err) != fault.Unavailable || !strings.HasSuffix(fmt.Sprint(err), " cannot be used: "+want+"; restore a backup from before that") {
				t.Errorf("%s: %s: got %v, want %q", plant, name, err, want)
			}
		}
	}
}

// TestTheTablesOfLitestreamAreNotRefused: no command refuses a database because of the tables of
// Litestream, and nothing warns of them.
func TestTheTablesOfLitestreamAreNotRefused(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, Open)
	for name, err := range refusals(s, t, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
		"CREATE TABLE _litestream_lock (id INTEGER)", "INSERT INTO _litestream_seq VALUES (1, 1)",
		"CREATE TEMP VIEW v AS SELECT 1", "CREATE TEMP TRIGGER t AFTER INSERT ON trades BEGIN SELECT 1; END") {
		if err != nil {
			t.Errorf("%s: got %v, want no error", name, err)
		}
	}
}

// TestABackupOfAnOlderSchemaIsRestored: a restore compares a backup with an older schema with that
// schema, migrates it, and verifies it. A damaged backup is refused, and no file is left.
func TestABackupOfAnOlderSchemaIsRestored(t *testing.T) {
	made := sqlitetest.Later(t)
	restore := func(statements ...string) (string, error) {
		t.Helper()
		from := baseline(t)
		sqlitetest.BehindItsBack(t, from, statements...)
		f, err := file.Locate(filepath.Join(t.TempDir(), "app.db"))
		if err != nil {
			t.Fatal(err)
		}
		f.Schema = made
		r, err := sqlitebackup.RestoreFile(t.Context(), f, from, f.Path, nil, sqlitetest.Midday)
		if err == nil && (r.Schema != schema.Released.Baseline() || r.Tokens != 1) {
			t.Errorf("got %+v, want the schema and the token of the backup", r)
		}
		if names := sqlitetest.NamesIn(t, filepath.Dir(f.Path)); err != nil && len(names) > 0 || err == nil && len(names) != 1 {
			t.Errorf("got the files %q, %v, want only the database, or none after an error", names, err)
		}
		return f.Path, err
	}
	path, err := restore()
	if err != nil {
		t.Fatal(err)
	}
	f := file.File{Path: path, Synchronous: "FULL", Schema: made}
	if v, err := verify.File(t.Context(), f, nil); err != nil || len(v.Findings) > 0 || v.Records != 19 {
		t.Errorf("got %+v, %v, want 19 records and no findings", v, err)
	}
	for statement, want := range map[string]string{
		"CREATE TRIGGER t AFTER INSERT ON trades BEGIN SELECT 1; END": `DROP TRIGGER "t";`,
		"ALTER TABLE trades ADD COLUMN remark TEXT":                   "the table trades is not as the migrations made it",
		"UPDATE trades SET price = 7 WHERE id = 1":                    "is damaged (2 findings): trades 1",
		"UPDATE departments SET name = 'Other' WHERE id = 1":          "is damaged (1 findings): departments 1",
	} {
		if _, err := restore(statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", statement, err, want)
		}
	}
	if _, err := os.Stat(path + backupSuffix()); err == nil {
		t.Error("got a backup of the restored copy before its migration, want none")
	}
}
