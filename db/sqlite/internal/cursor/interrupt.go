package cursor

import (
	"context"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// interruptEvery is how often a connection is interrupted until it stops, because SQLite forgets an
// interrupt between two statements.
const interruptEvery = 5 * time.Millisecond

// Until interrupts the work of the connection when ctx ends; the error of the work is then an
// interrupt. release ends that. The caller must call it before another goroutine uses the connection.
func (c *Conn) Until(ctx context.Context) (release func()) {
	released, gone := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(gone)
		tls := libc.NewTLS() // the TLS of the connection is in use
		defer tls.Close()
		again := time.NewTicker(interruptEvery)
		defer again.Stop()
		for {
			sqlite3.Xsqlite3_interrupt(tls, c.db)
			select {
			case <-again.C:
			case <-released:
				return
			}
		}
	})
	return func() {
		if !stop() {
			close(released)
			<-gone
		}
	}
}

// Idle reports whether no transaction is open and no statement is in the middle of its rows.
func (c *Conn) Idle() bool {
	if sqlite3.Xsqlite3_get_autocommit(c.tls, c.db) == 0 {
		return false
	}
	for s := sqlite3.Xsqlite3_next_stmt(c.tls, c.db, 0); s != 0; s = sqlite3.Xsqlite3_next_stmt(c.tls, c.db, s) {
		if sqlite3.Xsqlite3_stmt_busy(c.tls, s) != 0 {
			return false
		}
	}
	return true
}
