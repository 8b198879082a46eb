package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// setLock is the lock of an open file: it ends when that file is closed, and also keeps out others of
// this process.
const setLock = unix.F_OFD_SETLK

func openLocks(path string) (*os.File, error) { return OpenToWrite(path) }

// ReadLocks is Read for a file of locks, which keeps the locks of this process on it.
func ReadLocks(path string, most int64) ([]byte, error) { return Read(path, most) }

// Close ends the locks.
func (l Locks) Close() error { return l.File.Close() }
