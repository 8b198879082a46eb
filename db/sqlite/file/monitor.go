package file

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// Monitor tells whether the names of the database, its log and the index of that still lead to the files
// that are open. SQLite does not notice when somebody moves or removes them: it goes on to acknowledge
// writes that no restart would find.
type Monitor struct {
	file  File
	names [3]os.FileInfo // the database, its log and the index of that, as they were opened
}

// Monitor takes the present files of an open database as good.
func (f File) Monitor() (*Monitor, error) {
	w := &Monitor{file: f}
	for i, part := range []string{"", "-wal", "-shm"} {
		var err error
		if w.names[i], err = os.Stat(f.Path + part); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Named checks that each name still leads to the open file.
func (w *Monitor) Named() error {
	if _, err := w.file.sameAs(w.names[0]); err != nil {
		return err
	}
	return cmp.Or(w.sameLog(), w.sameIndex())
}

// MayCopyLog refuses a copy of the log into the database after which another process would lose what it
// wrote, because the log or the index has been replaced. A log that only lost its name may be copied.
func (w *Monitor) MayCopyLog() error {
	if err := w.sameLog(); err != nil && !errors.Is(err, ErrLogRemoved) {
		return err
	}
	return w.sameIndex()
}

// sameAs returns the state of the file that has the path. It must still be the file that info
// describes.
func (f File) sameAs(info os.FileInfo) (os.FileInfo, error) {
	now, err := os.Stat(f.Path)
	if err != nil {
		return nil, fmt.Errorf("the database file is gone: %w", err)
	}
	if !os.SameFile(info, now) {
		return nil, errors.New("the database file was replaced by another")
	}
	return now, nil
}

var (
	// ErrLogRemoved is the error of a file whose log was removed.
	ErrLogRemoved = errors.New("the write-ahead log beside the database was removed; end other programs that have the database open, then stop the server and start it again")
	// ErrLogReplaced is the error of a file whose log was replaced by another.
	ErrLogReplaced = errors.New("the write-ahead log beside the database was replaced by another; stop the server, start it again, and run app verify")
)

// sameLog checks the write-ahead log. The content of a removed log is lost when the last process that has it
// open ends. Where a log was removed, the next program that reads the database makes an empty one.
func (w *Monitor) sameLog() error {
	switch now, err := os.Stat(w.file.Path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrLogRemoved
	case err == nil && os.SameFile(w.names[1], now):
		return nil
	case err == nil && now.Size() == 0:
		return ErrLogRemoved
	}
	return ErrLogReplaced
}

// sameIndex checks the index of the log. If it was replaced, two processes would append to the log at the
// same place. If it was truncated, a process that reads it would crash.
func (w *Monitor) sameIndex() error {
	const least = 32 << 10 // bytes that SQLite maps in one piece
	now, err := os.Stat(w.file.Path + "-shm")
	if err != nil || !os.SameFile(w.names[2], now) || now.Size() < least {
		return sqlerr.ErrIndexRemoved
	}
	return nil
}

// Unreachable is the error of a database that fails the check of its monitor. Unavailable.
func Unreachable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
}
