package sqlite

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"daybook/db/sqlite/file"
	"daybook/internal/fault"
)

// What the write-ahead log holds, in pages of 4 KiB: from walComfort on it is copied
// into the database as far as readers allow; from walPatience on the log is restarted.
const (
	walComfort  = 1 << 10
	walPatience = 8 << 10
	walStep     = 1 << 8
)

// How long the writer waits for readers, once for each walStep that the log has grown. The
// long pause is from twice walPatience on, while long reads of this process run that began
// before the gate was shut: with it the log does not come to 90 MiB before each of them has
// ended. It is well below the 5 s for which writers of other processes wait.
const (
	shortPause = 250 * time.Millisecond
	longPause  = 2 * time.Second
)

// walKeeper runs the checkpoints, on the writer's connection and between its
// transactions. SQLite's own would swallow their errors.
type walKeeper struct {
	gate     *gate // of long reads
	patience int64 // walPatience
	next     int64 // what the log holds when it is looked after again
	shutting int64 // what it holds when the gate is shut

	done   atomic.Int64
	failed atomic.Int64
	heldUp atomic.Int64
}

func newWALKeeper(patience int64) *walKeeper {
	return &walKeeper{gate: newGate(), patience: patience, next: walComfort, shutting: patience}
}

// keep looks after the log when it has grown. Where it was copied whole the next
// commit begins it anew, unless a reader still needs some of it.
func (k *walKeeper) keep(c *connection, w *file.Monitor) {
	defer w.AfterTransaction()
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
	if w.CheckBeforeWrite() != nil {
		return // to copy the log into another file would damage that, too
	}
	k.next = log.pages + walStep
	switch {
	case log.pages < k.patience:
		k.shutting = k.patience
		k.count(checkpoint(c, 0))
	case log.pages < k.shutting:
		k.restart(c, shortPause)
	default:
		k.restartAlone(c, log.pages)
	}
}

// restartAlone is restart with the gate shut. It stays shut until the long reads that run
// have ended. Where none runs and the log could not be restarted, another process
// reads, or a backup: then long reads go on, until the log has grown a good deal more.
func (k *walKeeper) restartAlone(c *connection, pages int64) {
	empty := k.gate.close()
	restarted := k.restart(c, pauseAt(pages, k.patience, !empty))
	if empty && !restarted {
		k.shutting = pages + k.patience/2
	}
	if empty || restarted {
		k.gate.open()
	}
}

// pauseAt is how long the writer waits for readers; ours are long reads of this process.
func pauseAt(pages, patience int64, ours bool) time.Duration {
	if ours && pages >= 2*patience {
		return longPause
	}
	return shortPause
}

// drained is called when the last long read may have ended behind the shut gate. The
// connection is nil where there is none.
func (k *walKeeper) drained(c *connection, w *file.Monitor) {
	if !k.gate.drained() {
		return
	}
	defer k.gate.open()
	if c != nil {
		k.next = 0
		k.keep(c, w)
	}
}

// restart copies the log so that SQLite writes it from its beginning again, and reports whether
// readers allowed that.
func (k *walKeeper) restart(c *connection, wait time.Duration) bool {
	whole, err := checkpoint(c, wait)
	k.count(whole, err)
	if err == nil && !whole {
		k.heldUp.Add(1)
	}
	return whole
}

// count notes what became of a checkpoint.
func (k *walKeeper) count(whole bool, err error) {
	if err != nil {
		k.failed.Add(1)
	} else if whole {
		k.done.Add(1)
	}
}

// checkpoint copies the log into the database and reports whether all of it was. With
// a time to wait it lets readers end, so that the log can be restarted.
func checkpoint(c *connection, wait time.Duration) (bool, error) {
	mode := "PASSIVE"
	if wait > 0 {
		mode = "TRUNCATE"
		if err := c.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", wait.Milliseconds())); err != nil {
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
// the times that failed, and the times that readers prevented a restart of a large log.
func (s *Store) Checkpoints() (done, failed, heldUp int64) {
	log := s.writer.log
	return log.done.Load(), log.failed.Load(), log.heldUp.Load()
}
