// Package cursor reads below database/sql, for the few long reads: a column or a parameter costs a call
// into SQLite, not a conversion and an allocation.
//
// It knows no statement, and neither begins nor ends a transaction. One goroutine at a time may use a
// connection.
package cursor

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// Error is a failure of SQLite with its extended result code.
type Error struct {
	code    int
	message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.message, e.code) }

// Code is SQLite's extended result code.
func (e *Error) Code() int { return e.code }

// Conn is a connection to a database file.
type Conn struct {
	tls *libc.TLS
	db  uintptr
}

// Open opens the file that a URI of SQLite names, read-only.
func Open(uri string) (*Conn, error) {
	c := &Conn{tls: libc.NewTLS()}
	name, err := libc.CString(uri)
	if err != nil {
		c.tls.Close()
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	out := c.tls.Alloc(int(unsafe.Sizeof(c.db)))
	defer c.tls.Free(int(unsafe.Sizeof(c.db)))
	const flags = sqlite3.SQLITE_OPEN_READONLY | sqlite3.SQLITE_OPEN_URI | sqlite3.SQLITE_OPEN_NOMUTEX | sqlite3.SQLITE_OPEN_EXRESCODE
	code := sqlite3.Xsqlite3_open_v2(c.tls, name, out, flags, 0)
	c.db = *(*uintptr)(at(out))
	if code == sqlite3.SQLITE_OK {
		code = c.keepPlans()
	}
	if code != sqlite3.SQLITE_OK {
		err := c.failure(code)
		_ = c.Close() // the first error is the one to report
		return nil, err
	}
	return c, nil
}

// keepPlans makes SQLite plan a query once for all parameters. Otherwise SQLite looks at the value of a
// LIMIT, and compiles the query again each time it is bound.
func (c *Conn) keepPlans() int32 { return c.set(sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG) }

// KeepLog makes the connection leave the write-ahead log as it is when it closes. Otherwise the last
// connection copies the log into the database.
func (c *Conn) KeepLog() error { return c.ok(c.set(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE)) }

// set sets an option of the connection.
func (c *Conn) set(option int32) int32 {
	arguments := c.tls.Alloc(2 * 8) // each takes 8 bytes
	defer c.tls.Free(2 * 8)
	return sqlite3.Xsqlite3_db_config(c.tls, c.db, option, libc.VaList(arguments, int32(1), uintptr(0)))
}

// Close closes the connection. Its rows must be closed before.
func (c *Conn) Close() error {
	defer c.tls.Close()
	if code := sqlite3.Xsqlite3_close_v2(c.tls, c.db); code != sqlite3.SQLITE_OK {
		return c.failure(code)
	}
	return nil
}

func (c *Conn) ok(code int32) error {
	if code == sqlite3.SQLITE_OK {
		return nil
	}
	return c.failure(code)
}

func (c *Conn) failure(code int32) error {
	if c.db == 0 {
		return &Error{int(code), "SQLite is out of memory"}
	}
	return &Error{int(code), libc.GoString(sqlite3.Xsqlite3_errmsg(c.tls, c.db))}
}

// Exec runs a statement without rows.
func (c *Conn) Exec(statement string) error {
	s, err := c.Prepare(statement)
	if err != nil {
		return err
	}
	return errors.Join(s.Each(func() {}), s.Close())
}

// Value returns the one value of a query as text.
func (c *Conn) Value(query string) (string, error) {
	s, err := c.Prepare(query)
	if err != nil {
		return "", err
	}
	var value string
	err = s.Each(func() { value = string(s.Text(0)) })
	return value, errors.Join(err, s.Close())
}

// Prepare compiles a statement. If columns are given, it checks that the statement returns these in
// their order, so that a reader may use constants for their numbers.
func (c *Conn) Prepare(query string, columns ...string) (*Rows, error) {
	text, err := libc.CString(query)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, text)
	out := c.tls.Alloc(int(unsafe.Sizeof(c.db)))
	defer c.tls.Free(int(unsafe.Sizeof(c.db)))
	if code := sqlite3.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, sqlite3.SQLITE_PREPARE_PERSISTENT, out, 0); code != sqlite3.SQLITE_OK {
		return nil, c.failure(code)
	}
	rows := &Rows{conn: c, statement: *(*uintptr)(at(out))}
	if got := rows.columns(); len(columns) > 0 && !slices.Equal(got, columns) {
		return nil, errors.Join(fmt.Errorf("the query gives the columns %q, and its reader expects %q: %s", got, columns, query), rows.Close())
	}
	return rows, nil
}

