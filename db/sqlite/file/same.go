package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"daybook/db/sqlite/sqlerr"
)

// SameAs returns what the path leads to, which must still be the file that info describes.
func (f File) SameAs(info os.FileInfo) (os.FileInfo, error) {
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
	// ErrLogRemoved is the error of a file whose log is gone.
	ErrLogRemoved = errors.New("the write-ahead log beside the database was removed; stop the server and start it again")
	// ErrLogReplaced is the error of a file beside which another log lies.
	ErrLogReplaced = errors.New("the write-ahead log beside the database was replaced by another; stop the server, start it again, and run app verify")
)

// sameLogAs reports whether the write-ahead log beside the file is still the one that
// info describes. Without it, what it held would be gone with the last process that
// has it open.
func (f File) sameLogAs(info os.FileInfo) error {
	switch now, err := os.Stat(f.Path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrLogRemoved
	case err != nil || !os.SameFile(info, now):
		return ErrLogReplaced
	}
	return nil
}

// sameIndexAs reports whether the index of the log beside the file is still the one that
// info describes. Otherwise another process makes a new one, and both append to the log at
// the same place. One that was cut off ends a process that reads it.
func (f File) sameIndexAs(info os.FileInfo) error {
	const least = 32 << 10 // bytes that SQLite maps at once
	now, err := os.Stat(f.Path + "-shm")
	if err != nil || !os.SameFile(info, now) || now.Size() < least {
		return sqlerr.ErrIndexRemoved
	}
	return nil
}
