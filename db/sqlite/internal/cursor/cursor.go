// Package cursor reads below database/sql, for the few long reads: a column or a parameter costs a call
// into SQLite, not a conversion and an allocation.
//
// It knows no statement, and neither begins nor ends a transaction. One goroutine at a time may use a
// connection.
package cursor

import (
	"errors"
	"fmt"
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
	tls    *libc.TLS
	db     uintptr
	recent *texts // nil for a connection that is lent
}

// Open opens the file that a URI of SQLite names, read-only.
func Open(uri string) (*Conn, error) {
	c := &Conn{tls: libc.NewTLS(), recent: &texts{}}
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

// Close closes the connection and its queries.
func (c *Conn) Close() error {
	defer c.tls.Close()
	if c.db == 0 {
		return nil
	}
	for s := sqlite3.Xsqlite3_next_stmt(c.tls, c.db, 0); s != 0; s = sqlite3.Xsqlite3_next_stmt(c.tls, c.db, 0) {
		sqlite3.Xsqlite3_finalize(c.tls, s) // the read has returned its error
	}
	return c.ok(sqlite3.Xsqlite3_close_v2(c.tls, c.db))
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
	s, err := c.prepare(statement)
	if err != nil {
		return err
	}
	_, err = s.next()
	return errors.Join(err, s.Close())
}

// statement is a compiled statement.
type statement struct {
	conn   *Conn
	handle uintptr
	wrong  error // a column of the row has another type than was read
}

func (c *Conn) prepare(query string) (s statement, err error) {
	text, err := libc.CString(query)
	if err != nil {
		return s, err
	}
	defer libc.Xfree(c.tls, text)
	out := c.tls.Alloc(int(unsafe.Sizeof(c.db)))
	defer c.tls.Free(int(unsafe.Sizeof(c.db)))
	err = c.ok(sqlite3.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, sqlite3.SQLITE_PREPARE_PERSISTENT, out, 0))
	return statement{conn: c, handle: *(*uintptr)(at(out))}, err
}

// bind sets the parameters, in their order: integers, texts and bytes.
func (s *statement) bind(parameters []any) error {
	for i, p := range parameters {
		var code int32
		switch v := p.(type) {
		case int64:
			code = sqlite3.Xsqlite3_bind_int64(s.conn.tls, s.handle, int32(i+1), v)
		case string:
			code = s.bindText(int32(i+1), v, sqlite3.Xsqlite3_bind_text)
		case []byte:
			code = s.bindText(int32(i+1), string(v), sqlite3.Xsqlite3_bind_blob)
		default:
			return fmt.Errorf("parameter %d is a %T", i+1, p)
		}
		if err := s.conn.ok(code); err != nil {
			return err
		}
	}
	return nil
}

// bindText binds a text, or bytes.
func (s *statement) bindText(parameter int32, v string, bind func(tls *libc.TLS, handle uintptr, parameter int32, text uintptr, size int32, destructor uintptr) int32) int32 {
	const transient = ^uintptr(0) // SQLite makes a copy
	text := libc.Xmalloc(s.conn.tls, types.Size_t(len(v)+1))
	if text == 0 {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(s.conn.tls, text)
	copy(bytes(text, len(v)), v)
	return bind(s.conn.tls, s.handle, parameter, text, int32(len(v)), transient)
}

// next goes to the next row, and reports whether there is one.
func (s *statement) next() (bool, error) {
	switch code := sqlite3.Xsqlite3_step(s.conn.tls, s.handle); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.conn.failure(code)
	}
}

// null reports whether a column of the row has no value.
func (s *statement) null(column int) bool {
	return sqlite3.Xsqlite3_column_type(s.conn.tls, s.handle, int32(column)) == sqlite3.SQLITE_NULL
}

// Int returns a column of the row, counted from 0, as an integer.
func (s *statement) Int(column int) int64 {
	v := sqlite3.Xsqlite3_column_int64(s.conn.tls, s.handle, int32(column))
	if v == 0 && sqlite3.Xsqlite3_column_type(s.conn.tls, s.handle, int32(column)) != sqlite3.SQLITE_INTEGER {
		s.wrong = &Error{sqlite3.SQLITE_CORRUPT, fmt.Sprintf("column %d holds no integer", column)}
	}
	return v
}

// Text returns a column of the row, counted from 0, as text. Many rows share a short text: a recent one is
// not allocated again.
func (s *statement) Text(column int) string {
	text := sqlite3.Xsqlite3_column_text(s.conn.tls, s.handle, int32(column))
	if text == 0 {
		s.wrong = &Error{sqlite3.SQLITE_CORRUPT, fmt.Sprintf("column %d holds no text", column)}
		return ""
	}
	return s.conn.recent.text(bytes(text, int(sqlite3.Xsqlite3_column_bytes(s.conn.tls, s.handle, int32(column)))))
}

// reset ends the reading, so that the query can be run again.
func (s *statement) reset() {
	s.wrong = nil
	sqlite3.Xsqlite3_reset(s.conn.tls, s.handle) // next has returned its error
	sqlite3.Xsqlite3_clear_bindings(s.conn.tls, s.handle)
}

// Close frees the query. The end of the connection does so too.
func (s *statement) Close() error {
	return s.conn.ok(sqlite3.Xsqlite3_finalize(s.conn.tls, s.handle))
}

// at returns a pointer into SQLite's memory, which Go's collector neither owns nor moves.
func at(address uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&address)) //nolint:gosec // the only access to SQLite's memory
}

// bytes returns the n bytes at an address.
func bytes(address uintptr, n int) []byte {
	return unsafe.Slice((*byte)(at(address)), n) //nolint:gosec // SQLite gives the length
}
