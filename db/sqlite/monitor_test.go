package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// scribbled opens a store on a file that the test can write to beside it. The file stays open
// until the store is closed: to close it earlier would drop SQLite's locks.
func scribbled(t *testing.T) (s *Store, beside *os.File) {
	t.Helper()
	path := newFile(t)
	beside, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	if s, err = Open(t.Context(), path, today); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a file that was overwritten may not take what is left
	return s, beside
}

// another returns a Daybook database with other records.
func another(t *testing.T) []byte {
	t.Helper()
	path := newFile(t)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	if err := addCode(t, s, "OTHER"); err != nil {
		t.Fatal(err)
	}
	sqlitetest.Fill(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// content is all of an open file.
func content(t *testing.T, f *os.File) []byte {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]byte, info.Size())
	if _, err := f.ReadAt(all, 0); err != nil {
		t.Fatal(err)
	}
	return all
}

// overwrite replaces the content of a file, as cp does.
func overwrite(t *testing.T, f *os.File, with []byte) {
	t.Helper()
	err := f.Truncate(0)
	_, wrong := f.WriteAt(with, 0)
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
}

// The next check and the next write notice that somebody overwrote or truncated the file of a store.
// They refuse it until it is again what it was. As a control, its name leads to the same file all the
// time.
func TestAFileThatIsOverwrittenIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, f *os.File, older []byte){
		"the first 8 KiB zeroed": func(t *testing.T, f *os.File, _ []byte) {
			if _, err := f.WriteAt(make([]byte, 8<<10), 0); err != nil {
				t.Fatal(err)
			}
		},
		"cut off": func(t *testing.T, f *os.File, _ []byte) {
			if err := f.Truncate(int64(len(content(t, f)) / 2)); err != nil {
				t.Fatal(err)
			}
		},
		"emptied":                        func(t *testing.T, f *os.File, _ []byte) { overwrite(t, f, nil) },
		"another database copied there":  func(t *testing.T, f *os.File, _ []byte) { overwrite(t, f, another(t)) },
		"an older one of it copied back": overwrite,
		"something else copied there": func(t *testing.T, f *os.File, _ []byte) {
			overwrite(t, f, bytes.Repeat([]byte("not a database\n"), 10_000))
		},
	} {
		for _, copied := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, the log copied before: %v", name, copied), func(t *testing.T) {
				s, beside := scribbled(t)
				older := content(t, beside)
				sqlitetest.Fill(t, s)
				if _, err := checkpoint(s.writer.conn, shortPause); err != nil {
					t.Fatal(err)
				}
				if !copied {
					if err := addCode(t, s, "LOG"); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Ping(t.Context()); err != nil { // takes down what was copied
					t.Fatal(err)
				}
				good := content(t, beside)
				named, err := os.Stat(s.file.Path)
				if err != nil {
					t.Fatal(err)
				}
				harm(t, beside, older)
				if err := addCode(t, s, "AAA"); fault.KindOf(err) != fault.Unavailable {
					t.Errorf("a write to what was overwritten: got %v, want it refused", err)
				}
				if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
					t.Errorf("Ping: got %v, want Unavailable", err)
				}
				if now, err := os.Stat(s.file.Path); err != nil || !os.SameFile(named, now) {
					t.Errorf("the control: got another file under the name, or %v", err)
				}
				overwrite(t, beside, good)
				if err := errors.Join(addCode(t, s, "BBB"), s.Ping(t.Context())); err != nil {
					t.Errorf("when the file is what it was: got %v, want it written to", err)
				}
				if got := stored(t, s); got["AAA"] || !got["BBB"] {
					t.Errorf("got %v, want BBB stored and AAA not", got)
				}
			})
		}
	}
}

func addCode(t *testing.T, s *Store, code money.Currency) error {
	t.Helper()
	_, err := s.AddCurrency(t.Context(), trading.Currency{Code: code})
	return err
}

