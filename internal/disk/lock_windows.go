package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func openLocks(path string) (*os.File, error) { return OpenToWrite(path) }

// ReadLocks is Read for a file of locks, which keeps the locks of this process on it.
func ReadLocks(path string, most int64) ([]byte, error) { return Read(path, most) }

// TryLock takes a lock unless another process has it.
func (l Locks) TryLock(number int64) (bool, error) {
	const now = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(l.Fd()), now, 0, 1, 0, place(number))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// Unlock ends a lock.
func (l Locks) Unlock(number int64) error {
	return windows.UnlockFileEx(windows.Handle(l.Fd()), 0, 1, 0, place(number))
}

func place(number int64) *windows.Overlapped {
	at := beyond + number
	return &windows.Overlapped{Offset: uint32(at & 0xffffffff), OffsetHigh: uint32(at >> 32)}
}

// Close ends the locks.
func (l Locks) Close() error { return l.File.Close() }
