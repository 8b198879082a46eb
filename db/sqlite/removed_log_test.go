package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/faultdisk"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestNobodyOpensADatabaseBesideAServerWithoutItsLog: if the log of a running server, or the index of
// the log, is removed, every other process refuses to write or read, and makes no new log. So the
// acknowledged writes of the server are stored when it ends. As controls, other processes can write
// while both files exist, and after the server has ended.
func TestNobodyOpensADatabaseBesideAServerWithoutItsLog(t *testing.T) {
	for _, removed := range [][]string{{"-wal"}, {"-shm"}, {"-wal", "-shm"}} {
		path := newFile(t)
		guarded, err := Guard(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := guarded.Open(t.Context(), today)
		if err != nil {
			t.Fatal(err)
		}
		if err := guarded.Announce("unix:/run/daybook.sock"); err != nil {
			t.Fatal(err)
		}
		if said, err := writeElsewhere(path, "AAA"); err != nil {
			t.Errorf("the control: got %v: %s, want no error", err, said)
		}
		for _, part := range removed {
			if err := os.Remove(path + part); err != nil {
				t.Fatal(err)
			}
		}
		var opening sync.WaitGroup
		for what, open := range map[string]func() error{
			"a write": func() error {
				said, err := writeElsewhere(path, "BBB")
				if err != nil {
					err = errors.New(string(said))
				}
				return err
			},
			"Verify": func() error { return sqlitetest.Verified(t.Context(), path) },
			"Backup": func() error {
				_, err := sqlitebackup.Backup(t.Context(), path, path+"-backup", "test", sqlitetest.Midday)
				return err
			},
			"Migrations": func() error { _, err := Migrations(t.Context(), path); return err },
			"Tokens":     func() error { _, err := Tokens(t.Context(), path); return err },
			"Lineages":   func() error { _, err := sqlitebackup.Lineages(t.Context(), path, nil); return err },
		} {
			opening.Go(func() {
				if err := open(); err == nil || !strings.Contains(err.Error(), "stop the server and start it again") {
					t.Errorf("%s without %v: got %v, want it refused", what, removed, err)
				}
			})
		}
		opening.Wait()
		for _, part := range removed {
			if file.Exists(path + part) {
				t.Errorf("got a new %s, want none", part)
			}
		}
		_ = s.Close() // returns an error, because of the log
		if err := guarded.Release(); err != nil {
			t.Fatal(err)
		}
		if said, err := writeElsewhere(path, "CCC"); err != nil {
			t.Errorf("after the server has ended: got %v: %s, want no error", err, said)
		}
		if got, want := codesIn(t, path), []money.Currency{"AAA", "CCC"}; !slices.Equal(got, want) {
			t.Errorf("without %v: got %v, want %v", removed, got, want)
		}
	}
}

// TestARemovedLogIsSavedBeforeAnotherIsMade: if the log was removed, a health check copies its content
// into the database. So nothing is lost if another program makes a new log before the server ends.
func TestARemovedLogIsSavedBeforeAnotherIsMade(t *testing.T) {
	path := newFile(t)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addCode(t, s, "AAA"), os.Remove(path+"-wal")); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, file.ErrLogRemoved) {
		t.Errorf("Ping: got %v, want ErrLogRemoved", err)
	}
	if err := os.WriteFile(path+"-wal", []byte("a log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, file.ErrLogReplaced) {
		t.Errorf("Close: got %v, want ErrLogReplaced", err)
	}
	if got, want := codesIn(t, path), []money.Currency{"AAA"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestARemovedLogIsNotSavedIntoAnotherFile: if the log was removed, and somebody copied a backup over
// the database, then nothing of the log is copied into that file: not by a health check, not by a write,
// and not when the store closes.
func TestARemovedLogIsNotSavedIntoAnotherFile(t *testing.T) {
	for what, look := range map[string]func(s *Store) error{
		"Ping":  func(s *Store) error { return s.Ping(t.Context()) },
		"write": func(s *Store) error { return addCode(t, s, "LATE") },
		"Close": func(*Store) error { return file.ErrOverwritten },
	} {
		for _, removed := range [][]string{{"-wal"}, {"-wal", "-shm"}} {
			path := sqlitetest.RecordOfEach(t, Open)
			backup, _ := sqlitetest.BackupOf(t, path)
			content, err := os.ReadFile(backup)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, today)
			if err != nil {
				t.Fatal(err)
			}
			for code := range 20 {
				if err := addCode(t, s, money.Currency(fmt.Sprintf("C%d", code))); err != nil {
					t.Fatal(err)
				}
			}
			beside, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0) // as cp does
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = beside.Close() }) // not earlier, because that would drop the locks of the store
			if _, err := beside.Write(content); err != nil {
				t.Fatal(err)
			}
			for _, part := range removed {
				if err := os.Remove(path + part); err != nil {
					t.Fatal(err)
				}
			}
			if err := look(s); !errors.Is(err, file.ErrOverwritten) {
				t.Errorf("%s without %v: got %v, want ErrOverwritten", what, removed, err)
			}
			if err := s.Close(); !errors.Is(err, file.ErrOverwritten) {
				t.Errorf("%s without %v: Close: got %v, want ErrOverwritten", what, removed, err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s without %v: got the copied file changed, %v, want it unchanged", what, removed, err)
			}
		}
	}
}

