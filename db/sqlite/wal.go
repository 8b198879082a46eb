package sqlite

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"daybook/internal/fault"
)

// The size of the write-ahead log: from walComfort on it is copied into the database
// as far as readers allow; from walPatience on the writer waits for readers a moment,
// so that it stays well under 64 MiB.
const (
	walComfort  = 4 << 20
	walPatience = 32 << 20
	walStep     = 1 << 20
)

// walKeeper runs the checkpoints, on the writer's connection and between its
// transactions. SQLite's own would swallow their errors.
type walKeeper struct {
	file file
	next int64 // the size at which the log is looked after again

	done   atomic.Int64
	failed atomic.Int64
}

// keep looks after the log when it has grown. What was copied whole the next commit
// cuts off, unless a reader still needs some of it.
func (k *walKeeper) keep(c *connection) {
	info, err := os.Stat(k.file.path + "-wal")
	switch {
	case err != nil || info.Size() < walComfort:
		k.next = walComfort
		return
	case info.Size() < k.next:
		return
	}
	k.next = info.Size() + walStep
	whole, err := checkpoint(c, info.Size() >= walPatience)
	if err != nil {
		k.failed.Add(1)
	} else if whole {
		k.done.Add(1)
	}
}

// checkpoint copies the log into the database and reports whether all of it was. With
// wait it lets readers end, a moment long, so that the log can begin anew.
func checkpoint(c *connection, wait bool) (bool, error) {
	ctx := context.Background()
	mode := "PASSIVE"
	if wait {
		mode = "TRUNCATE"
		if err := c.exec("PRAGMA busy_timeout = 250"); err != nil {
			return false, err
		}
		defer func() { _ = c.exec("PRAGMA busy_timeout = 5000") }() // a connection that fails this fails its next BEGIN too
	}
	var busy, pages, copied int64
	err := c.conn.QueryRowContext(ctx, fmt.Sprintf("PRAGMA wal_checkpoint(%s)", mode)).Scan(&busy, &pages, &copied)
	if err != nil {
		return false, fault.Wrap(fault.Unavailable, err, "the write-ahead log could not be copied into the database")
	}
	return busy == 0 && pages == copied, nil
}

// Checkpoints counts the times the write-ahead log was copied into the database whole,
// and the times that failed.
func (s *Store) Checkpoints() (done, failed int64) {
	return s.writer.log.done.Load(), s.writer.log.failed.Load()
}
