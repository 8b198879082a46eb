package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/access"
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
		copyLog(t, s, shortPause)
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
// refused, or verify whole. So are they if the database was cut short, as by a copy on a full disk. As a
// control, a whole database is accepted with the log that it had.
func TestALogOfANewerStateIsNotApplied(t *testing.T) {
	databases, logs := generations(t, []int{40, 1, 2, 5, 30, 1, 80, 3, 1, 60, 2500, 12, 1})
	for _, cut := range []int{0, 1, 3} {
		refused := 0
		for i, database := range databases {
			for j, log := range logs {
				path := filepath.Join(t.TempDir(), "app.db")
				for name, content := range map[string][]byte{path: database[:len(database)-cut*4096], path + "-wal": log} {
					if err := os.WriteFile(name, content, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				s, err := Open(t.Context(), path, today)
				if err == nil {
					err = errors.Join(s.Close(), sqlitetest.Verified(t.Context(), path))
					if err != nil {
						t.Errorf("database %d without %d pages, with log %d: got it accepted and then %v, want it refused", i, cut, j, err)
					}
					continue
				}
				refused++
				if cut == 0 && i == j {
					t.Errorf("the control: database %d with its log: got %v, want no error", i, err)
				}
				if !strings.Contains(err.Error(), "app restore") {
					t.Errorf("database %d without %d pages, with log %d: got %v, want an error that says what to do", i, cut, j, err)
				}
			}
		}
		if least := len(databases); refused < least {
			t.Errorf("without %d pages: got %d pairs refused, want more than %d", cut, refused, least)
		}
	}
}

// TestALogWithoutEntriesIsNotAppliedElsewhere: sign-ins and uses of tokens have no entry in the journal.
// A log that begins with one is refused beside an older or a newer state of its database and beside
// another database, also if these have the same size, and also if an entry follows. As a control, it is
// used with its own database.
func TestALogWithoutEntriesIsNotAppliedElsewhere(t *testing.T) {
	session := access.Session{Digest: access.Digest{7}, Token: 1, Expires: today().Add(time.Hour)}
	for name, write := range map[string]func(s *Store) error{
		"a use of a token": func(s *Store) error { return s.TouchToken(t.Context(), 1, today().Add(time.Minute)) },
		"a sign-in":        func(s *Store) error { session.Digest[0] = 1; return s.CreateSession(t.Context(), session, today()) },
		"a sign-out":       func(s *Store) error { session.Digest[0] = 0; return s.EndSession(t.Context(), session.Digest) },
		"a use of a token and an entry": func(s *Store) error {
			if err := s.TouchToken(t.Context(), 1, today().Add(time.Minute)); err != nil {
				return err
			}
			_, err := s.CreateDepartment(t.Context(), budget.Department{Code: "D", Name: "Any"}) // in another table than the entry before
			return err
		},
	} {
		at := func(name string) string { return filepath.Join(t.TempDir(), name) }
		build := func(code money.Currency) (older, own, newer, log string) {
			s := openStore(t)
			token, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Write, Digest: access.Digest{1}, Created: today()})
			if err != nil || token.ID != session.Token {
				t.Fatalf("got the token %d, %v, want %d", token.ID, err, session.Token)
			}
			session.Digest[0] = 0
			if err := s.CreateSession(t.Context(), session, today()); err != nil {
				t.Fatal(err)
			}
			copied := func() string {
				copyLog(t, s, shortPause)
				to := at("copy.db")
				if err := sqlitebackup.Duplicate(s.file.Path, to); err != nil {
					t.Fatal(err)
				}
				return to
			}
			older = copied()
			newCurrency(t, s, code)
			own, log = copied(), at("log")
			if err := errors.Join(write(s), sqlitebackup.Duplicate(s.file.Path+"-wal", log)); err != nil {
				t.Fatal(err)
			}
			newCurrency(t, s, code+"C")
			return older, own, copied(), log
		}
		older, own, newer, log := build("AAA")
		_, other, _, _ := build("BBB")
		for _, c := range []struct {
			what, database string
			accepted       bool
		}{{"its own", own, true}, {"an older state", older, false}, {"a newer state", newer, false}, {"another", other, false}} {
			if file.SizeOf(c.database) != file.SizeOf(own) {
				t.Fatalf("%s: got a database of another size", c.what)
			}
			path := at("app.db")
			if err := errors.Join(sqlitebackup.Duplicate(c.database, path), sqlitebackup.Duplicate(log, path+"-wal")); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, today)
			if err == nil {
				err = s.Close()
			}
			if (err == nil) != c.accepted {
				t.Errorf("a log with %s beside %s: got %v, want no error only beside its own database", name, c.what, err)
			}
		}
	}
}