// Rows is a statement and its current row.
type Rows struct {
	conn      *Conn
	statement uintptr
	bound     []uintptr // texts that SQLite reads from until Reset
	wrong     error     // a column of the row has another type than was read
}

// columns returns the names of the statement's columns.
func (r *Rows) columns() []string {
	names := make([]string, sqlite3.Xsqlite3_column_count(r.conn.tls, r.statement))
	for i := range names {
		names[i] = libc.GoString(sqlite3.Xsqlite3_column_name(r.conn.tls, r.statement, int32(i)))
	}
	return names
}

// Bind sets the parameters, in their order: integers and texts.
func (r *Rows) Bind(parameters ...any) error {
	for i, p := range parameters {
		var code int32
		switch v := p.(type) {
		case int64:
			code = sqlite3.Xsqlite3_bind_int64(r.conn.tls, r.statement, int32(i+1), v)
		case string:
			code = r.bindText(int32(i+1), v)
		default:
			return fmt.Errorf("parameter %d is a %T", i+1, p)
		}
		if err := r.conn.ok(code); err != nil {
			return err
		}
	}
	return nil
}

func (r *Rows) bindText(parameter int32, v string) int32 {
	text := libc.Xmalloc(r.conn.tls, types.Size_t(len(v)+1))
	if text == 0 {
		return sqlite3.SQLITE_NOMEM
	}
	copy(bytes(text, len(v)), v)
	r.bound = append(r.bound, text)
	return sqlite3.Xsqlite3_bind_text(r.conn.tls, r.statement, parameter, text, int32(len(v)), 0)
}

// Next goes to the next row, and reports whether there is one. It also returns the error of a column
// that had another type than was read.
func (r *Rows) Next() (bool, error) {
	if r.wrong != nil {
		return false, r.wrong
	}
	switch code := sqlite3.Xsqlite3_step(r.conn.tls, r.statement); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, r.conn.failure(code)
	}
}

// Each calls row for each remaining row.
func (r *Rows) Each(row func()) error {
	for {
		more, err := r.Next()
		if err != nil || !more {
			return err
		}
		row()
	}
}

// Read binds the parameters, calls row for each row, and ends the reading.
func (r *Rows) Read(row func(), parameters ...any) error {
	defer r.Reset()
	if err := r.Bind(parameters...); err != nil {
		return err
	}
	return r.Each(row)
}

// Int returns a column of the row, counted from 0, as an integer.
func (r *Rows) Int(column int) int64 {
	v := sqlite3.Xsqlite3_column_int64(r.conn.tls, r.statement, int32(column))
	if v == 0 && sqlite3.Xsqlite3_column_type(r.conn.tls, r.statement, int32(column)) != sqlite3.SQLITE_INTEGER {
		r.wrong = &Error{sqlite3.SQLITE_CORRUPT, fmt.Sprintf("column %d holds no integer", column)}
	}
	return v
}

// Text returns a column of the row, counted from 0, as text. It belongs to SQLite, and is valid until
// Next or Reset.
func (r *Rows) Text(column int) []byte {
	text := sqlite3.Xsqlite3_column_text(r.conn.tls, r.statement, int32(column))
	if text == 0 {
		r.wrong = &Error{sqlite3.SQLITE_CORRUPT, fmt.Sprintf("column %d holds no text", column)}
		return nil
	}
	return bytes(text, int(sqlite3.Xsqlite3_column_bytes(r.conn.tls, r.statement, int32(column))))
}

// Reset ends the reading, so that the query can be run again. Next has returned the error of the
// reading.
func (r *Rows) Reset() {
	r.wrong = nil
	sqlite3.Xsqlite3_reset(r.conn.tls, r.statement)
	sqlite3.Xsqlite3_clear_bindings(r.conn.tls, r.statement)
	for _, text := range r.bound {
		libc.Xfree(r.conn.tls, text)
	}
	r.bound = r.bound[:0]
}

// Close frees the query.
func (r *Rows) Close() error {
	r.Reset()
	return r.conn.ok(sqlite3.Xsqlite3_finalize(r.conn.tls, r.statement))
}

// at returns a pointer into SQLite's memory, which Go's collector neither owns nor moves.
func at(address uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&address)) //nolint:gosec // the only access to SQLite's memory
}

// bytes returns the n bytes at an address.
func bytes(address uintptr, n int) []byte {
	return unsafe.Slice((*byte)(at(address)), n) //nolint:gosec // SQLite gives the length
}
