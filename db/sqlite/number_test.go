package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/money"
)

// served opens a database as a server does. end ends the server.
func served(t *testing.T, path string) (s *Store, end func() error) {
	t.Helper()
	guarded, err := Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	s, err = guarded.Open(t.Context(), today)
	if err != nil {
		t.Fatal(errors.Join(err, guarded.Release()))
	}
	return s, func() error { return errors.Join(s.Close(), guarded.Release()) }
}

// besideDatabase are the endings of the files that a kill leaves beside a database.
var besideDatabase = []string{"-wal", file.LockFile}

// copyParts copies parts of a database.
func copyParts(t *testing.T, from, to string, parts ...string) string {
	t.Helper()
	for _, part := range parts {
		if err := sqlitebackup.Duplicate(from+part, to+part); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// killed returns the files that a kill would leave now.
func killed(t *testing.T, path string) string {
	t.Helper()
	return copyParts(t, path, filepath.Join(t.TempDir(), "app.db"), "", besideDatabase[0], besideDatabase[1])
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

// readAsItIs begins a read of the present state of a database, as another program would, and keeps its
// snapshot open.
func readAsItIs(t *testing.T, path string) (*sql.DB, *sql.Tx) {
	t.Helper()
	reader, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() }) // it may be closed
	tx, err := reader.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM currencies").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return reader, tx
}

// TestALogIsVerifiedOnlyWithoutANote: the log of a kill is used at once if its number is noted. If nothing
// is noted, the database is verified with it first, and refused if it is not whole.
func TestALogIsVerifiedOnlyWithoutANote(t *testing.T) {
	for _, whole := range []bool{true, false} {
		s, end := served(t, sqlitetest.RecordOfEach(t, Open))
		if err := addCode(t, s, "LOG"); err != nil {
			t.Fatal(err)
		}
		if !whole {
			sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE currencies SET name = 'another'")
		}
		for _, noted := range []bool{true, false} {
			path := killed(t, s.file.Path)
			if !noted {
				if err := os.Remove(path + file.LockFile); err != nil {
					t.Fatal(err)
				}
			}
			before := contentsOf(t, path)
			again, err := Open(t.Context(), path, today)
			if used := noted || whole; (err == nil) != used {
				t.Errorf("noted %t, whole %t: got %v, want it used: %t", noted, whole, err, used)
			}
			if err != nil && !maps.Equal(contentsOf(t, path), before) {
				t.Errorf("noted %t, whole %t: got the files changed, want them unchanged", noted, whole)
			}
			if err == nil {
				if got := stored(t, again); !got["LOG"] {
					t.Errorf("noted %t: got %v, want LOG", noted, got)
				}
				if err := again.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
}

// numbersIn returns the numbers that are noted beside a database.
func numbersIn(t *testing.T, path string) []string {
	t.Helper()
	said, err := os.ReadFile(path + file.LockFile)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(said), "\n")
	return strings.Fields(strings.TrimPrefix(first, "number"))
}

// TestAReaderKeepsTheNumberInTheLog: while a reader needs an older state, the number of a start stays in the
// log, and the note holds both. When all of the log was copied, and another is begun, the note holds one.
func TestAReaderKeepsTheNumberInTheLog(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	earlier, end := served(t, path)
	if err := addCode(t, earlier, "EARLIER"); err != nil {
		t.Fatal(err)
	}
	_, reader := readAsItIs(t, path)
	if err := end(); err != nil { // the reader keeps the log
		t.Fatal(err)
	}
	s, end := served(t, path)
	if err := addCode(t, s, "BESIDE"); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), killed(t, path), today)
	if err != nil {
		t.Fatalf("after a kill beside a reader: got %v, want no error", err)
	}
	if got := stored(t, again); !got["EARLIER"] || !got["BESIDE"] {
		t.Errorf("after a kill: got %v, want both writes", got)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	copyLog(t, s)
	s.writer.log.count(checkpoint(s.writer.conn, 0))
	if got := numbersIn(t, path); len(got) < 2 {
		t.Errorf("beside a reader: got the numbers %v, want both", got)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	copyLog(t, s) // as another process does
	if got := numbersIn(t, path); len(got) < 2 {
		t.Errorf("before another log: got the numbers %v, want both", got)
	}
	if err := addCode(t, s, "AFTER"); err != nil {
		t.Fatal(err)
	}
	copyLog(t, s) // waits until the writer has ended what it does after a commit
	if got := numbersIn(t, path); len(got) != 1 {
		t.Errorf("in another log: got the numbers %v, want one", got)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestOthersKeepTheNumberOfTheServer: a command beside a server leaves the number as it is. A command
// without a server gives another, and so does a migration. A backup has its own.
func TestOthersKeepTheNumberOfTheServer(t *testing.T) {
	path := baseline(t)
	last := []string{"none"}
	changed := func(after string, want bool) {
		t.Helper()
		now := numbersIn(t, path)
		if slices.Equal(now, last) == want || len(now) != 1 {
			t.Errorf("%s: got the number %v after %v, want another: %t", after, now, last, want)
		}
		last = now
	}
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	changed("a migration", true)
	write := func(code money.Currency) {
		t.Helper()
		s, err := Open(t.Context(), path, today)
		if err == nil {
			err = errors.Join(addCode(t, s, code), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("AAA")
	changed("a command", true)
	s, end := served(t, path)
	changed("a start", true)
	write("BBB")
	changed("a command beside a server", false)
	if err := errors.Join(addCode(t, s, "CCC"), s.Ping(t.Context())); err != nil {
		t.Error(err)
	}
	taken, _ := sqlitetest.BackupOf(t, path)
	if err := end(); err != nil {
		t.Fatal(err)
	}
	changed("the end", false)
	own, copied := numberIn(t, path), numberIn(t, taken)
	if fmt.Sprintf("%08x", own) != last[0] || copied == own || copied == 0 {
		t.Errorf("got the number %08x in the file and %08x in its backup, want the noted %s and another", own, copied, last)
	}
}

// numberIn returns the number that a file has without its log.
func numberIn(t *testing.T, path string) uint32 {
	t.Helper()
	var number int32
	db, err := sql.Open("sqlite", "file:"+path+"?immutable=1")
	if err == nil {
		err = errors.Join(db.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&number), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return uint32(number)
}

// TestAMigrationThatIsKilledGoesOn: another database lay at the path before, whose number is still noted. A
// migration notes the number of the file before it begins a log, so a kill in it needs no help.
func TestAMigrationThatIsKilledGoesOn(t *testing.T) {
	path := ofSchema(t, 11)
	sqlitetest.BehindItsBack(t, path, "PRAGMA journal_mode = WAL", "PRAGMA user_version = 7")
	if err := os.WriteFile(path+file.LockFile, []byte("number 00000001\naddress http://localhost:1/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := file.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = sqlitetest.LaterBy(t, "SELECT no_such_function()")
	_, reader := readAsItIs(t, path) // so that the log stays
	defer func() { _ = reader.Rollback() }()
	if _, err := MigrateFile(t.Context(), f); err == nil {
		t.Fatal("got no error of the last migration, want one")
	}
	left := killed(t, path)
	if file.SizeOf(left+"-wal") == 0 {
		t.Fatal("got no log, want that of the migration")
	}
	if _, err := Migrate(t.Context(), left); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	if err := os.WriteFile(left+"-wal", []byte("a log"), 0o600); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, left+"-other", "PRAGMA user_version = 9", "CREATE TABLE t (x)")
	copyParts(t, left+"-other", left+"-copy", "")
	if err := os.Rename(left+"-copy", left); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(t.Context(), left); err == nil {
		t.Error("the control, another file beside the log: got no error, want it refused")
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
