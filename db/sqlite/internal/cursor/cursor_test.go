package cursor

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// open opens an empty database in memory.
func open(t *testing.T) *Conn {
	t.Helper()
	c, err := Open("file::memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// query compiles a query.
func query[T any](t *testing.T, c *Conn, text string) *Query[T] {
	t.Helper()
	q, err := Prepare[T](c, text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// pair is a row of two columns.
type pair struct {
	N int64
	S string
}

// TestValuesAreReadAsTheyWereBound: integers and texts that are bound to a query are read back unchanged.
func TestValuesAreReadAsTheyWereBound(t *testing.T) {
	rows := query[pair](t, open(t), "SELECT ? AS n, ? AS s")
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		for _, text := range []string{"", "ACME", "Zürich", "a\x00b", "\xff", strings.Repeat("long", 5_000)} {
			if got, err := rows.Last(n, text); err != nil || got != (pair{n, text}) {
				t.Errorf("got %d, %.20q, %v, want %d, %.20q", got.N, got.S, err, n, text)
			}
		}
	}
	if _, err := rows.Last(1.5); err == nil {
		t.Error("got a float bound, want it refused")
	}
	if got, err := query[bool](t, rows.conn, "SELECT 1").Last(); !got || err != nil {
		t.Errorf("got %t, %v, want true", got, err)
	}
}

// TestAColumnWithoutAValueIsNil: a pointer is nil where the column has no value, and each row has values of its own.
func TestAColumnWithoutAValueIsNil(t *testing.T) {
	type optional struct {
		N *int64
		S *string
	}
	rows := query[optional](t, open(t), "SELECT column1 AS n, column2 AS s FROM (VALUES (7, 'a'), (NULL, 'b'), (0, NULL), (8, ''))")
	var got []optional
	for row, err := range rows.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *row)
	}
	want := []optional{{new(int64(7)), new("a")}, {nil, new("b")}, {new(int64(0)), nil}, {new(int64(8)), new("")}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAColumnOfAnotherTypeIsAnError: reading a value as another type ends the query with an error that
// says that the file is damaged. The query can then run again.
func TestAColumnOfAnotherTypeIsAnError(t *testing.T) {
	c := open(t)
	for _, wrong := range []struct{ value, want string }{
		{"NULL", "no integer"}, {"'text'", "no integer"}, {"x'00'", "no integer"}, {"0.5", "no integer"},
	} {
		rows := query[int64](t, c, "SELECT column1 FROM (VALUES ("+wrong.value+"), (7))")
		for range 2 {
			isDamage(t, wrong.value, wrong.want, func() error { _, err := rows.Last(); return err })
		}
	}
	isDamage(t, "NULL", "no text", func() error { _, err := query[string](t, c, "SELECT NULL").Last(); return err })
	isDamage(t, "another column", "no integer", func() (last error) {
		rows := query[int64](t, c, "SELECT 1, 'text'")
		for _, err := range rows.All() {
			last = err
			rows.Int(1)
		}
		return last
	})
}

// isDamage checks that a read returns an error that says that the file is damaged.
func isDamage(t *testing.T, name, want string, read func() error) {
	t.Helper()
	err := read()
	if failure, is := errors.AsType[*Error](err); !is || failure.Code() != sqlite3.SQLITE_CORRUPT || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, want %s", name, err, want)
	}
}

// few is a query of the numbers from 1 to 10. It returns those above the first parameter, at most as
// many as the second parameter says.
const few = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n WHERE i > ? LIMIT ?"

// TestAQueryIsAskedAgain: a compiled query can run again with other parameters, also after a reading that
// was left early. SQLite does not plan it again, because Open calls keepPlans.
func TestAQueryIsAskedAgain(t *testing.T) {
	rows := query[int64](t, open(t), few)
	for _, c := range []struct {
		after, most int64
		want        []int64
	}{{0, 3, []int64{1, 2, 3}}, {8, 3, []int64{9, 10}}, {10, 3, nil}, {0, 1, []int64{1}}} {
		var got []int64
		for n, err := range rows.All(c.after, c.most) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, *n)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("after %d, at most %d: got %v, want %v", c.after, c.most, got, c.want)
		}
		for _, err := range rows.All(int64(0), int64(3)) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if !rows.conn.Idle() {
			t.Error("got a query that still runs, want it ended with its loop")
		}
	}
	if got := sqlite3.Xsqlite3_stmt_status(rows.conn.tls, rows.handle, sqlite3.SQLITE_STMTSTATUS_REPREPARE, 0); got != 0 {
		t.Errorf("got the query planned %d times again, want 0", got)
	}
}

// TestErrorsOfSQLite: a statement that fails returns the error code of SQLite, and the connection works
// afterwards.
func TestErrorsOfSQLite(t *testing.T) {
	c := open(t)
	for statement, want := range map[string]int{
		"SELECT * FROM nothing":                sqlite3.SQLITE_ERROR,
		"SELECT abs(-9223372036854775807 - 1)": sqlite3.SQLITE_ERROR,
		"CREATE TABLE t (a)":                   sqlite3.SQLITE_READONLY,
		"SELECT json('{')":                     sqlite3.SQLITE_ERROR,
		"SELECT zeroblob(1000000000000)":       sqlite3.SQLITE_TOOBIG,
	} {
		err := c.Exec(statement)
		if failure, is := errors.AsType[*Error](err); !is || failure.Code() != want {
			t.Errorf("%s: got %v, want code %d", statement, err, want)
		}
	}
	if got, err := query[string](t, c, "SELECT 'still' || ' there'").Last(); got != "still there" || err != nil {
		t.Errorf("afterwards: got %q, %v, want it to answer", got, err)
	}
	if _, err := Open("file:/no/such/file?mode=ro"); err == nil {
		t.Error("got a file opened that does not exist, want an error")
	}
}

// TestAQueryGivesTheColumnsThatItsReaderExpects: Prepare refuses a query whose first columns are not the
// fields of its rows, in their order. Otherwise the fields would have the values of other columns.
func TestAQueryGivesTheColumnsThatItsReaderExpects(t *testing.T) {
	c := open(t)
	for text, right := range map[string]bool{
		"SELECT 1 AS n, 'a' AS s": true, "SELECT 1 AS n, 'a' AS s, 2 AS more": true,
		"SELECT 1 AS n": false, "SELECT 'a' AS s, 1 AS n": false, "SELECT 1 AS n, 'a' AS name": false,
	} {
		if _, err := Prepare[pair](c, text); (err == nil) != right || err != nil && !strings.Contains(err.Error(), "has the field") {
			t.Errorf("%s: got %v, want it accepted: %t", text, err, right)
		}
	}
}
