package cursor

import (
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyFunc is the function that SQLite calls when another connection has a lock that it needs. SQLite
// tries again unless the function returns 0.
type busyFunc func(tls *libc.TLS, db uintptr, tries int32) int32

// How often a connection tries to take a lock before it is interrupted, and the pause between tries.
const (
	mostTries = 25
	tryAgain  = 10 * time.Millisecond
)

// InterruptWhenBusy makes the connection wait 250 ms for a lock, and then interrupts its statement.
// With a busy_timeout alone a checkpoint copies only the pages that no reader needs in their old state.
// Such a database is consistent only together with its log. An interrupted checkpoint copies nothing.
// PRAGMA busy_timeout ends this.
func (c *Conn) InterruptWhenBusy() error {
	busy := busyFunc(interruptWhenBusy)
	function := *(*uintptr)(unsafe.Pointer(&busy)) //nolint:gosec // this function is never collected
	return c.ok(sqlite3.Xsqlite3_busy_handler(c.tls, c.db, function, c.db))
}

func interruptWhenBusy(tls *libc.TLS, db uintptr, tries int32) int32 {
	if tries < mostTries {
		time.Sleep(tryAgain)
		return 1
	}
	sqlite3.Xsqlite3_interrupt(tls, db)
	return 0
}
