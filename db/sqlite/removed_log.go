package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/disk"
)

// A write-ahead log that was removed is still open, and goes with the last process that has it
// open. What only the log holds is copied into the database, all of it or nothing: a copy of a
// part makes sense only together with the log. SQLite copies a part where a reader needs older
// pages. There the log is put back under its name when the server ends. It is not put back before,
// because another process would write to the new file, and this one reads the old one.

// save copies all of a removed log into the database. fresh: SQLite writes the log from its
// beginning again, so that the index of the log speaks of none. The error says that nothing was
// copied, and why.
func (w *writer) save() (fresh bool, err error) {
	if w.conn == nil {
		return false, errLogRemoved // the disk failed before, and no other connection leads to that log
	}
	log, err := w.conn.copyWhole()
	if err == nil && log.pages != log.copied {
		err = errors.New("a report or another program reads the database as it was before these changes; the server writes them to a new log when it stops")
	}
	if err != nil {
		return false, fmt.Errorf("%w; its newest changes are not in the database yet: %w", errLogRemoved, err)
	}
	return log.pages == 0, nil
}

// copyWhole copies all of the log into the database, or nothing where a reader does not end soon
// that needs older pages. It returns what the log is like then.
func (c *connection) copyWhole() (log logState, err error) {
	defer func() { _ = c.exec("PRAGMA busy_timeout = 5000") }() // a connection that fails this fails its next BEGIN too
	if err := c.below((*cursor.Conn).InterruptWhenBusy); err != nil {
		return log, err
	}
	if _, err := c.walCheckpoint("TRUNCATE"); err != nil && resultCode(err)&0xff != sqlite3.SQLITE_INTERRUPT {
		return log, err
	}
	return c.walCheckpoint("NOOP")
}

// saveAtEnd is save as the last thing that is done with the connection. What could not be
// copied is in a log again afterwards.
func (w *writer) saveAtEnd() error {
	fresh, err := w.save()
	if fresh || w.conn == nil {
		return err
	}
	if harm := w.putBack(); harm != nil && err != nil {
		return errors.Join(err, fmt.Errorf("the log could not be put back: %w", harm))
	}
	return nil
}

// putBack writes a removed log to a new file of its name. A kill leaves all of it there or nothing.
// From then on another process may write to that file, so that closing the connection copies nothing.
func (w *writer) putBack() error {
	if err := w.conn.exec("BEGIN IMMEDIATE"); err != nil { // nobody else writes to the log meanwhile
		return err
	}
	defer func() { _ = w.conn.exec("ROLLBACK") }() // the connection is closed next
	draft := w.file.path + logDraft
	err := w.writeLog(draft)
	if err == nil {
		err = disk.Rename(draft, w.file.path+"-wal")
	}
	if err != nil {
		return errors.Join(err, remove(draft))
	}
	return errors.Join(w.conn.keepLog(), w.file.sync(filepath.Dir(w.file.path)))
}

// writeLog writes the log to a new file, for all who may use the database, as SQLite does.
func (w *writer) writeLog(to string) (err error) {
	database, err := os.Stat(w.file.path)
	if err != nil {
		return err
	}
	file, err := disk.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Chmod(database.Mode().Perm()); err != nil {
		return err
	}
	if err := w.conn.copyLog(file, w.witness.page); err != nil {
		return err
	}
	return file.Sync()
}

// copyLog writes what the log holds to a file.
func (c *connection) copyLog(to io.Writer, page int64) error {
	return c.below(func(conn *cursor.Conn) error {
		whole, err := conn.LogWhole(page)
		if err == nil && !whole {
			err = errLogOverwritten
		}
		if err != nil {
			return err
		}
		return conn.CopyLog(to, page)
	})
}
