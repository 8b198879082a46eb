package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestARemovedLogGetsItsNameBack: if the log of a running server, or the index of the log, is removed,
// every process goes on with the same files. So nothing is lost that the server or another process has
// stored, also beside a program that reads an older state, or one that has made an empty log meanwhile.
// As a control, a server on a disk without hard links refuses to write.
func TestARemovedLogGetsItsNameBack(t *testing.T) {
	for _, removed := range [][]string{{"-wal"}, {"-shm"}, {"-wal", "-shm"}} {
		for choice := range 1 << 3 {
			links, reading, emptied := choice&1 == 0, choice&2 > 0, choice&4 > 0 && removed[0] == "-wal"
			t.Run(fmt.Sprintf("%v links %t reading %t emptied %t", removed, links, reading, emptied), func(t *testing.T) {
				path := sqlitetest.RecordOfEach(t, Open)
				guarded, s := served(t, path, links)
				if err := addCode(t, s, "AAA"); err != nil {
					t.Fatal(err)
				}
				reader, before := readAsItIs(t, path)
				if !reading {
					if err := before.Rollback(); err != nil {
						t.Fatal(err)
					}
				}
				if err := addCode(t, s, "BBB"); err != nil {
					t.Fatal(err)
				}
				was := same(t, path)
				removeParts(t, path, removed)
				if emptied {
					if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := addCode(t, s, "CCC"); (err == nil) != links {
					t.Fatalf("a write: got %v, want it stored: %t", err, links)
				}
				if !links {
					return
				}
				if said, err := writeElsewhere(path, "DDD"); err != nil {
					t.Errorf("another process: got %v: %s, want no error", err, said)
				}
				if now := same(t, path); !slices.EqualFunc(now, was, os.SameFile) {
					t.Error("got another log or index with the name, want the one that was removed")
				}
				if err := errors.Join(s.Ping(t.Context()), s.Close(), guarded.Release()); err != nil {
					t.Errorf("got %v, want no error", err)
				}
				for _, when := range []string{"beside the reader", "after it"} {
					if got := codesIn(t, path); !slices.Equal(got[len(got)-4:], []money.Currency{"AAA", "BBB", "CCC", "DDD"}) {
						t.Errorf("%s: got %v, want AAA to DDD", when, got)
					}
					if err := sqlitetest.Verified(t.Context(), path); err != nil {
						t.Errorf("%s: verify: got %v, want no findings", when, err)
					}
					_ = before.Rollback() // it may have ended
					if err := reader.Close(); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

// TestARemovedLogGetsItsNameBackWithoutARequest: the server looks for the name of its log by itself. A
// kill after that loses nothing. As a control, the database without its log has lost a currency.
func TestARemovedLogGetsItsNameBackWithoutARequest(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	_, s := served(t, path, true)
	if err := addCode(t, s, "AAA"); err != nil {
		t.Fatal(err)
	}
	removeParts(t, path, []string{"-wal"})
	if got := codesIn(t, copyOf(t, path, "")); slices.Contains(got, "AAA") {
		t.Errorf("the control: got %v, want no AAA", got)
	}
	for !file.Exists(path + "-wal") {
		time.Sleep(lookEvery / 10) // the test fails by its deadline
	}
	if got := codesIn(t, copyOf(t, path, "", "-wal")); !slices.Contains(got, "AAA") {
		t.Errorf("after a kill: got %v, want AAA", got)
	}
}

// copyOf copies parts of a database, as a kill would leave them.
func copyOf(t *testing.T, path string, parts ...string) string {
	t.Helper()
	left := filepath.Join(t.TempDir(), "left.db")
	for _, part := range parts {
		content, err := exec.CommandContext(t.Context(), "cat", path+part).Output() // this process would drop the locks of the store
		if err == nil {
			err = os.WriteFile(left+part, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return left
}

// TestSecondNamesEndWithTheServer: the second names of the log and its index are there while the server
// runs, also after somebody has removed them, and not after that. Those that a kill left are replaced.
func TestSecondNamesEndWithTheServer(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	seconds := []string{path + ".serve.wal", path + ".serve.shm"}
	for _, second := range seconds {
		if err := os.WriteFile(second, []byte("left by a kill"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	guarded, s := served(t, path, true)
	check := func(when string) {
		t.Helper()
		for i, first := range same(t, path) {
			if second, err := os.Stat(seconds[i]); err != nil || !os.SameFile(first, second) {
				t.Errorf("%s: got %v, %v, want it to be the log or its index", when, second, err)
			}
		}
	}
	check("at the start")
	if said, err := writeElsewhere(path, "AAA"); err != nil {
		t.Fatalf("another process: got %v: %s, want no error", err, said)
	}
	check("after another process has closed the database")
	for _, second := range seconds {
		if err := os.Remove(second); err != nil {
			t.Fatal(err)
		}
	}
	s.writer.monitor.KeepNames()
	check("after they were removed")
	if err := errors.Join(s.Close(), guarded.Release()); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(seconds, path+"-wal", path+"-shm") {
		if file.Exists(name) {
			t.Errorf("got %s after the end, want none", name)
		}
	}
}

// served opens a database as a server does, on a disk that has hard links or not.
func served(t *testing.T, path string, links bool) (*Guarded, *Store) {
	t.Helper()
	guarded, err := Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	guarded.file.SecondNames = links
	s, err := guarded.Open(t.Context(), today)
	if err == nil {
		err = guarded.Announce("unix:/run/daybook.sock")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(s.Close(), guarded.Release()) }) // both may have been called
	return guarded, s
}

// same returns the log of a database and the index of the log.
func same(t *testing.T, path string) (parts []os.FileInfo) {
	t.Helper()
	for _, part := range []string{"-wal", "-shm"} {
		info, err := os.Stat(path + part)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, info)
	}
	return parts
}

// removeParts removes files beside a database.
func removeParts(t *testing.T, path string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if err := os.Remove(path + part); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNobodyOpensADatabaseBesideAServerWithoutItsLog: if the log of a running server, or the index of
// the log, is removed, and has no second name, every other process refuses to write or read, and makes no
// new log. So the acknowledged writes of the server are stored when it ends. As controls, other processes
// can write while both files exist, and after the server has ended.
func TestNobodyOpensADatabaseBesideAServerWithoutItsLog(t *testing.T) {
	for _, removed := range [][]string{{"-wal"}, {"-shm"}, {"-wal", "-shm"}} {
		path := newFile(t)
		guarded, s := served(t, path, false)
		if said, err := writeElsewhere(path, "AAA"); err != nil {
			t.Errorf("the control: got %v: %s, want no error", err, said)
		}
		removeParts(t, path, removed)
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

// TestARemovedLogIsNotSavedIntoAnotherFile: if the log was removed, and somebody copied a backup over
// the database, then nothing of the log is copied into that file: not by a health check, not by a write,
// and not when the store closes.
func TestARemovedLogIsNotSavedIntoAnotherFile(t *testing.T) {
	for what, look := range map[string]func(s *Store) error{
		"Ping":  func(s *Store) error { return s.Ping(t.Context()) },
		"write": func(s *Store) error { return addCode(t, s, "LATE") },
		"Close": func(*Store) error { return file.ErrOverwritten },
	} {
		for i, removed := range [][]string{{"-wal"}, {"-wal", "-shm"}, {"-wal"}, {"-wal", "-shm"}} {
			links := i < 2
			path := sqlitetest.RecordOfEach(t, Open)
			backup, _ := sqlitetest.BackupOf(t, path)
			content, err := os.ReadFile(backup)
			if err != nil {
				t.Fatal(err)
			}
			_, s := served(t, path, links)
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
			removeParts(t, path, removed)
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

// TestARemovedLogIsCopiedWholeOrNotAtAll: a removed log without a second name is copied into the database
// when the store closes. While a reader needs the older state, nothing of it is copied: a part would be
// consistent only together with the rest of the log. As a control, SQLite's own checkpoint copies a part.
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
			err = s.writer.conn.saveLog()
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
		if err := s.Close(); err != nil {
			t.Errorf("Close after the reader: got %v, want no error", err)
		}
		if got := codesIn(t, path); !slices.Contains(got, "BBB") {
			t.Errorf("got %v, want BBB", got)
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
