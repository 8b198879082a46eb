package sqlite

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"daybook/db/sqlite/file"
	"daybook/internal/fault"
)

// Sizes of the write-ahead log in pages of 4 KiB. From walComfort on it is copied into the database as
// far as readers allow. From walPatience on it is restarted.
const (
	walComfort  = 1 << 10
	walPatience = 8 << 10
	walStep     = 1 << 8
)

// How long the writer waits for readers, once for each walStep that the log has grown; for those of other
// processes only once for each half of walPatience. It makes the long pause from twice walPatience on, while
// long reads of this process run that began before the gate was shut. With that the log stays below 90 MiB
// until each of them has ended. The pause is well below the 5 s for which writers of other processes wait.
const (
	shortPause = 250 * time.Millisecond
	longPause  = 2 * time.Second
)

// walKeeper runs the checkpoints on the writer's connection, between its transactions. The automatic
// checkpoints of SQLite would hide their errors.
type walKeeper struct {
	gate     *gate      // of long reads
	patience int64      // walPatience
	next     int64      // the size of the log at the next checkpoint
	shutting int64      // the size of the log at which the gate is shut and the writer waits
	pages    int64      // the size of the log after the last group
	lock     *file.Lock // nil if another process serves the database

	done   atomic.Int64
	failed atomic.Int64
	heldUp atomic.Int64
}

func newWALKeeper(patience int64) *walKeeper {
	return &walKeeper{gate: newGate(), patience: patience, next: walComfort, shutting: patience}
}

// keep checkpoints the log when it has grown.
func (k *walKeeper) keep(c *connection, w *file.Monitor) {
	log, err := c.walCheckpoint("NOOP")
	if err != nil {
		k.failed.Add(1)
		return
	}
	if log.pages < k.pages { // another process has copied all of the log, and SQLite has begun it again
		k.settle()
	}
	k.pages = log.pages
	switch {
	case log.pages < walComfort:
		k.next = walComfort
		return
	case log.pages < k.next:
		return
	}
	if w.Named() != nil {
		return // a checkpoint into another file would damage that file too
	}
	k.next = log.pages + walStep
	if log.pages < k.patience {
		k.shutting = k.patience
	}
	if log.pages < k.shutting {
		k.count(checkpoint(c, 0))
		return
	}
	k.restart(c, log.pages)
}

// restart copies the log so that SQLite writes it from its beginning again, if readers allow that. The gate stays shut until the running long reads have ended. If none runs and the log still
// cannot be restarted, another process or a backup reads. Then long reads go on, and the writer waits for no
// reader, until the log has grown much more.
func (k *walKeeper) restart(c *connection, pages int64) {
	empty := k.gate.close()
	restarted, err := checkpoint(c, pauseAt(pages, k.patience, !empty))
	k.count(restarted, err)
	if err == nil && !restarted {
		k.heldUp.Add(1)
	}
	if empty && !restarted {
		k.shutting = pages + k.patience/2
	}
	if empty || restarted {
		k.gate.open()
	}
}

// pauseAt returns how long the writer waits for readers. ours: long reads of this process run.
func pauseAt(pages, patience int64, ours bool) time.Duration {
	if ours && pages >= 2*patience {
		return longPause
	}
	return shortPause
}

// The writer calls drained when the last long read may have ended behind the shut gate. The connection
// is nil if there is none.
func (k *walKeeper) drained(c *connection, w *file.Monitor) {
	if !k.gate.drained() {
		return
	}
	defer k.gate.open()
	if c == nil {
		return
	}
	k.next = 0
	k.keep(c, w)
}

// count counts a checkpoint by its result.
func (k *walKeeper) count(whole bool, err error) {
	switch {
	case err != nil:
		k.failed.Add(1)
	case whole:
		k.done.Add(1)
		k.settle()
	}
}

// settle tells the lock that all of the log was copied.
func (k *walKeeper) settle() {
	if k.lock != nil {
		k.lock.Settle()
	}
}

// checkpoint copies the log into the database and reports whether it copied all of it. With a time to
// wait it lets readers end, so that the log can be restarted.
func checkpoint(c *connection, wait time.Duration) (bool, error) {
	mode := "PASSIVE"
	if wait > 0 {
		mode = "TRUNCATE"
		if err := c.waitAtMost(wait); err != nil {
			return false, err
		}
		defer func() { _ = c.waitAtMost(usualWait) }() // if this fails, the next BEGIN fails too
	}
	log, err := c.walCheckpoint(mode)
	if err != nil {
		return false, fault.Wrap(fault.Unavailable, err, "the write-ahead log could not be copied into the database")
	}
	return log.busy == 0 && log.pages == log.copied, nil
}

// logState is what SQLite reports about the log: whether another connection blocked the checkpoint, how
// many pages it holds, and how many of them are copied into the database.
type logState struct{ busy, pages, copied int64 }

// walCheckpoint copies the log into the database in a mode of SQLite, where NOOP copies nothing, and
// returns the state of the log after that.
func (c *connection) walCheckpoint(mode string) (s logState, err error) {
	err = c.conn.QueryRowContext(context.Background(), fmt.Sprintf("PRAGMA wal_checkpoint(%s)", mode)).Scan(&s.busy, &s.pages, &s.copied)
	return s, err
}

// Checkpoints returns how many times the write-ahead log was completely copied into the database, how
// many times that failed, and how many times readers prevented a restart of a large log.
func (s *Store) Checkpoints() (done, failed, heldUp int64) {
	log := s.writer.log
	return log.done.Load(), log.failed.Load(), log.heldUp.Load()
}
