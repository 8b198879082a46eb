package sqlite

import (
	"errors"
	"fmt"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/sqlerr"
)

// saveLog copies all of a log into the database that was removed and has no second name, or nothing if a
// reader needs older pages and does not end soon: a part is consistent only together with the log. Such a
// log ends with the last process that has it open.
func (c *connection) saveLog() error {
	if c == nil {
		return file.ErrLogRemoved // the disk failed before, and no connection that writes has that log
	}
	err := c.below((*cursor.Conn).InterruptWhenBusy)
	if err == nil {
		_, err = c.walCheckpoint("TRUNCATE")
	}
	if sqlerr.IsInterrupted(err) {
		var log logState
		if log, err = c.walCheckpoint("NOOP"); err == nil && log.copied < log.pages {
			err = errors.New("another program reads the database as it was before these changes")
		}
	}
	if err != nil {
		return fmt.Errorf("%w; its newest changes are lost: %w", file.ErrLogRemoved, err)
	}
	return nil
}
