package sqlite

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// changedByte returns a database with one byte of its file changed.
func changedByte(t *testing.T, at int, to byte) string {
	t.Helper()
	content, err := os.ReadFile(sqlitetest.RecordOfEach(t, Open))
	if err != nil {
		t.Fatal(err)
	}
	content[at] = to
	return sqlitetest.FileOf(t, content)
}

// TestADatabaseThatCanOnlyBeRead: the writer does not open a database that SQLite can only read. As a
// control, it opens the unchanged file.
func TestADatabaseThatCanOnlyBeRead(t *testing.T) {
	f, err := file.Locate(changedByte(t, 18, 3))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := connect(t.Context(), f); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v, want an error that the file is read-only", err)
		_ = c.close()
	}
	if f, err = file.Locate(changedByte(t, 18, 2)); err != nil {
		t.Fatal(err)
	}
	c, err := connect(t.Context(), f)
	if err != nil {
		t.Fatalf("the control: got %v, want no error", err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

// TestAWriterThatCanOnlyRead: on a file that it can only read, SQLite begins a transaction and refuses
// the first statement that writes. The store counts that as a failed transaction, as /ready needs, and
// the next write opens a new connection. As a control, a request that is refused for another reason does
// neither.
func TestAWriterThatCanOnlyRead(t *testing.T) {
	s := openStore(t)
	if err := addCode(t, s, "AAA"); err != nil {
		t.Fatal(err)
	}
	conn := s.writer.conn
	if err := addCode(t, s, "AAA"); err == nil || s.writer.conn != conn || failingFor(s) != 0 {
		t.Errorf("the control: got %v, want it refused with the same connection and no failed transaction", err)
	}
	if err := s.writer.write(t.Context(), readOnlyWork(conn)); err == nil || fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v, want an error that the file is read-only", err)
	}
	for tries := 0; failingFor(s) == 0; tries++ { // it is counted after the answer
		if tries == 10_000 {
			t.Fatal("got the transaction counted as successful, want it counted as failed")
		}
		time.Sleep(time.Millisecond)
	}
	if err := addCode(t, s, "BBB"); err != nil {
		t.Errorf("the next write: got %v, want no error", err)
	}
}

// failingFor returns how long transactions have failed, measured a second after today.
func failingFor(s *Store) time.Duration {
	return s.writer.failing.span(today().Add(time.Second))
}

// readOnlyWork returns work that fails as every write fails to a file that SQLite can only read.
func readOnlyWork(conn *connection) work {
	return func(context.Context, *tx) error {
		return cmp.Or(conn.exec("PRAGMA query_only = ON"), conn.exec("DELETE FROM currencies"))
	}
}

// TestARequestThatCanOnlyRead: such a request ends the whole transaction, also if each request has a
// savepoint.
func TestARequestThatCanOnlyRead(t *testing.T) {
	s := openStore(t)
	b := &group{conn: s.writer.conn, now: today, careful: true}
	if err := b.begin(); err != nil {
		t.Fatal(err)
	}
	b.run(&request{ctx: t.Context(), done: make(chan error, 1), work: readOnlyWork(b.conn)})
	if !sqlerr.IsReadOnly(b.lost) {
		t.Errorf("got %v, want the read-only error as the loss of the transaction", b.lost)
	}
	if err := b.finish(); !sqlerr.Distrusts(err) {
		t.Errorf("got %v, want an error after which the connection is closed", err)
	}
	if err := b.exec("PRAGMA query_only = OFF"); err != nil {
		t.Error(err)
	}
}

// TestTheHeaderSetsNoCache: the header of a file cannot set how much memory a connection uses for its
// cache.
func TestTheHeaderSetsNoCache(t *testing.T) {
	t.Parallel()
	path := sqlitetest.NewSpecimen(t, Open).Planted(t, "PRAGMA default_cache_size = 1000000000")
	store, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	for name, want := range map[string]string{"reader": "-2000", "scanner": "-2000", "writer": "-16384"} {
		var got string
		var err error
		switch name {
		case "reader":
			err = store.reading.QueryRowContext(t.Context(), "PRAGMA cache_size").Scan(&got)
		case "writer":
			err = store.writer.conn.conn.QueryRowContext(t.Context(), "PRAGMA cache_size").Scan(&got)
		default:
			err = store.scan(t.Context(), func(s *scanner) (err error) {
				size, err := cursor.Prepare[string](s.conn, "PRAGMA cache_size")
				if err == nil {
					got, err = size.Last()
				}
				return errors.Join(err, size.Close())
			})
		}
		if err != nil || got != want {
			t.Errorf("a %s: got %s, %v, want %s", name, got, err, want)
		}
	}
}