// codesIn returns the codes of the currencies of a database.
func codesIn(t *testing.T, path string) (codes []money.Currency) {
	t.Helper()
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // it was only read
	for c, err := range s.Currencies(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, c.Code)
	}
	return codes
}

// TestARemovedLogIsSavedBesideAReader: SQLite copies the log when the last connection closes. If another
// program still has the database open, the connection of the server is not the last one. The content of
// a removed log is saved also then. If that program still reads the older state, the content is saved in
// a new log, so its reads stay consistent. The same holds if a third program has made an empty log meanwhile.
func TestARemovedLogIsSavedBesideAReader(t *testing.T) {
	for i := range 4 {
		reading, emptied := i&1 > 0, i&2 > 0
		path := sqlitetest.RecordOfEach(t, Open)
		s, err := Open(t.Context(), path, today)
		if err != nil {
			t.Fatal(err)
		}
		if err := addCode(t, s, "AAA"); err != nil {
			t.Fatal(err)
		}
		reader, before := readAsItIs(t, path)
		if !reading {
			err = before.Rollback()
		}
		if err := errors.Join(err, addCode(t, s, "BBB"), os.Remove(path+"-wal")); err != nil {
			t.Fatal(err)
		}
		if emptied {
			err = os.WriteFile(path+"-wal", nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if reading {
			for what, err := range map[string]error{"a write": addCode(t, s, "CCC"), "Ping": s.Ping(t.Context())} {
				if err == nil || !strings.Contains(err.Error(), "another program reads the database as it was before") {
					t.Errorf("%s: got %v, want an error that says why the log is not saved yet", what, err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close: got %v, want no error, because the log is saved", err)
		}
		for _, when := range []string{"beside the reader", "after it"} {
			if got := codesIn(t, path); !slices.Contains(got, "AAA") || !slices.Contains(got, "BBB") || slices.Contains(got, "CCC") {
				t.Errorf("reading %t, an empty log %t, %s: got %v, want AAA and BBB, and not CCC", reading, emptied, when, got)
			}
			if err := sqlitetest.Verified(t.Context(), path); err != nil {
				t.Errorf("reading %t, an empty log %t, %s: verify: got %v, want no findings", reading, emptied, when, err)
			}
			if when == "after it" {
				break
			}
			_ = before.Rollback() // it may have ended
			if err := reader.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestARemovedLogIsCopiedWholeOrNotAtAll: while a reader needs the older state, nothing of a removed log
// is copied into the database. A part of it would be consistent only together with the rest of the log.
// As a control, SQLite's own checkpoint copies a part.
func TestARemovedLogIsCopiedWholeOrNotAtAll(t *testing.T) {
	for _, ours := range []bool{true, false} {
		path := sqlitetest.RecordOfEach(t, Open)
		s, err := Open(t.Context(), path, today)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // may return an error, because the log is removed
		if _, err := s.AddCompany(t.Context(), trading.Company{Name: "Early"}); err != nil {
			t.Fatal(err)
		}
		_, before := readAsItIs(t, path)
		if err := errors.Join(addCode(t, s, "BBB"), os.Remove(path+"-wal")); err != nil {
			t.Fatal(err)
		}
		was := onDisk(t, s)
		if ours {
			err = s.Ping(t.Context())
		} else if _, err = s.writer.conn.walCheckpoint("PASSIVE"); err == nil {
			err = file.ErrLogRemoved
		}
		if !errors.Is(err, file.ErrLogRemoved) {
			t.Errorf("got %v, want ErrLogRemoved", err)
		}
		if changed := !bytes.Equal(onDisk(t, s), was); changed == ours {
			t.Errorf("copied by this program: %t: got the database changed: %t, want %t", ours, changed, !ours)
		}
		if err := before.Rollback(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(t.Context()); !errors.Is(err, file.ErrLogRemoved) {
			t.Errorf("after the reader: got %v, want ErrLogRemoved", err)
		}
		log, err := s.writer.conn.walCheckpoint("NOOP")
		if err != nil || log.pages != log.copied {
			t.Errorf("after the reader: got %+v, %v, want all pages copied", log, err)
		}
	}
}

// TestARemovedLogIsNotCopiedToAFullDisk: if the disk has no room for the database with all of a removed log,
// nothing of the log is copied. If the log cannot be put back either, the server tells it, and waits. When there is room
// again, it stores everything. As a control, SQLite's own checkpoint copies a part.
func TestARemovedLogIsNotCopiedToAFullDisk(t *testing.T) {
	for _, ours := range []bool{true, false} {
		disk := faultdisk.New()
		t.Cleanup(disk.Close)
		f := file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: "FULL", Schema: schema.Released}
		var said []string
		room := file.WithNotice(t.Context(), func(sentence string) { said = append(said, sentence); disk.Lift() })
		s, err := OpenFile(room, f, today)
		if err != nil {
			t.Fatal(err)
		}
		trade := trading.Trade{Instrument: trading.Instrument{Symbol: "A", Currency: "USD"}, Shares: 1, Side: trading.Buy, Date: today()}
		if _, err := s.AddTrades(t.Context(), slices.Repeat([]trading.Trade{trade}, 2_000)); err != nil { // so that the file grows by more than one write
			t.Fatal(err)
		}
		// The draft of the log cannot be made beside a folder of its name.
		if err := errors.Join(addCode(t, s, "AAA"), os.Remove(f.Path+"-wal"), os.MkdirAll(f.Path+file.LogDraft+"/in", 0o700)); err != nil {
			t.Fatal(err)
		}
		disk.Fail(faultdisk.Fault{Kind: faultdisk.Grow, File: "app.db", Nth: 2, Code: sqlite3.SQLITE_FULL, Lasts: true})
		was := onDisk(t, s)
		if !ours {
			_, err = s.writer.conn.walCheckpoint("PASSIVE")
		} else if err = s.Ping(t.Context()); !errors.Is(err, file.ErrLogRemoved) {
			t.Errorf("Ping: got %v, want ErrLogRemoved", err)
		}
		if changed := !bytes.Equal(onDisk(t, s), was); changed == ours {
			t.Errorf("copied by this program: %t: got the database changed: %t, %v, want %t", ours, changed, err, !ours)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close: got %v, want no error", err)
		}
		if len(said) != 1 || !strings.Contains(said[0], "make room on the disk") {
			t.Errorf("got the notices %q, want one that asks for room", said)
		}
		if err := os.RemoveAll(f.Path + file.LogDraft); err != nil {
			t.Fatal(err)
		}
		if got, want := codesIn(t, f.Path), []money.Currency{"AAA"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := sqlitetest.Verified(t.Context(), f.Path); err != nil {
			t.Errorf("verify: got %v, want no findings", err)
		}
	}
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

// onDisk returns the content of the database file on the disk, without its log.
func onDisk(t *testing.T, s *Store) (content []byte) {
	t.Helper()
	err := s.writer.conn.below(func(conn *cursor.Conn) error {
		size, err := conn.DiskSize()
		if err != nil {
			return err
		}
		content = make([]byte, size)
		return conn.ReadDisk(content, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	return content
}
