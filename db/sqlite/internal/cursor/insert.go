package cursor

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// rowsAtOnce is how many rows one run of a statement inserts: running it costs more than a row.
const rowsAtOnce = 125

// Insert inserts rows of integers, texts, bytes and nulls into a table, many with each run of a statement.
type Insert struct {
	many, one statement
	columns   int
	rows      []value // that are not inserted yet, of all columns
	texts     uintptr // memory of SQLite for the texts of these rows
	room      int     // of texts
}

// value is one column of a row: a text or bytes, an integer, or null.
type value struct {
	text   string
	number int64
	kind   valueKind
}

type valueKind uint8

const (
	null valueKind = iota
	integer
	textual
	binary
)

// PrepareInsert compiles the statement that inserts one row: INSERT INTO t (a, b) VALUES (?, ?).
func PrepareInsert(c *Conn, text string) (i *Insert, err error) {
	text = strings.TrimRight(text, "\n;")
	i = &Insert{columns: strings.Count(text, "?")}
	if i.one, err = c.prepare(text); err != nil {
		return nil, err
	}
	row := ", (?" + strings.Repeat(", ?", i.columns-1) + ")"
	if i.many, err = c.prepare(text + strings.Repeat(row, rowsAtOnce-1)); err != nil {
		return nil, errors.Join(err, i.one.Close())
	}
	i.rows = make([]value, 0, rowsAtOnce*i.columns)
	return i, nil
}

// Add adds a row, which need not be inserted before Flush. A value is an int64, a string, or a pointer to one,
// which is null if it is nil; or bytes.
func (i *Insert) Add(row ...any) error {
	if len(row) != i.columns {
		return fmt.Errorf("a row of %d values for %d columns", len(row), i.columns)
	}
	for column, v := range row {
		one, err := valueOf(v)
		if err != nil {
			return fmt.Errorf("column %d: %w", column, err)
		}
		i.rows = append(i.rows, one)
	}
	if len(i.rows) < cap(i.rows) {
		return nil
	}
	return i.run(&i.many, i.rows)
}

func valueOf(v any) (value, error) {
	switch v := v.(type) {
	case int64:
		return value{kind: integer, number: v}, nil
	case string:
		return value{kind: textual, text: v}, nil
	case []byte:
		return value{kind: binary, text: string(v)}, nil
	case *int64:
		if v == nil {
			return value{}, nil
		}
		return value{kind: integer, number: *v}, nil
	case *string:
		if v == nil {
			return value{}, nil
		}
		return value{kind: textual, text: *v}, nil
	}
	return value{}, fmt.Errorf("a %T is no value", v)
}

// Flush inserts the rows that are left.
func (i *Insert) Flush() error {
	for rest := i.rows; len(rest) > 0; rest = rest[i.columns:] {
		if err := i.run(&i.one, rest[:i.columns]); err != nil {
			return err
		}
	}
	i.rows = i.rows[:0]
	return nil
}

// run inserts rows. SQLite reads their texts where they are copied to, until the statement is done.
func (i *Insert) run(s *statement, rows []value) error {
	if err := i.makeRoom(s.conn, rows); err != nil {
		return err
	}
	defer s.reset()
	const static = uintptr(0) // SQLite makes no copy
	used := 0
	for n, v := range rows {
		var code int32
		switch v.kind {
		case integer:
			code = sqlite3.Xsqlite3_bind_int64(s.conn.tls, s.handle, int32(n+1), v.number)
		case textual, binary:
			to := i.texts + uintptr(used)
			used += copy(bytes(to, len(v.text)), v.text)
			bind := sqlite3.Xsqlite3_bind_text
			if v.kind == binary {
				bind = sqlite3.Xsqlite3_bind_blob
			}
			code = bind(s.conn.tls, s.handle, int32(n+1), to, int32(len(v.text)), static)
		}
		if err := s.conn.ok(code); err != nil {
			return err
		}
	}
	i.rows = i.rows[:0]
	_, err := s.next()
	return err
}

// makeRoom makes room for the texts of rows.
func (i *Insert) makeRoom(c *Conn, rows []value) error {
	needed := 1 // an empty text has an address too
	for _, v := range rows {
		needed += len(v.text)
	}
	if needed <= i.room {
		return nil
	}
	libc.Xfree(c.tls, i.texts)
	i.room = 2 * needed
	if i.texts = libc.Xmalloc(c.tls, types.Size_t(i.room)); i.texts == 0 {
		i.room = 0
		return &Error{sqlite3.SQLITE_NOMEM, "SQLite is out of memory"}
	}
	return nil
}

// Close frees the statement. Rows that were not flushed are lost.
func (i *Insert) Close() error {
	libc.Xfree(i.many.conn.tls, i.texts)
	return errors.Join(i.many.Close(), i.one.Close())
}

// Update is a statement without rows that runs many times.
type Update struct{ statement }

// PrepareUpdate compiles a statement.
func PrepareUpdate(c *Conn, text string) (*Update, error) {
	s, err := c.prepare(text)
	return &Update{s}, err
}

// Run runs the statement with parameters, which are integers and texts.
func (u *Update) Run(parameters ...any) error {
	defer u.reset()
	if err := u.bind(parameters); err != nil {
		return err
	}
	_, err := u.next()
	return err
}
