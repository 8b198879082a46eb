package sqlite

import (
	"context"
	"fmt"
	"sync/atomic"

	"daybook/internal/fault"
)

// What the write-ahead log holds, in pages of 4 KiB: from walComfort on it is copied
// into the database as far as readers allow; from walPatience on the writer waits for
// readers a moment, so that it stays well under 64 MiB.
const (
	walComfort  = 1 << 10
	walPatience = 8 << 10
	walStep     = 1 << 8
)

// walKeeper runs the checkpoints, on the writer's connection and between its
// transactions. SQLite's own would swallow their errors.
type walKeeper struct {
	next int64 // what the log holds when it is looked after again

	done   atomic.Int64
	failed atomic.Int64
}

// keep looks after the log when it has grown. Where it was copied whole the next
// commit begins it anew, unless a reader still needs some of it.
func (k *walKeeper) keep(c *connection, w *witness) {
	defer w.follow()
	log, err := c.walCheckpoint("NOOP")
	switch {
	case err != nil:
		k.failed.Add(1)
		return
	case log.pages < walComfort:
		k.next = walComfort
		return
	case log.pages < k.next:
		return
	}
	if w.unwritten() != nil {
		return // to copy the log into another file would damage that, too
	}
	k.next = log.pages + walStep
	whole, err := checkpoint(c, log.pages >= walPatience)
	if err != nil {
		k.failed.Add(1)
	} else if whole {
		k.done.Add(1)
	}
}

// checkpoint copies the log into the database and reports whether all of it was. With
// wait it lets readers end, a moment long, so that the log can begin anew.
func checkpoint(c *connection, wait bool) (bool, error) {
	mode := "PASSIVE"
	if wait {
		mode = "TRUNCATE"
		if err := c.exec("PRAGMA busy_timeout = 250"); err != nil {
			return false, err
		}
		defer func() { _ = c.exec("PRAGMA busy_timeout = 5000") }() // a connection that fails this fails its next BEGIN too
	}
	log, err := c.walCheckpoint(mode)
	if err != nil {
		return false, fault.Wrap(fault.Unavailable, err, "the write-ahead log could not be copied into the database")
	}
	return log.busy == 0 && log.pages == log.copied, nil
}

// logState is what SQLite says of the log: that somebody kept it from being copied,
// how many pages it holds, and how many of them are in the database too.
type logState struct{ busy, pages, copied int64 }

// walCheckpoint copies the log into the database in a mode of SQLite's, NOOP for not at all, and
// tells what it is like then.
func (c *connection) walCheckpoint(mode string) (s logState, err error) {
	err = c.conn.QueryRowContext(context.Background(), fmt.Sprintf("PRAGMA wal_checkpoint(%s)", mode)).Scan(&s.busy, &s.pages, &s.copied)
	return s, err
}

// Checkpoints counts the times the write-ahead log was copied into the database whole,
// and the times that failed.
func (s *Store) Checkpoints() (done, failed int64) {
	return s.writer.log.done.Load(), s.writer.log.failed.Load()
}
