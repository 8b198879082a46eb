package cursor

import (
	"errors"
	"strings"
	"testing"
)

// kept is a row of the table that the tests insert into.
type kept struct {
	N    int64
	Text string
	None int64 // whether the third column is null
}

// TestRowsAreInserted: rows are inserted in their order, some with each run of the statement and the rest one by one,
// with texts of any length, and nulls.
func TestRowsAreInserted(t *testing.T) {
	c := open(t)
	if err := c.Exec("CREATE TEMP TABLE t (n INTEGER UNIQUE, text TEXT, other TEXT)"); err != nil {
		t.Fatal(err)
	}
	insert, err := PrepareInsert(c, "INSERT INTO t (n, text, other) VALUES (?, ?, ?)\n")
	if err != nil {
		t.Fatal(err)
	}
	const rows = 2*rowsAtOnce + 3
	long, short := strings.Repeat("é", 10_000), ""
	for n := range int64(rows) {
		other := &short
		if n%2 == 0 {
			other = nil
		}
		if err := insert.Add(n, long[:2*(n%7)], other); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(insert.Flush(), insert.Add(int64(rows), long, (*string)(nil)), insert.Flush()); err != nil {
		t.Fatal(err)
	}
	list, n := query[kept](t, c, "SELECT n, text, other IS NULL AS none FROM t ORDER BY rowid"), int64(0)
	for row, err := range list.All() {
		text := long[:2*(n%7)]
		if n == rows {
			text = long
		}
		if err != nil || row.N != n || row.Text != text || (row.None == 1) != (n%2 == 0 || n == rows) {
			t.Fatalf("row %d: got %v, %v", n, *row, err)
		}
		n++
	}
	if n != rows+1 {
		t.Errorf("got %d rows, want %d", n, rows+1)
	}
	if err := errors.Join(insert.Add(int64(0), "", ""), insert.Flush()); err == nil {
		t.Error("got no error for a row that is there")
	}
	if err := insert.Add("of one column"); err == nil {
		t.Error("got no error for a row of another width")
	}
	if err := insert.Close(); err != nil {
		t.Error(err)
	}
}

// TestBytesAreInsertedAndFound: bytes are inserted as such, and a query finds them, but not a text of the same bytes.
func TestBytesAreInsertedAndFound(t *testing.T) {
	c := open(t)
	if err := c.Exec("CREATE TEMP TABLE t (n INTEGER, raw BLOB CHECK (typeof(raw) = 'blob'))"); err != nil {
		t.Fatal(err)
	}
	insert, err := PrepareInsert(c, "INSERT INTO t (n, raw) VALUES (?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(rowsAtOnce + 3) {
		if err := insert.Add(n, []byte{byte(n), 0, 0xff}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(insert.Flush(), insert.Close()); err != nil {
		t.Fatal(err)
	}
	find := query[int64](t, c, "SELECT n + 1 AS n FROM t WHERE raw = ?")
	for _, n := range []byte{0, 5, rowsAtOnce + 2} {
		if got, err := find.Last([]byte{n, 0, 0xff}); err != nil || got != int64(n)+1 {
			t.Errorf("got %d, %v, want %d", got, err, n+1)
		}
		if got, err := find.Last(string([]byte{n, 0, 0xff})); err != nil || got != 0 {
			t.Errorf("a text: got %d, %v, want none", got, err)
		}
	}
}
