package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// copyLog copies the log into the database as far as readers allow. First the writer has ended what it does
// after a commit: it would begin the log again.
func copyLog(t *testing.T, s *Store) {
	t.Helper()
	for range 2 { // the second waits until the writer has received the first
		s.writer.log.gate.last <- struct{}{}
	}
	if _, err := checkpoint(s.writer.conn, 0); err != nil {
		t.Fatal(err)
	}
}

func addCode(t *testing.T, s *Store, code money.Currency) error {
	t.Helper()
	_, err := s.AddCurrency(t.Context(), trading.Currency{Code: code})
	return err
}

// TestAFileThatOnlySQLiteWritesIsGood: the monitor raises no alarm after writes of another program through
// SQLite, and after copies of the log.
func TestAFileThatOnlySQLiteWritesIsGood(t *testing.T) {
	s := openStore(t)
	sqlitetest.Fill(t, s)
	for i, harmless := range []func() error{
		func() error { _, err := checkpoint(s.writer.conn, 0); return err },
		func() error { _, err := checkpoint(s.writer.conn, shortPause); return err },
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

// TestRecordsThatAreReplacedAreNoticed: another program can replace all records through SQLite, as with its
// backup interface. Then the newest link of the journal is another, which a health check notices.
func TestRecordsThatAreReplacedAreNoticed(t *testing.T) {
	s, specimen := opened(t, newFile(t), today), sqlitetest.NewSpecimen(t, Open)
	if err := errors.Join(addCode(t, s, "AAA"), s.Ping(t.Context())); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, s.file.Path, specimen.Quietly("journal_links", "UPDATE journal_links SET hash = zeroblob(32)")...)
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "another program replaced its records") {
		t.Errorf("got %v, want Unavailable, with the reason", err)
	}
}

// TestAnIndexThatIsRemovedIsNoticed: if the index of the log is removed, the next health check and the
// next write fail. The commits that another process then appends to the log are still stored after the
// store closes.
func TestAnIndexThatIsRemovedIsNoticed(t *testing.T) {
	path := newFile(t)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a second time does nothing
	if err := addCode(t, s, "AAA"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + "-shm"); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping without the index: got %v, want Unavailable", err)
	}
	if said, err := writeElsewhere(path, "BBB"); err != nil {
		t.Fatalf("another process: got %v: %s, want it written", err, said)
	}
	if err := addCode(t, s, "CCC"); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a write beside a new index: got %v, want Unavailable", err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping beside a new index: got %v, want Unavailable", err)
	}
	if err := s.Close(); err == nil {
		t.Error("Close: got no error, want one")
	}
	again, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if got := stored(t, again); !got["AAA"] || !got["BBB"] || got["CCC"] {
		t.Errorf("got %v, want AAA and BBB, which were acknowledged, and not CCC", got)
	}
}

// The environment variables of TestWriteElsewhere: the database that it writes to, and the code that it
// adds.
const (
	elsewherePath = "DAYBOOK_TEST_ELSEWHERE"
	elsewhereCode = "DAYBOOK_TEST_ELSEWHERE_CODE"
)

// writeElsewhere adds a currency in another process, because SQLite shares the index within one
// process. It returns the output of the process.
func writeElsewhere(path string, code money.Currency) (said []byte, err error) {
	write := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^TestWriteElsewhere$")
	write.Env = append(os.Environ(), elsewherePath+"="+path, elsewhereCode+"="+string(code))
	return write.CombinedOutput()
}

// TestWriteElsewhere is the process that writeElsewhere starts. Otherwise it does nothing.
func TestWriteElsewhere(t *testing.T) {
	path := os.Getenv(elsewherePath)
	if path == "" {
		return
	}
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addCode(t, s, money.Currency(os.Getenv(elsewhereCode))), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestARefusedDatabaseKeepsItsLog: a database whose journal ends with a wrong link is refused, and
// closing the connection does not copy the log into it. As a control, a log that is accepted is copied.
func TestARefusedDatabaseKeepsItsLog(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		from := filepath.Join(t.TempDir(), "app.db")
		sqlitetest.Crashed(t, Open, from)
		other, err := sql.Open("sqlite", from)
		if err != nil {
			t.Fatal(err)
		}
		statement := "UPDATE departments SET name = name"
		if wrong {
			statement = "INSERT INTO journal_links (through, hash) SELECT max(through) + 1, zeroblob(32) FROM journal_links"
		}
		if _, err := other.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		path := copyParts(t, from, filepath.Join(t.TempDir(), "app.db"), "", "-wal")
		if err := errors.Join(os.WriteFile(path+file.LockFile, []byte("number "+fmt.Sprintf("%08x", numberIn(t, path))+"\n"), 0o600), other.Close()); err != nil {
			t.Fatal(err)
		}
		before := [2]int64{file.SizeOf(path), file.SizeOf(path + "-wal")}
		s, err := Open(t.Context(), path, today)
		if (err != nil) != wrong {
			t.Fatalf("a wrong link %t: Open: got %v, want an error only then", wrong, err)
		}
		if err == nil {
			err = s.Close()
		} else if strings.Contains(err.Error(), "the end of the journal is damaged") {
			err = nil
		}
		if after := [2]int64{file.SizeOf(path), file.SizeOf(path + "-wal")}; err != nil || (after == before) != wrong {
			t.Errorf("a wrong link %t: got %v, and sizes of file and log %d after %d, want them unchanged: %t", wrong, err, after, before, wrong)
		}
	}
}

// TestAStoreCopiesTheLogOfAKillFirst: when a store opens, it first copies the log that a killed process
// left, and empties it. So Litestream reads nothing old behind the new transactions.
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
	if head, unread := s.JournalHead(t.Context()); err != nil || unread != nil || end != head || head.Seq == 0 {
		t.Errorf("got the link %d in the file alone, %v, want %d, %v, since the log was copied", end.Seq, err, head.Seq, unread)
	}
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
