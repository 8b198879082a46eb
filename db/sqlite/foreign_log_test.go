package sqlite

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
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

// TestALogOfANewerStateIsNotApplied: a database and a log from different moments of the same history are
// refused, or verify whole. As a control, a database is accepted with the log that it had.
func TestALogOfANewerStateIsNotApplied(t *testing.T) {
	databases, logs := generations(t, []int{40, 1, 2, 5, 30, 1, 120, 3, 1, 90, 2500, 12, 1})
	refused := 0
	for i, database := range databases {
		for j, log := range logs {
			path := filepath.Join(t.TempDir(), "app.db")
			for name, content := range map[string][]byte{path: database, path + "-wal": log} {
				if err := os.WriteFile(name, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := Open(t.Context(), path, today)
			if err == nil {
				err = errors.Join(s.Close(), sqlitetest.Verified(t.Context(), path))
				if err != nil {
					t.Errorf("database %d with log %d: got it accepted and then %v, want it refused", i, j, err)
				}
				continue
			}
			refused++
			if i == j {
				t.Errorf("the control: database %d with its log: got %v, want no error", i, err)
			}
			if !strings.Contains(err.Error(), "app restore") {
				t.Errorf("database %d with log %d: got %v, want an error that says what to do", i, j, err)
			}
		}
	}
	if least := len(databases); refused < least {
		t.Errorf("got %d pairs refused, want more than %d", refused, least)
	}
}

// generations adds records in several steps, and copies the whole log into the database after each. It
// returns the database before each step, and the log after it. A step of more than 1,000 records is one
// transaction with several links.
func generations(t *testing.T, steps []int) (databases, logs [][]byte) {
	t.Helper()
	s := openStore(t)
	read := func(name string) []byte {
		copied := filepath.Join(t.TempDir(), "copy")
		if err := sqlitebackup.Duplicate(name, copied); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(copied)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	n := 0
	for _, records := range steps {
		if _, err := checkpoint(s.writer.conn, shortPause); err != nil {
			t.Fatal(err)
		}
		databases = append(databases, read(s.file.Path))
		if records > chain.MostHeld {
			if _, err := s.AddTrades(t.Context(), slices.Repeat([]trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 80}}, records)); err != nil {
				t.Fatal(err)
			}
			records = 0
		}
		for range records {
			n++
			var err error
			if n%3 == 0 {
				_, err = s.CreateDepartment(t.Context(), budget.Department{Code: text.Code(fmt.Sprintf("D%d", n)), Name: "Any"})
			} else {
				_, err = s.AddTrades(t.Context(), []trading.Trade{{
					Instrument: trading.Instrument{Symbol: trading.Symbol(fmt.Sprintf("S%d", n%7)), Currency: "SEK"}, Shares: 100, Side: trading.Buy, Price: 80,
				}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		logs = append(logs, read(s.file.Path+"-wal"))
	}
	return databases, logs
}