// Writes that change nothing, and writes of SQLite itself, are not taken for an overwritten file.
func TestAFileThatOnlySQLiteWritesIsGood(t *testing.T) {
	s, beside := scribbled(t)
	sqlitetest.Fill(t, s)
	for i, harmless := range []func() error{
		func() error { return os.Chtimes(s.file.Path, time.Time{}, time.Unix(1, 0)) },
		func() error { return os.Chmod(s.file.Path, 0o640) },
		func() error { _, err := checkpoint(s.writer.conn, 0); return err },
		func() error { _, err := checkpoint(s.writer.conn, shortPause); return err },
		func() error { _, err := beside.WriteAt(content(t, beside), 0); return err },
		func() error {
			tool, err := sql.Open("sqlite", s.file.Path)
			if err == nil {
				_, err = tool.ExecContext(t.Context(), "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (zeroblob(100000)); DROP TABLE theirs; VACUUM")
			}
			return errors.Join(err, tool.Close())
		},
	} {
		if err := harmless(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Ping(t.Context()), addCode(t, s, money.Currency(fmt.Sprintf("C%02d", i))), s.Ping(t.Context())); err != nil {
			t.Errorf("case %d: got %v, want the file found good", i, err)
		}
	}
}

// A store that opens a database after a kill copies the log before it watches the file. If the copy
// fails halfway, the pages that it wrote raise no alarm. As a control, the same pages raise one after a
// complete copy.
func TestCopyingTheLogOfAKillIsNoAlarm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, Open, path)
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connect(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.close() }()
	head, err := chain.Head(conn.queries.JournalHead(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Monitor(head)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	beside, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = beside.Close() }()
	for _, pages := range []struct {
		text  string
		alarm bool
	}{{"written by half of a copy", false}, {"written by another program", true}} {
		if _, err := beside.WriteAt([]byte(pages.text), 4096-100); err != nil {
			t.Fatal(err)
		}
		if err := w.Check(t.Context()); errors.Is(err, file.ErrOverwritten) != pages.alarm {
			t.Errorf("%s: got %v, want an alarm: %v", pages.text, err, pages.alarm)
		}
		if _, err := checkpoint(conn, 0); err != nil {
			t.Fatal(err)
		}
		w.AfterTransaction()
	}
}

// A store first copies the log that a killed process left. After that it notices foreign changes as
// usual.
func TestAStoreCopiesTheLogOfAKillFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, Open, path)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if copying := copyingOf(t, s); copying.Done == 0 || copying.Done != copying.Begun || !s.writer.monitor.Copied() {
		t.Errorf("got %+v, want a log that was copied", copying)
	}
}

// copyingOf reads from the index of the log how far the log was copied.
func copyingOf(t *testing.T, s *Store) cursor.Copying {
	t.Helper()
	conn := cursorOn(t, s)
	copying, err := conn.Copying()
	if err != nil {
		t.Fatal(err)
	}
	return copying
}

// cursorOn opens a connection that has read the database once, so that it has the log and its index open.
func cursorOn(t *testing.T, s *Store) *cursor.Conn {
	t.Helper()
	conn, err := cursor.Open(s.file.DSN(url.Values{"mode": {"ro"}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.Value("SELECT count(*) FROM currencies"); err != nil {
		t.Fatal(err)
	}
	return conn
}

// Two processes that write and copy the log all the time never raise an alarm.
func TestCopyingTheLogIsNoAlarm(t *testing.T) {
	s, other := openTwice(t)
	stop := make(chan struct{})
	var looking sync.WaitGroup
	for _, one := range []*Store{s, other} {
		for range 2 {
			looking.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := one.Ping(t.Context()); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	var writing sync.WaitGroup
	for k, one := range []*Store{s, other} {
		writing.Go(func() {
			for i := range 50 {
				if err := addCode(t, one, money.Currency(fmt.Sprintf("C%d%03d", k, i))); err != nil {
					t.Error(err)
					return
				}
				if _, err := checkpoint(one.writer.conn, time.Duration(i%2)*shortPause); err != nil && sqlerr.Code(err)&0xff != sqlite3.SQLITE_LOCKED {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	looking.Wait()
}

// Health waits for no read: with every connection of every pool taken it answers.
func TestHealthHasAConnectionOfItsOwn(t *testing.T) {
	s := openStore(t)
	defer takeReaders(t, s)()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Ping(ctx); err != nil {
		t.Errorf("got %v, want an answer", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.reader.Ping(gone); err == nil {
		t.Error("the control: got an answer from a pool that is taken, want it to wait")
	}
}

// takeReaders takes every connection that lists and reports read with. back hands them back.
func takeReaders(t *testing.T, s *Store) (back func()) {
	t.Helper()
	_, scannersBack := taken(s)
	conns := make([]*sql.Conn, s.reading.Stats().MaxOpenConnections)
	for i := range conns {
		var err error
		if conns[i], err = s.reading.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		scannersBack()
		for _, conn := range conns {
			_ = conn.Close() // hands it back
		}
	}
}