// TestALogShowsItsDatabase: the first transaction of a log notes the header that the database has then,
// also if another program copied the log before. As a control, a later transaction notes nothing.
func TestALogShowsItsDatabase(t *testing.T) {
	s := openStore(t)
	newCurrency(t, s, "AAA")
	newCurrency(t, s, "BBB")
	noted := func() (header []byte) {
		if err := s.reading.QueryRowContext(t.Context(), "SELECT header FROM log_base").Scan(&header); err != nil {
			t.Fatal(err)
		}
		return header
	}
	for _, copied := range []bool{false, true} {
		if copied {
			sqlitetest.BehindItsBack(t, s.file.Path, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		before, err := file.HeaderOf(t.Context(), s.reading)
		if err != nil {
			t.Fatal(err)
		}
		newCurrency(t, s, money.Currency(fmt.Sprintf("C%t", copied)))
		if bytes.Equal(noted(), before) != copied {
			t.Errorf("copied %t: got the header %x noted, want %x only if copied", copied, noted(), before)
		}
	}
}

// TestALogOfALargerDatabaseIsNotApplied: a log is refused beside a state of its database that has the
// same journal and fewer pages, which the log does not have. As a control, it is used with its own
// database.
func TestALogOfALargerDatabaseIsNotApplied(t *testing.T) {
	s, dir := openStore(t), t.TempDir()
	const tokens = 6
	for i := range byte(tokens) {
		if _, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Write, Digest: access.Digest{i}, Created: today()}); err != nil {
			t.Fatal(err)
		}
	}
	session := access.Session{Expires: today().Add(time.Hour)}
	signIn := func(times int) {
		for range times {
			session.Token = session.Token%tokens + 1
			session.Digest[session.Token]++
			if err := s.CreateSession(t.Context(), session, today()); err != nil {
				t.Fatal(err)
			}
		}
	}
	copied := func(name string) string {
		copyLog(t, s, shortPause)
		path := filepath.Join(dir, name)
		if err := sqlitebackup.Duplicate(s.file.Path, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := map[bool]string{false: copied("smaller.db")}
	signIn(tokens * access.MostSessions / 2)
	path[true] = copied("own.db")
	signIn(1)
	for own, database := range path {
		if err := sqlitebackup.Duplicate(s.file.Path+"-wal", database+"-wal"); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), database, today)
		if err == nil {
			err = s.Close()
		}
		if (err == nil) != own {
			t.Errorf("its own database %t: got %v, want no error only then", own, err)
		}
	}
}

// TestALogOfALaterSchemaIsNotApplied: a copy from before a migration is refused beside a log of the
// database that took it. As a control, the log is used with its own database.
func TestALogOfALaterSchemaIsNotApplied(t *testing.T) {
	path := ofSchema(t, 11)
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	older, own, log := at("app.db"), at("app.db"), at("log")
	sqlitetest.BehindItsBack(t, path, "PRAGMA journal_mode = WAL")
	if err := sqlitebackup.Duplicate(path, older); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	newCurrency(t, s, "AAA")
	copyLog(t, s, shortPause)
	if err := sqlitebackup.Duplicate(path, own); err != nil {
		t.Fatal(err)
	}
	_, err = s.CreateDepartment(t.Context(), budget.Department{Code: "D", Name: "Any"})
	// The use of the token writes the page that the migration added, so that the older copy lacks no page.
	if err = errors.Join(err, s.TouchToken(t.Context(), 1, today()), sqlitebackup.Duplicate(path+"-wal", log), s.Close()); err != nil {
		t.Fatal(err)
	}
	for database, accepted := range map[string]bool{own: true, older: false} {
		if err := sqlitebackup.Duplicate(log, database+"-wal"); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), database, today)
		if err == nil {
			err = s.Close()
		}
		if (err == nil) != accepted || err != nil && !strings.Contains(err.Error(), "was not written for this") {
			t.Errorf("its own database %t: got %v, want no error only then", accepted, err)
		}
	}
}

