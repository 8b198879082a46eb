package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// Beside a server whose log or index is gone, every other process refuses to write or read, and makes
// no new log: what the server has acknowledged is there after it ends. As controls, processes may write
// while both exist, and after the server has ended.
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
			t.Errorf("the control: got %v: %s, want it written", err, said)
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
				t.Errorf("got another %s, want none made", part)
			}
		}
		_ = s.Close() // says what is wrong
		if err := guarded.Release(); err != nil {
			t.Fatal(err)
		}
		if said, err := writeElsewhere(path, "CCC"); err != nil {
			t.Errorf("once nobody serves it: got %v: %s, want it written", err, said)
		}
		if got, want := codesIn(t, path), []money.Currency{"AAA", "CCC"}; !slices.Equal(got, want) {
			t.Errorf("without %v: got %v, want %v", removed, got, want)
		}
	}
}

// If the log was removed, a health check saves its content, so that another program may make a new log
// before the server ends.
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
		t.Errorf("got %v, want the log missed", err)
	}
	if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, file.ErrLogReplaced) {
		t.Errorf("got %v, want the other log named", err)
	}
	if got, want := codesIn(t, path), []money.Currency{"AAA"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// If the log was removed and a person copied a backup over the database, nothing of the log is copied
// into that file: not by a health check, not by a write, and not at the end.
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
			t.Cleanup(func() { _ = beside.Close() }) // sooner it would drop the locks of the store
			if _, err := beside.Write(content); err != nil {
				t.Fatal(err)
			}
			for _, part := range removed {
				if err := os.Remove(path + part); err != nil {
					t.Fatal(err)
				}
			}
			if err := look(s); !errors.Is(err, file.ErrOverwritten) {
				t.Errorf("%s without %v: got %v, want the other file named", what, removed, err)
			}
			if err := s.Close(); !errors.Is(err, file.ErrOverwritten) {
				t.Errorf("%s without %v: Close: got %v, want the other file named", what, removed, err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s without %v: the file that was copied there is changed, %v", what, removed, err)
			}
		}
	}
}

// codesIn are the currencies of a database that nobody has open.
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

// If another program has the database open, the server's connection is not the last one, at whose end
// SQLite copies the log. The content of a removed log is saved even then: if that program still reads
// the older state, it is in a new log. That program's reads are consistent.
func TestARemovedLogIsSavedBesideAReader(t *testing.T) {
	for _, reading := range []bool{false, true} {
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
		if reading {
			for what, err := range map[string]error{"a write": addCode(t, s, "CCC"), "Ping": s.Ping(t.Context())} {
				if err == nil || !strings.Contains(err.Error(), "another program reads the database as it was before") {
					t.Errorf("%s: got %v, want it said why it is not saved yet", what, err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("got %v, want it saved", err)
		}
		for _, when := range []string{"beside the reader", "after it"} {
			if got := codesIn(t, path); !slices.Contains(got, "AAA") || !slices.Contains(got, "BBB") || slices.Contains(got, "CCC") {
				t.Errorf("reading: %t, %s: got %v, want AAA and BBB", reading, when, got)
			}
			if err := sqlitetest.Verified(t.Context(), path); err != nil {
				t.Errorf("reading: %t, %s: %v", reading, when, err)
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

// While a reader needs the older state, nothing of a removed log is copied, because a part would be
// consistent only together with the log. As a control, SQLite itself copies a part.
func TestARemovedLogIsCopiedWholeOrNotAtAll(t *testing.T) {
	for _, ours := range []bool{true, false} {
		path := sqlitetest.RecordOfEach(t, Open)
		s, err := Open(t.Context(), path, today)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // it says that the log is gone
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
			t.Errorf("got %v, want the log missed", err)
		}
		if changed := !bytes.Equal(onDisk(t, s), was); changed == ours {
			t.Errorf("by this program: %t: the database was written to: %t", ours, changed)
		}
		if err := before.Rollback(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(t.Context()); !errors.Is(err, file.ErrLogRemoved) {
			t.Errorf("after the reader: got %v, want the log missed", err)
		}
		log, err := s.writer.conn.walCheckpoint("NOOP")
		if err != nil || log.pages != log.copied {
			t.Errorf("after the reader: got %+v, %v, want all copied", log, err)
		}
	}
}

// readAsItIs makes another program read the present state of a database and keep that snapshot.
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
