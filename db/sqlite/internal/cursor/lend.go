package cursor

import (
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// lending is the SQL function that passes a connection of database/sql to a Go function. The driver
// does not publish the handle of its connections, but SQLite passes it to each SQL function.
const lending = "daybook_lend"

// The functions that SQLite calls when a connection opens, and when a statement calls an SQL function.
type (
	openedFunc func(tls *libc.TLS, db, message, api uintptr) int32
	sqlFunc    func(tls *libc.TLS, context uintptr, count int32, arguments uintptr)
)

// Lending registers the SQL function of Lend with each connection that this process opens from now on.
// Nothing in a schema may call it.
var Lending = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	opened := openedFunc(declareLending)
	if code := sqlite3.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&opened))); code != sqlite3.SQLITE_OK { //nolint:gosec // this function is never collected
		return &Error{int(code), fmt.Sprintf("SQLite does not take the function %s", lending)}
	}
	return nil
})

func declareLending(tls *libc.TLS, db, _, _ uintptr) int32 {
	name, err := libc.CString(lending)
	if err != nil {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, name)
	called := sqlFunc(lend)
	return sqlite3.Xsqlite3_create_function_v2(tls, db, name, 1, sqlite3.SQLITE_UTF8|sqlite3.SQLITE_DIRECTONLY, 0,
		*(*uintptr)(unsafe.Pointer(&called)), 0, 0, 0) //nolint:gosec // this function is never collected
}

// lent has the loans in progress by number.
var lent struct {
	sync.Mutex
	last  int64
	loans map[int64]*loan
}

type loan struct {
	use      func(*Conn) error
	done     bool
	err      error
	panicked any // with its stack
}

// Lend passes a connection of database/sql to a function, which must not keep it. exec executes a
// statement on the connection, which was opened after Lending. The statement reads no table. If the
// function panics, Lend panics with its value and its stack.
func Lend(exec func(statement string) error, use func(*Conn) error) error {
	of := &loan{use: use}
	lent.Lock()
	if lent.loans == nil {
		lent.loans = map[int64]*loan{}
	}
	lent.last++
	number := lent.last
	lent.loans[number] = of
	lent.Unlock()
	defer func() {
		lent.Lock()
		delete(lent.loans, number)
		lent.Unlock()
	}()
	err := exec(fmt.Sprintf("SELECT %s(%d)", lending, number))
	if of.panicked != nil {
		panic(of.panicked)
	}
	if of.done {
		return of.err
	}
	if err == nil {
		err = &Error{sqlite3.SQLITE_ERROR, "the connection was not lent"}
	}
	return err
}

// lend is the SQL function. Its argument is the number of a loan. A panic must not leave SQLite in the
// middle of a statement, so Lend continues it.
func lend(tls *libc.TLS, context uintptr, _ int32, arguments uintptr) {
	number := sqlite3.Xsqlite3_value_int64(tls, *(*uintptr)(at(arguments)))
	lent.Lock()
	of := lent.loans[number]
	lent.Unlock()
	if of == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			of.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	of.err = of.use(&Conn{tls: tls, db: sqlite3.Xsqlite3_context_db_handle(tls, context)})
	of.done = true
}