// TestALogOfAnotherMigrationIsNotApplied: a migration gives a database a number of its own. So a copy that was
// migrated too is refused beside the first log, although both were alike before. As a control, the log is
// used with its own database.
func TestALogOfAnotherMigrationIsNotApplied(t *testing.T) {
	migrated := func() string {
		path := ofSchema(t, 11)
		sqlitetest.BehindItsBack(t, path, "PRAGMA journal_mode = WAL")
		if _, err := Migrate(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	of, other, own := migrated(), migrated(), filepath.Join(t.TempDir(), "app.db")
	if err := sqlitebackup.Duplicate(of, own); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), of, today)
	if err != nil {
		t.Fatal(err)
	}
	newCurrency(t, s, "AAA")
	if err := errors.Join(sqlitebackup.Duplicate(of+"-wal", own+"-wal"), sqlitebackup.Duplicate(of+"-wal", other+"-wal"), s.Close()); err != nil {
		t.Fatal(err)
	}
	for path, accepted := range map[string]bool{own: true, other: false} {
		s, err := Open(t.Context(), path, today)
		if err == nil {
			err = s.Close()
		}
		if (err == nil) != accepted {
			t.Errorf("its own database %t: got %v, want no error only then", accepted, err)
		}
	}
}

// TestALogOfAnotherLayoutIsNotApplied: a VACUUM and a backup give the pages of a database other places. A
// log of one transaction is refused beside a copy with another layout, although both have the same
// journal, or the two verify whole. As a control, the log is used with its own database.
func TestALogOfAnotherLayoutIsNotApplied(t *testing.T) {
	refused := 0
	for _, records := range []int{3, 100, 300, 700} {
		s := openStore(t)
		path := func(name string) string { return filepath.Join(t.TempDir(), name) }
		sqlitetest.Fill(t, s)
		release := hold(t, s)
		many := send(t.Context(), t, s, registerMany("B", records))
		release()
		if err := <-many; err != nil {
			t.Fatal(err)
		}
		sqlitetest.BehindItsBack(t, s.file.Path, "CREATE TABLE scratch (x)", "INSERT INTO scratch VALUES (zeroblob(50000))")
		bulk := slices.Repeat([]trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 80}}, records)
		if _, err := s.AddTrades(t.Context(), bulk); err != nil {
			t.Fatal(err)
		}
		sqlitetest.BehindItsBack(t, s.file.Path, "DROP TABLE scratch")
		copied := func(name string) string {
			copyLog(t, s, shortPause)
			to := path(name)
			if err := sqlitebackup.Duplicate(s.file.Path, to); err != nil {
				t.Fatal(err)
			}
			return to
		}
		check := func(database string, own bool) {
			t.Helper()
			to := path("app.db")
			if err := errors.Join(sqlitebackup.Duplicate(database, to), sqlitebackup.Duplicate(s.file.Path+"-wal", to+"-wal")); err != nil {
				t.Fatal(err)
			}
			opened, err := Open(t.Context(), to, today)
			switch {
			case err == nil:
				err = errors.Join(opened.Close(), sqlitetest.Verified(t.Context(), to))
			case !own && strings.Contains(err.Error(), "was not written for this"):
				refused++
				err = nil
			}
			if err != nil {
				t.Errorf("%d records, %s: got %v, want it whole, or refused if it is not its own", records, filepath.Base(database), err)
			}
		}
		own, vacuumed, restored := copied("own.db"), copied("vacuumed.db"), path("restored.db")
		sqlitetest.BehindItsBack(t, vacuumed, "VACUUM")
		backup, _ := sqlitetest.BackupOf(t, own)
		if _, err := sqlitebackup.Restore(t.Context(), backup, restored, nil, sqlitetest.Midday); err != nil {
			t.Fatal(err)
		}
		sqlitetest.BehindItsBack(t, restored, "PRAGMA journal_mode = WAL")
		if _, err := s.VoidTrade(t.Context(), 4); err != nil {
			t.Fatal(err)
		}
		check(own, true)
		check(vacuumed, false)
		check(restored, false)
		before := copied("before.db")
		sqlitetest.BehindItsBack(t, s.file.Path, "VACUUM")
		check(copied("own after the VACUUM.db"), true)
		newCurrency(t, s, "CCC")
		check(before, false)
	}
	if refused < 8 {
		t.Errorf("got %d pairs refused, want at least 8", refused)
	}
}

