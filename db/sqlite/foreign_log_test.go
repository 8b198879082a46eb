package sqlite

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// killedFiles are the files that a killed process left: a database, and its log. wrong has other
// databases that somebody could copy over the file by mistake.
type killedFiles struct {
	path  string            // of the database
	wrong map[string]string // their paths, by a description
}

func kill(t *testing.T) killedFiles {
	t.Helper()
	s, dir := openStore(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	sqlitetest.Fill(t, s)
	keep := func(name string, code money.Currency) { // copies the file, then adds one record that is only in the log
		t.Helper()
		if _, err := checkpoint(s.writer.conn, shortPause); err != nil {
			t.Fatal(err)
		}
		if err := sqlitebackup.Duplicate(s.file.Path, at(name)); err != nil {
			t.Fatal(err)
		}
		newCurrency(t, s, code)
	}
	keep("earlier.db", "AAA")
	release := hold(t, s)
	many := send(t.Context(), t, s, registerMany("B", 500)) // more than the pages that the log holds
	release()
	if err := <-many; err != nil {
		t.Fatal(err)
	}
	keep("app.db", "AAB")
	if _, err := sqlitebackup.Backup(t.Context(), s.file.Path, at("backup.db"), "test", sqlitetest.Midday); err != nil {
		t.Fatal(err)
	}
	newCurrency(t, s, "AAC")
	if err := sqlitebackup.Duplicate(s.file.Path+"-wal", at("app.db-wal")); err != nil {
		t.Fatal(err)
	}
	old, _ := sqlitetest.BackupOf(t, at("earlier.db"))
	if _, err := Migrate(t.Context(), at("empty.db")); err != nil {
		t.Fatal(err)
	}
	return killedFiles{at("app.db"), map[string]string{
		"a backup": at("backup.db"), "a backup from before the log": old, "the file before the log": at("earlier.db"),
		"another database": sqlitetest.RecordOfEach(t, Open), "a database without records": at("empty.db"),
	}}
}

func newCurrency(t *testing.T, s *Store, code money.Currency) {
	t.Helper()
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: code, Name: "Any"}); err != nil {
		t.Fatal(err)
	}
}

// contentsOf returns the bytes of the database and of its log.
func contentsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + part)
		if err != nil {
			t.Fatal(err)
		}
		files[part] = string(data)
	}
	return files
}

// TestALogOfAnotherDatabaseIsNotApplied: if another file was copied over a database whose log still
// exists, a server refuses it and changes nothing, and a restore keeps both aside. As a control, the log
// is used with its own database.
func TestALogOfAnotherDatabaseIsNotApplied(t *testing.T) {
	for what := range kill(t).wrong {
		t.Run(what, func(t *testing.T) {
			left := kill(t)
			sqlitetest.CopyOver(t, left.wrong[what], left.path)
			if err := os.WriteFile(left.path+"-journal", make([]byte, 512), 0o600); err != nil { // SQLite ignores it
				t.Fatal(err)
			}
			before := contentsOf(t, left.path)
			guarded, err := Guard(t.Context(), left.path)
			if err == nil {
				_ = guarded.Release()
			}
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "move the -wal away") {
				t.Errorf("got %v, want it refused, with a hint what to do", err)
			}
			if !maps.Equal(contentsOf(t, left.path), before) {
				t.Error("got the file or the log changed, want both unchanged")
			}
			good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open))
			r, err := sqlitebackup.Restore(t.Context(), good, left.path, nil, sqlitetest.Midday)
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(contentsOf(t, r.Aside), before) {
				t.Error("after a restore: got another file or log aside, want both unchanged")
			}
			if err := sqlitetest.Verified(t.Context(), left.path); err != nil {
				t.Error(err)
			}
		})
	}
	left := kill(t)
	if err := sqlitetest.Verified(t.Context(), left.path); err != nil {
		t.Errorf("the control: got %v, want no error", err)
	}
	s, err := Open(t.Context(), left.path, today)
	if err != nil {
		t.Fatalf("the control: got %v, want no error", err)
	}
	defer func() { _ = s.Close() }()
	if got := stored(t, s); len(got) != 504 { // one of Fill, and those that kill adds
		t.Errorf("the control: got %d currencies, want 504", len(got))
	}
}
