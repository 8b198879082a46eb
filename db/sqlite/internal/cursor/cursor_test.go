package cursor

import (
	"errors"
	"math"
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
func query(t *testing.T, c *Conn, text string) *Rows {
	t.Helper()
	rows, err := c.Prepare(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	})
	return rows
}

// TestValuesAreReadAsTheyWereBound: integers and texts that are bound to a query are read back unchanged.
func TestValuesAreReadAsTheyWereBound(t *testing.T) {
	rows := query(t, open(t), "SELECT ?, ?")
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		for _, text := range []string{"", "ACME", "Zürich", "a\x00b", "\xff", strings.Repeat("long", 5_000)} {
			if err := rows.Bind(n, text); err != nil {
				t.Fatal(err)
			}
			seen := 0
			err := rows.Each(func() {
				seen++
				if got := rows.Int(0); got != n {
					t.Errorf("got %d, want %d", got, n)
				}
				if got := string(rows.Text(1)); got != text {
					t.Errorf("got %.20q, want %.20q", got, text)
				}
			})
			if err != nil || seen != 1 {
				t.Errorf("got %d rows, %v, want one", seen, err)
			}
			rows.Reset()
		}
	}
	if err := rows.Bind(1.5); err == nil {
		t.Error("got a float bound, want it refused")
	}
}

// TestAColumnOfAnotherTypeIsAnError: reading a value as another type ends the query with an error that
// says that the file is damaged. The query can then run again.
func TestAColumnOfAnotherTypeIsAnError(t *testing.T) {
	c := open(t)
	integer := func(r *Rows) { r.Int(0) }
	text := func(r *Rows) { r.Text(0) }
	for _, wrong := range []struct {
		value, want string
		read        func(*Rows)
	}{
		{"NULL", "no integer", integer},
		{"'text'", "no integer", integer},
		{"x'00'", "no integer", integer},
		{"0.5", "no integer", integer},
		{"NULL", "no text", text},
	} {
		rows := query(t, c, "SELECT column1 FROM (VALUES ("+wrong.value+"), (7))")
		seen := 0
		err := rows.Each(func() { seen++; wrong.read(rows) })
		if failure, is := errors.AsType[*Error](err); !is || failure.Code() != sqlite3.SQLITE_CORRUPT || !strings.Contains(err.Error(), wrong.want) || seen != 1 {
			t.Errorf("%s: got %v after %d rows, want %s after one", wrong.value, err, seen, wrong.want)
		}
		rows.Reset()
		if more, err := rows.Next(); err != nil || !more {
			t.Errorf("%s, read again: got %v, %v, want a row", wrong.value, more, err)
		}
	}
}

// few is a query of the numbers from 1 to 10. It returns those above the first parameter, at most as
// many as the second parameter says.
const few = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n WHERE i > ? LIMIT ?"

// TestAQueryIsAskedAgain: a compiled query can run again with other parameters.
func TestAQueryIsAskedAgain(t *testing.T) {
	rows := query(t, open(t), few)
	for _, c := range []struct {
		after, most int64
		want        []int64
	}{{0, 3, []int64{1, 2, 3}}, {8, 3, []int64{9, 10}}, {10, 3, nil}, {0, 1, []int64{1}}} {
		if err := rows.Bind(c.after, c.most); err != nil {
			t.Fatal(err)
		}
		var got []int64
		if err := rows.Each(func() { got = append(got, rows.Int(0)) }); err != nil {
			t.Fatal(err)
		}
		rows.Reset()
		if !slices.Equal(got, c.want) {
			t.Errorf("after %d, at most %d: got %v, want %v", c.after, c.most, got, c.want)
		}
	}
}

// TestAQueryIsPlannedOnce: SQLite does not plan a query again when the parameters change, because Open
// calls keepPlans.
func TestAQueryIsPlannedOnce(t *testing.T) {
	rows := query(t, open(t), few)
	for most := range int64(5) {
		if err := rows.Bind(int64(0), most); err != nil {
			t.Fatal(err)
		}
		if err := rows.Each(func() {}); err != nil {
			t.Fatal(err)
		}
		rows.Reset()
	}
	if got := sqlite3.Xsqlite3_stmt_status(rows.conn.tls, rows.statement, sqlite3.SQLITE_STMTSTATUS_REPREPARE, 0); got != 0 {
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
	if got, err := c.Value("SELECT 'still' || ' there'"); got != "still there" || err != nil {
		t.Errorf("afterwards: got %q, %v, want it to answer", got, err)
	}
	if _, err := Open("file:/no/such/file?mode=ro"); err == nil {
		t.Error("got a file opened that does not exist, want an error")
	}
}

// TestAQueryGivesTheColumnsThatItsReaderExpects: Prepare refuses a query whose columns are not the
// expected ones in the expected order. A reader reads columns by number, so other columns would give
// wrong values.
func TestAQueryGivesTheColumnsThatItsReaderExpects(t *testing.T) {
	c := open(t)
	const text = "SELECT 1 AS id, 'ACME' AS symbol"
	for _, wrong := range [][]string{{"id"}, {"symbol", "id"}, {"id", "symbol", "more"}, {"id", "name"}} {
		if _, err := c.Prepare(text, wrong...); err == nil || !strings.Contains(err.Error(), `["id" "symbol"]`) {
			t.Errorf("%q: got %v, want an error with the columns of the query", wrong, err)
		}
	}
	rows, err := c.Prepare(text, "id", "symbol")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rows.Close(), c.Exec("SELECT 1")); err != nil {
		t.Error(err)
	}
}