// TestALogAfterAVacuumIsUsed: a VACUUM by another program makes the database smaller, and the file only
// when the log is copied. A database that a kill leaves meanwhile is opened, and is whole.
func TestALogAfterAVacuumIsUsed(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	many := send(t.Context(), t, s, registerMany("B", 500))
	release()
	if err := <-many; err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, s.file.Path, "CREATE TABLE scratch (x)", "INSERT INTO scratch VALUES (zeroblob(1000000))", "DROP TABLE scratch")
	copyLog(t, s, shortPause)
	before := file.SizeOf(s.file.Path)
	sqlitetest.BehindItsBack(t, s.file.Path, "VACUUM")
	newCurrency(t, s, "AAA")
	path := filepath.Join(t.TempDir(), "app.db")
	if err := errors.Join(sqlitebackup.Duplicate(s.file.Path, path), sqlitebackup.Duplicate(s.file.Path+"-wal", path+"-wal")); err != nil {
		t.Fatal(err)
	}
	killed, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, killed); !got["AAA"] {
		t.Error("got no currency AAA, want it from the log")
	}
	if err := errors.Join(killed.Close(), sqlitetest.Verified(t.Context(), path)); err != nil {
		t.Error(err)
	}
	if after := file.SizeOf(path); after >= before { // otherwise the log did not make the database smaller
		t.Errorf("got %d bytes of %d, want fewer", after, before)
	}
}

