package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"daybook/db/sqlite/sqlerr"
)

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

// sameLogAs checks that the write-ahead log beside the file is still the one that info describes. The
// content of a removed log is lost when the last process that has it open ends. Where a log was removed, the next
// program that reads the database makes an empty one.
func (f File) sameLogAs(info os.FileInfo) error {
	switch now, err := os.Stat(f.Path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrLogRemoved
	case err == nil && os.SameFile(info, now):
		return nil
	case err == nil && now.Size() == 0:
		return ErrLogRemoved
	}
	return ErrLogReplaced
}

// sameIndexAs checks that the index of the log beside the file is still the one that info describes. If
// it was replaced, two processes would append to the log at the same place. If it was truncated, a
// process that reads it would crash.
func (f File) sameIndexAs(info os.FileInfo) error {
	const least = 32 << 10 // bytes that SQLite maps in one piece
	now, err := os.Stat(f.Path + "-shm")
	if err != nil || !os.SameFile(info, now) || now.Size() < least {
		return sqlerr.ErrIndexRemoved
	}
	return nil
}
