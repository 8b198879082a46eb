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
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// storeAndFile opens a store and its file, so that the test can write to the file. The file stays open
// until the store is closed, because closing it earlier would drop SQLite's locks.
func storeAndFile(t *testing.T) (s *Store, beside *os.File) {
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
	t.Cleanup(func() { _ = s.Close() }) // may fail, because the file was overwritten
	return s, beside
}

// otherDatabase returns the content of a Daybook database with other records.
func otherDatabase(t *testing.T) []byte {
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

// content returns the content of an open file.
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

// TestAFileThatIsOverwrittenIsNoticed: if somebody overwrites or truncates the file of a store, the next
// health check and the next write fail, until the file has its old content again. As a control, the name
// leads to the same file all the time, so only the content can reveal the change.
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
		"another database copied there":  func(t *testing.T, f *os.File, _ []byte) { overwrite(t, f, otherDatabase(t)) },
		"an older one of it copied back": overwrite,
		"something else copied there": func(t *testing.T, f *os.File, _ []byte) {
			overwrite(t, f, bytes.Repeat([]byte("not a database\n"), 10_000))
		},
	} {
		for state, prepare := range map[string]func(t *testing.T, s *Store){
			"all of the log copied": func(t *testing.T, s *Store) { copyLog(t, s, shortPause) },
			"a new log": func(t *testing.T, s *Store) {
				copyLog(t, s, shortPause)
				newCurrency(t, s, "LOG")
			},
			"the log copied without the first page": func(t *testing.T, s *Store) {
				_, reader := readAsItIs(t, s.file.Path)
				newCurrency(t, s, "LOG")
				copyLog(t, s, 0)
				if err := reader.Rollback(); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(name+", "+state, func(t *testing.T) {
				s, beside := storeAndFile(t)
				older := content(t, beside)
				sqlitetest.Fill(t, s)
				prepare(t, s)
				if err := s.Ping(t.Context()); err != nil { // notes what was copied
					t.Fatal(err)
				}
				good := content(t, beside)
				named, err := os.Stat(s.file.Path)
				if err != nil {
					t.Fatal(err)
				}
				harm(t, beside, older)
				if err := addCode(t, s, "AAA"); fault.KindOf(err) != fault.Unavailable {
					t.Errorf("a write to the overwritten file: got %v, want Unavailable", err)
				}
				if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
					t.Errorf("Ping: got %v, want Unavailable", err)
				}
				if now, err := os.Stat(s.file.Path); err != nil || !os.SameFile(named, now) {
					t.Errorf("the control: got another file with the name, or %v, want the same file", err)
				}
				overwrite(t, beside, good)
				if err := errors.Join(addCode(t, s, "BBB"), s.Ping(t.Context())); err != nil {
					t.Errorf("when the file has its old content: got %v, want no error", err)
				}
				if got := stored(t, s); got["AAA"] || !got["BBB"] {
					t.Errorf("got %v, want BBB stored and AAA not", got)
				}
			})
		}
	}
}

// copyLog copies the log into the database as far as readers allow. First the writer has ended what it does
// after a commit: it would begin the log again.
func copyLog(t *testing.T, s *Store, wait time.Duration) {
	t.Helper()
	for range 2 { // the second waits until the writer has received the first
		s.writer.log.gate.last <- struct{}{}
	}
	if _, err := checkpoint(s.writer.conn, wait); err != nil {
		t.Fatal(err)
	}
}

func addCode(t *testing.T, s *Store, code money.Currency) error {
	t.Helper()
	_, err := s.AddCurrency(t.Context(), trading.Currency{Code: code})
	return err
}

// TestAFileThatOnlySQLiteWritesIsGood: the monitor raises no alarm after writes that change nothing, or
// after writes of SQLite itself.
func TestAFileThatOnlySQLiteWritesIsGood(t *testing.T) {
	s, beside := storeAndFile(t)
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
			t.Errorf("case %d: got %v, want no error", i, err)
		}
	}
}

// TestCopyingTheLogOfAKillIsNoAlarm: after a kill, the log is first copied into the database. Until all
// of it is copied, changed pages of the database raise no alarm, because they can be from a copy that
// failed halfway. As a control, the same change raises an alarm after a complete copy.
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
	w, err := f.Monitor(t.Context(), head)
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

// TestAStoreCopiesTheLogOfAKillFirst: when a store opens, it first copies the log that a killed process
// left, and empties it. So its monitor can notice changes from then on, and Litestream reads nothing old
// behind the new transactions.
func TestAStoreCopiesTheLogOfAKillFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, Open, path)
	left := file.SizeOf(path + "-wal")
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if now := file.SizeOf(path + "-wal"); now >= left {
		t.Errorf("got a log of %d bytes, want one that is shorter than the %d that were left", now, left)
	}
	alone, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alone.Close() }()
	end, err := chain.End(t.Context(), gen.New(alone))
	if head, unread := s.JournalHead(t.Context()); err != nil || unread != nil || end != head || head.Seq == 0 || !s.writer.monitor.Copied() {
		t.Errorf("got the link %d in the file alone, %v, want %d, %v, since the log was copied", end.Seq, err, head.Seq, unread)
	}
}

// copyingOf returns how far the log was copied, as its index says.
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

// TestCopyingTheLogIsNoAlarm: two processes that write and copy the log all the time raise no alarm.
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

// TestHealthHasAConnectionOfItsOwn: a health check answers although all connections for lists and
// reports are in use.
func TestHealthHasAConnectionOfItsOwn(t *testing.T) {
	s := openStore(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	back := takeReaders(t, s)
	err := s.Ping(ctx)
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	_, inUse := s.reader.Ping(short)
	stop()
	back()
	_, free := s.reader.Ping(ctx)
	if err != nil || free != nil {
		t.Errorf("got %v, and from the pool with its connections back %v, want no error", err, free)
	}
	if inUse == nil {
		t.Error("the control: got an answer from a pool whose connections are all in use, want an error")
	}
}

// takeReaders takes every connection for lists and reports. back returns them.
func takeReaders(t *testing.T, s *Store) (back func()) {
	t.Helper()
	_, scannersBack := takeScanners(s)
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
			_ = conn.Close() // returns it to the pool
		}
	}
}