// TestALogOfAnotherProgramSaysItsDatabase: the first transaction of this program in a log that another program
// began notes the header of the file too. So such a log is refused beside another state. As a control, it is
// used with its own database.
func TestALogOfAnotherProgramSaysItsDatabase(t *testing.T) {
	for _, theirs := range []string{"SELECT 1", "CREATE TABLE theirs (x)", "VACUUM"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "app.db")
		open := func() *Store {
			t.Helper()
			s, err := Open(t.Context(), path, today)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		copied := func(name string) string {
			t.Helper()
			to := filepath.Join(dir, name)
			if err := sqlitebackup.Duplicate(path, to); err != nil {
				t.Fatal(err)
			}
			return to
		}
		s := open()
		newCurrency(t, s, "AAA")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		older := copied("older.db")
		s = open() // its writer is idle, so that another program can begin the next log
		sqlitetest.BehindItsBack(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
		own := copied("own.db")
		sqlitetest.BehindItsBack(t, path, theirs)
		newCurrency(t, s, "BBB")
		t.Cleanup(func() { _ = s.Close() })
		for path, accepted := range map[string]bool{own: true, older: false} {
			if err := sqlitebackup.Duplicate(s.file.Path+"-wal", path+"-wal"); err != nil {
				t.Fatal(err)
			}
			f, err := file.Locate(path, func(_ context.Context, f file.File) (bool, error) {
				if !f.Immutable {
					t.Errorf("%q: got a log verified, want none", theirs)
				}
				return false, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if accepted {
				_, err = f.Inspect(t.Context())
			} else if _, inspected := f.Inspect(t.Context()); inspected == nil {
				err = errors.New("accepted")
			}
			if err != nil {
				t.Errorf("%q, its own database %t: got %v", theirs, accepted, err)
			}
		}
	}
}

// TestALogOfACopyIsNotApplied: two copies of a database each have a log. Where a reader needs an older first
// page, SQLite copies a part of a log and leaves the header of the file as it was. Such a file is refused
// beside the log of the other copy. As a control, it is used with its own log.
func TestALogOfACopyIsNotApplied(t *testing.T) {
	paths := [2]string{sqlitetest.RecordOfEach(t, Open), filepath.Join(t.TempDir(), "copy.db")}
	if err := sqlitebackup.Duplicate(paths[0], paths[1]); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var databases, logs [2][]byte
	for i, path := range paths {
		s := opened(t, path, today)
		newCurrency(t, s, money.Currency(fmt.Sprintf("X%d", i)))
		_, reader := readAsItIs(t, path)
		opened(t, path, today) // finds the log noted
		newCurrency(t, s, "LAST")
		if whole, err := checkpoint(s.writer.conn, 0); err != nil || whole {
			t.Fatalf("got the log copied whole %t, %v, want a part, because of the reader", whole, err)
		}
		databases[i] = onDisk(t, s)
		if logs[i], err = os.ReadFile(path + "-wal"); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(databases[i], before) || !bytes.Equal(databases[i][:file.HeaderSize], before[:file.HeaderSize]) {
			t.Fatal("got the file or its header otherwise, want only the rest of the file changed")
		}
		if err := reader.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
	for i, database := range databases {
		for j, log := range logs {
			path := filepath.Join(t.TempDir(), "app.db")
			if err := errors.Join(os.WriteFile(path, database, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, today)
			if err == nil {
				err = s.Close()
			}
			if (err == nil) != (i == j) {
				t.Errorf("the database of copy %d with the log of copy %d: got %v, want no error only with its own", i, j, err)
			}
		}
	}
}

// TestALogWithoutANoteIsVerified: a log in which this program wrote nothing says nothing about its database, so
// the two are verified whole, and refused if they are not.
func TestALogWithoutANoteIsVerified(t *testing.T) {
	for _, whole := range []bool{true, false} {
		served, killed := sqlitetest.RecordOfEach(t, Open), filepath.Join(t.TempDir(), "app.db")
		program, err := sql.Open("sqlite", served)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.ExecContext(t.Context(), "CREATE TABLE theirs (x)"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(sqlitebackup.Duplicate(served, killed), sqlitebackup.Duplicate(served+"-wal", killed+"-wal"), program.Close()); err != nil {
			t.Fatal(err)
		}
		verified := false
		f, err := file.Locate(killed, func(_ context.Context, f file.File) (bool, error) {
			verified = verified || !f.Immutable
			return whole, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Inspect(t.Context()); (err == nil) != whole || !verified {
			t.Errorf("whole %t: got %v, verified %t", whole, err, verified)
		}
	}
}

// TestALogOfLitestreamIsUsedAsItIs: Litestream copies the log into the database once a minute, and begins the next
// log with a write to its own table. Such a log is not verified. As a control, one with a record is.
func TestALogOfLitestreamIsUsedAsItIs(t *testing.T) {
	const count = "INSERT INTO _litestream_seq VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1"
	for name, c := range map[string]struct {
		log      []string
		verified bool
	}{
		"its own":           {[]string{count, count}, false},
		"with a record":     {[]string{count, "UPDATE departments SET name = 'Another'"}, true},
		"after a record":    {[]string{"UPDATE departments SET name = 'Another'", count}, true},
		"with a new table":  {[]string{count, "CREATE TABLE _litestream_lock (id INTEGER)"}, true},
		"of many rows":      {[]string{"WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO _litestream_seq SELECT i, i FROM n"}, true},
		"of another layout": {[]string{"VACUUM"}, true},
	} {
		served, killed := sqlitetest.RecordOfEach(t, Open), filepath.Join(t.TempDir(), "app.db")
		program, err := sql.Open("sqlite", served)
		if err != nil {
			t.Fatal(err)
		}
		program.SetMaxOpenConns(1)
		before := []string{"CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)", count, "PRAGMA wal_checkpoint(TRUNCATE)"}
		for _, statement := range append(before, c.log...) {
			if _, err := program.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(sqlitebackup.Duplicate(served, killed), sqlitebackup.Duplicate(served+"-wal", killed+"-wal"), program.Close()); err != nil {
			t.Fatal(err)
		}
		verified := false
		f, err := file.Locate(killed, func(context.Context, file.File) (bool, error) {
			verified = true
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Inspect(t.Context()); err != nil || verified != c.verified {
			t.Errorf("a log %s: got %v, verified %t, want verified %t", name, err, verified, c.verified)
		}
	}
}

// TestAnOldLogIsVerifiedBeforeAMigration: a log of an earlier build says nothing about its database. The two
// are verified before they are migrated, and refused if they are not whole, at each try. As a control, they
// are migrated if they are whole, or if there is no log.
func TestAnOldLogIsVerifiedBeforeAMigration(t *testing.T) {
	for _, c := range []struct {
		change      string
		kept, whole bool
	}{
		{"UPDATE tokens SET last_used_at = last_used_at + 1", true, true},
		{"UPDATE departments SET name = 'Another'", true, false},
		{"UPDATE departments SET name = 'Another'", false, true},
	} {
		served, killed := ofSchema(t, 11), filepath.Join(t.TempDir(), "app.db")
		program, err := sql.Open("sqlite", served+"?_pragma=journal_mode(WAL)")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.ExecContext(t.Context(), c.change); err != nil {
			t.Fatal(err)
		}
		if c.kept {
			err = errors.Join(sqlitebackup.Duplicate(served, killed), sqlitebackup.Duplicate(served+"-wal", killed+"-wal"), program.Close())
		} else {
			err = errors.Join(program.Close(), sqlitebackup.Duplicate(served, killed))
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := Migrate(t.Context(), killed)
			if (err == nil) != c.whole || err != nil && !strings.Contains(err.Error(), "with the build that wrote them") {
				t.Errorf("%+v: got %v, want it migrated only if it is whole", c, err)
			}
		}
		if file.Exists(killed + ".restoring") {
			t.Errorf("%+v: got a copy left, want none", c)
		}
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
		copyLog(t, s, shortPause)
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

// TestAMigrationThatIsKilledGoesOn: the log of a migration says its database by the sum of the header that the
// database had, so it is not verified, and an old finding does not stop the next migration. As a control, the
// log is refused beside another state of the database.
func TestAMigrationThatIsKilledGoesOn(t *testing.T) {
	path, dir := ofSchema(t, 11), t.TempDir()
	own, other := filepath.Join(dir, "own.db"), filepath.Join(dir, "other.db")
	sqlitetest.BehindItsBack(t, path, "PRAGMA journal_mode = WAL", "UPDATE departments SET name = 'Another'") // a finding of verify
	if err := sqlitebackup.Duplicate(path, other); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, other, "CREATE TABLE gone (x)", "DROP TABLE gone") // changes the header
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = sqlitetest.LaterBy(t, "SELECT no_such_function()")
	_, reader := readAsItIs(t, path) // so that the log stays
	defer func() { _ = reader.Rollback() }()
	if _, err := MigrateFile(t.Context(), f); err == nil {
		t.Fatal("got no error of the last migration, want one")
	}
	for _, copied := range []string{own, other} {
		if copied == own {
			err = sqlitebackup.Duplicate(path, own)
		}
		if err = errors.Join(err, sqlitebackup.Duplicate(path+"-wal", copied+"-wal")); err != nil {
			t.Fatal(err)
		}
		if _, err := Migrate(t.Context(), copied); (err == nil) != (copied == own) {
			t.Errorf("%s: got %v, want no error only for its own database", copied, err)
		}
	}
}
