package sqlite

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
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

// TestAHeaderThatSQLiteDoesNotWrite: SQLite accepts some headers that it would never write, and then
// only reads the file, or fails later. Verify and Open refuse such a file, and a restore can replace it.
// As a control, the unchanged file is good.
func TestAHeaderThatSQLiteDoesNotWrite(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open))
	for _, c := range []struct {
		at   int
		to   byte
		want string
	}{
		{18, 2, ""}, // the control
		{18, 3, "version 3 for writing and 2 for reading"},
		{18, 1, "version 1 for writing and 2 for reading"},
		{47, 1, "schema format 1, not 4"},
		{47, 5, "unsupported file format"}, // the text of SQLite
		{56, 1, "text encoding 16777217, not 1"},
		{59, 5, "text encoding 5, not 1"},
		{67, 1, "vacuumed in steps"},
		{72, 1, "bytes 72 to 91"},
	} {
		path := changedByte(t, c.at, c.to)
		v, err := verify.Database(t.Context(), path, nil)
		if c.want == "" {
			if err != nil || len(v.Findings) > 0 {
				t.Errorf("the control: got %v, %v, want nothing", v.Findings, err)
			}
			continue
		}
		if err == nil || fault.KindOf(err) != fault.Unavailable && !strings.Contains(c.want, "unsupported") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d is %d: verify: got %v, want %q", c.at, c.to, err, c.want)
		}
		if s, err := Open(t.Context(), path, time.Now); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d is %d: Open: got %v, want %q", c.at, c.to, err, c.want)
			if err == nil {
				_ = s.Close()
			}
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sqlitebackup.Restore(t.Context(), good, path, nil, sqlitetest.Midday)
		if err != nil {
			t.Errorf("byte %d is %d: restore: got %v, want no error", c.at, c.to, err)
			continue
		}
		if got := sqlitetest.Found(t, path); len(got) > 0 {
			t.Errorf("byte %d is %d: the restored database: got %q, want no findings", c.at, c.to, got)
		}
		// SQLite ends the WAL mode of most of these files, which changes the header.
		if got, err := os.ReadFile(r.Aside); err != nil || !slices.Equal(got[100:4096], before[100:4096]) {
			t.Errorf("byte %d is %d: got another file aside, %v, want the old one", c.at, c.to, err)
		}
	}
}

// TestAHiddenHeaderIsRefused: a view with the name of the table by which SQLite shows its pages is refused,
// and not read.
func TestAHiddenHeaderIsRefused(t *testing.T) {
	for _, view := range []string{
		"CREATE VIEW SQLite_dbpage AS SELECT 1 AS pgno, x'00' AS data",
		"CREATE VIEW sqlite_dbpage AS WITH RECURSIVE n (pgno, data) AS (SELECT 0, 0 UNION ALL SELECT 0, 0 FROM n) SELECT pgno, data FROM n",
	} {
		path := sqlitetest.RecordOfEach(t, Open)
		sqlitetest.BehindItsBack(t, path, "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('view', 'sqlite_dbpage', 'sqlite_dbpage', 0, '"+strings.ReplaceAll(view, "'", "''")+"')")
		if s, err := Open(t.Context(), path, time.Now); err == nil || !strings.Contains(err.Error(), "reserved name") {
			t.Errorf("%s: got %v, want it refused for its name", view, err)
			if err == nil {
				_ = s.Close()
			}
		}
	}
}

// TestADatabaseThatCanOnlyBeRead: the writer does not open a database that SQLite can only read. As a
// control, it opens the unchanged file.
func TestADatabaseThatCanOnlyBeRead(t *testing.T) {
	f, err := file.Locate(changedByte(t, 18, 3), verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := connect(t.Context(), f); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v, want an error that the file is read-only", err)
		_ = c.close()
	}
	if f, err = file.Locate(changedByte(t, 18, 2), verify.Whole); err != nil {
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
	b := &batch{conn: s.writer.conn, now: today, careful: true}
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
