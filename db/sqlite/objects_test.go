package sqlite

import (
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

// TestAnAddedObjectIsRefusedWithItsDrop: every command refuses a schema with added objects. The error is
// one line, with the statements that remove the objects. After these statements every command works
// again.
func TestAnAddedObjectIsRefusedWithItsDrop(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, Open)
	for _, c := range []struct{ plant, named, drop string }{
		{"CREATE TRIGGER t AFTER INSERT ON trades BEGIN DELETE FROM journal; END", "trigger t on trades", `DROP TRIGGER "t";`},
		{`CREATE TRIGGER "DROP ""x""; --" AFTER INSERT ON TRADES BEGIN SELECT 1; END`, `trigger DROP "x"; -- on trades`, `DROP TRIGGER "DROP ""x""; --";`},
		{"CREATE TABLE extra (x); CREATE TRIGGER t AFTER INSERT ON extra BEGIN UPDATE trades SET price = 1; END", "trigger t on extra, table extra", `DROP TRIGGER "t"; DROP TABLE IF EXISTS "extra";`},
		{"CREATE VIEW v AS SELECT * FROM trades", "view v", `DROP VIEW "v";`},
		{"CREATE VIEW v AS SELECT 1 AS x; CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN DELETE FROM trades; END", "trigger t on v, view v", `DROP TRIGGER "t"; DROP VIEW "v";`},
		{"CREATE UNIQUE INDEX i ON trades (price, id)", "index i on trades", `DROP INDEX "i";`},
		{"CREATE INDEX i ON Trades (symbol); CREATE INDEX j ON sessions (token_id)", "index j on sessions, index i on trades", `DROP INDEX "j"; DROP INDEX "i";`},
		{"CREATE TABLE notes (x)", "table notes", `DROP TABLE IF EXISTS "notes";`},
		{"CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER CHECK (seq > 0))", "table _litestream_seq", `DROP TABLE IF EXISTS "_litestream_seq";`},
		{"CREATE TABLE _litestream_lock (id INTEGER); CREATE INDEX i ON _litestream_lock (id)", "index i on _litestream_lock", `DROP INDEX "i";`},
		{"CREATE TABLE json_each (value)", "table json_each", `DROP TABLE IF EXISTS "json_each";`},
		{"CREATE TABLE Pragma_Foreign_Key_Check ([table], parent)", "table Pragma_Foreign_Key_Check", `DROP TABLE IF EXISTS "Pragma_Foreign_Key_Check";`},
		{"CREATE TABLE pragma_application_id AS SELECT 1 AS application_id", "table pragma_application_id", `DROP TABLE IF EXISTS "pragma_application_id";`},
		{"CREATE VIRTUAL TABLE words USING fts5 (word)", "table words, table words_config, table words_content, table words_data, table words_docsize, table words_idx", `DROP TABLE IF EXISTS "words"; DROP TABLE IF EXISTS "words_config"; DROP TABLE IF EXISTS "words_content"; DROP TABLE IF EXISTS "words_data"; DROP TABLE IF EXISTS "words_docsize"; DROP TABLE IF EXISTS "words_idx";`},
		{"CREATE TABLE notes (x, trade REFERENCES Trades (id)); INSERT INTO notes VALUES (1, 1)", "table notes", `DROP TABLE IF EXISTS "notes";`},
		{"CREATE TABLE notes (x REFERENCES others, y, FOREIGN KEY (y) REFERENCES departments ON DELETE CASCADE)", "table notes", `DROP TABLE IF EXISTS "notes";`},
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
	for _, plant := range []string{
		"ANALYZE; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl COLLATE nosuch,idx,stat)' WHERE name = 'sqlite_stat1'",
		"ANALYZE; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, stat AS (hex(zeroblob(9))))' WHERE name = 'sqlite_stat1'",
		"ANALYZE; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat CHECK (nosuch(stat)))' WHERE name = 'sqlite_stat1'",
		"CREATE VIRTUAL TABLE sqlite_stat1 USING dbstat",
		"INSERT INTO sqlite_schema VALUES ('table', 'sqlite_stat1', 'sqlite_stat1', 0, 'CREATE VIRTUAL TABLE sqlite_stat1 USING nosuch')",
		"CREATE TABLE sqlite_stat1 (tbl, idx, stat, more UNIQUE)",
		"CREATE VIRTUAL TABLE sqlite_stat1 USING dbstat; CREATE TABLE notes (x)",
	} {
		const want = "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name = 'sqlite_stat1'; PRAGMA writable_schema = RESET; VACUUM;"
		refusals := refusals(s, t, plant)
		for name, err := range refusals {
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(fmt.Sprint(err), "table sqlite_stat1") || !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %s: got %v, want %q", plant, name, err, want)
			}
		}
		path := s.Planted(t, plant)
		if got := sqlitetest.Found(t, path); len(got) == 0 || !strings.Contains(fmt.Sprint(got), "the table sqlite_stat1 was not made by Daybook") {
			t.Errorf("%s: verify: got %q, want a finding of the table", plant, got)
		}
		_, drops, _ := strings.Cut(fmt.Sprint(refusals["open"]), "with any SQLite tool: ")
		sqlitetest.BehindItsBack(t, path, drops)
		if got := sqlitetest.Found(t, path); len(got) > 0 {
			t.Errorf("%s, and then %s: verify: got %q, want nothing", plant, drops, got)
		}
		store, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Errorf("%s, and then %s: Open: got %v, want no error", plant, drops, err)
			continue
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	for name, err := range refusals(s, t, "CREATE VIEW \"a\nb\x1b[2J\" AS SELECT 1") {
		if want := `view a\nb\x1b[2J; remove`; !strings.Contains(fmt.Sprint(err), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("a name with a line break: %s: got %v, want %q in it", name, err, want)
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

// TestADatabaseInAnotherEncodingIsRefused: a database whose text encoding is not UTF-8 is refused,
// because SQLite would sort its text in another order than the program expects. As a control, one in
// UTF-8 is not.
func TestADatabaseInAnotherEncodingIsRefused(t *testing.T) {
	t.Parallel()
	statements, err := os.ReadFile(fixture(schema.Released.Newest()))
	if err != nil {
		t.Fatal(err)
	}
	for _, encoding := range []string{"UTF-8", "UTF-16le", "UTF-16be"} {
		path := filepath.Join(t.TempDir(), "app.db")
		sqlitetest.BehindItsBack(t, path, "PRAGMA encoding = '"+encoding+"'", string(statements))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		errs := refusals(sqlitetest.Specimen{Content: content}, t)
		_, errs["verify"] = verify.Database(t.Context(), path, nil)
		for name, err := range errs {
			want := "its text is in " + encoding + ", and Daybook makes it in UTF-8"
			if encoding == "UTF-8" {
				want = "<nil>"
			}
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %s: got %v, want %q", encoding, name, err, want)
			}
		}
	}
}

// TestTheTablesOfLitestreamAreNotRefused: no command refuses a database because of the tables of
// Litestream, or because of SQLite's own tables.
func TestTheTablesOfLitestreamAreNotRefused(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, Open)
	for name, err := range refusals(s, t, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
		"CREATE TABLE _litestream_lock (id INTEGER)", "INSERT INTO _litestream_seq VALUES (1, 1)", "ANALYZE",
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
		f, err := file.Locate(filepath.Join(t.TempDir(), "app.db"), verify.Whole)
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
	if v, err := verify.File(t.Context(), f, nil); err != nil || len(v.Findings) > 0 || v.Records != 20 {
		t.Errorf("got %+v, %v, want 20 records and no findings", v, err)
	}
	for statement, want := range map[string]string{
		"CREATE VIEW v AS SELECT 1":                          `DROP VIEW "v";`,
		"ALTER TABLE trades ADD COLUMN remark TEXT":          "the table trades is not as the migrations made it",
		"UPDATE trades SET price = 7 WHERE id = 1":           "is damaged (2 findings): trades 1",
		"UPDATE departments SET name = 'Other' WHERE id = 1": "is damaged (1 findings): departments 1",
	} {
		if _, err := restore(statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", statement, err, want)
		}
	}
	if _, err := os.Stat(path + backupSuffix()); err == nil {
		t.Error("got a backup of the restored copy before its migration, want none")
	}
}
