package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
)

// A removed write-ahead log lasts until the last process that has it open closes it. The changes that
// only the log holds are copied into the database, all or none, because a part is consistent only
// together with the log. If a reader needs older pages, or the disk has no room for a larger database,
// SQLite would copy a part. Then the log gets its name back when the server ends. It does not get it back
// earlier, because other processes would write to the new file while this one reads the old one.
// If the disk has no room for that either, the server waits for room.

// save copies all of a removed log into the database. fresh: all was copied, and SQLite writes the log
// from its beginning again. An error means that nothing was copied, and says why.
func (w *writer) save() (fresh bool, err error) {
	if w.conn == nil {
		return false, file.ErrLogRemoved // the disk failed before, and no open connection has that log
	}
	log, err := w.conn.copyWhole(w.monitor.PageSize())
	if err == nil && log.pages != log.copied {
		err = errors.New("a report or another program reads the database as it was before these changes; the server writes them to a new log when it stops")
	}
	if err != nil {
		return false, fmt.Errorf("%w; its newest changes are not in the database yet: %w", file.ErrLogRemoved, err)
	}
	return log.pages == 0, nil
}

// copyWhole copies all of the log into the database, or nothing if a reader needs older pages and does
// not end soon, or if the disk has no room for the larger database. It returns the state of the log after that.
func (c *connection) copyWhole(page int64) (log logState, err error) {
	if err := c.growBeforeCopy(page); err != nil {
		return log, err
	}
	defer func() { _ = c.exec("PRAGMA busy_timeout = 5000") }() // if this fails, the next BEGIN fails too
	if err := c.below((*cursor.Conn).InterruptWhenBusy); err != nil {
		return log, err
	}
	if _, err := c.walCheckpoint("TRUNCATE"); err != nil && !sqlerr.IsInterrupted(err) {
		return log, err
	}
	return c.walCheckpoint("NOOP")
}

// growBeforeCopy makes the database file as large as it will be with all of the log.
func (c *connection) growBeforeCopy(page int64) error {
	var pages int64
	if err := c.conn.QueryRowContext(context.Background(), "PRAGMA page_count").Scan(&pages); err != nil {
		return err
	}
	return c.below(func(conn *cursor.Conn) error { return conn.Grow(pages * page) })
}

// saveAtEnd is save as the last use of the connection. If the log cannot be copied, it gets its name
// back. While the disk has no room for either, saveAtEnd waits, because the log ends with this process.
func (w *writer) saveAtEnd() error {
	for waited := false; ; waited = true {
		fresh, err := w.save()
		if fresh || w.conn == nil {
			return err
		}
		harm := w.putBack()
		if harm == nil || err == nil {
			return nil
		}
		err = errors.Join(err, fmt.Errorf("the log could not be put back: %w", harm))
		if !sqlerr.IsFull(err) {
			return errors.Join(err, w.conn.keepLog())
		}
		if !waited {
			w.notice("the disk is full, and the newest changes are only in the write-ahead log, which was removed; make room on the disk and the server stores them and ends; a second signal ends it without them")
		}
		time.Sleep(retryWhenFull)
	}
}

// retryWhenFull is how long saveAtEnd waits until it looks for room again.
const retryWhenFull = time.Second

// putBack writes a removed log to a new file with its name. A kill leaves all of it or nothing there.
// After that another process may write to that file, so closing the connection copies nothing.
func (w *writer) putBack() error {
	if err := w.conn.exec("BEGIN IMMEDIATE"); err != nil { // no other process writes to the log meanwhile
		return err
	}
	defer func() { _ = w.conn.exec("ROLLBACK") }() // the connection is closed next
	draft, log := w.file.Path+file.LogDraft, w.file.Path+"-wal"
	err := w.writeLog(draft)
	if err == nil && file.SizeOf(log) == 0 { // a program that only read has made it
		err = file.Remove(log)
	}
	if err == nil {
		err = disk.Rename(draft, log)
	}
	if err != nil {
		return errors.Join(err, file.Remove(draft))
	}
	return errors.Join(w.conn.keepLog(), w.file.SyncFolder(filepath.Dir(w.file.Path)))
}

// writeLog writes the log to a new file, for all users who may use the database, as SQLite does.
func (w *writer) writeLog(to string) (err error) {
	database, err := os.Stat(w.file.Path)
	if err != nil {
		return err
	}
	log, err := disk.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if err := log.Chmod(database.Mode().Perm()); err != nil {
		return err
	}
	if err := w.conn.copyLog(log, w.monitor.PageSize()); err != nil {
		return err
	}
	return log.Sync()
}

// copyLog writes the content of the log to a file.
func (c *connection) copyLog(to io.Writer, page int64) error {
	return c.below(func(conn *cursor.Conn) error {
		whole, err := conn.LogWhole(page)
		if err == nil && !whole {
			err = file.ErrLogOverwritten
		}
		if err != nil {
			return err
		}
		return conn.CopyLog(to, page)
	})
}
