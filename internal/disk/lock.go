package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Locks is an open file that stands for several locks, which have numbers. A lock is on a byte far
// beyond the end of the file, so that other processes can read and write what it holds. It ends when its
// process ends.
type Locks struct{ *os.File }

// OpenLocks opens a file of locks, and makes it as Create does if there is none.
func OpenLocks(path string) (Locks, error) {
	made, err := Create(path)
	if err == nil {
		err = made.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return Locks{}, err
	}
	return OpenExistingLocks(path)
}

// OpenExistingLocks is OpenLocks for a file that exists. It makes none: the error is fs.ErrNotExist.
func OpenExistingLocks(path string) (Locks, error) {
	file, err := openLocks(path)
	return Locks{file}, err
}

// Lock waits for a lock until ctx ends; then the error is that of ctx.
func (l Locks) Lock(ctx context.Context, number int64) error {
	const pause = 20 * time.Millisecond
	for {
		locked, err := l.TryLock(number)
		if err != nil || locked {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// beyond is the offset of the byte that is lock 0: beyond the bytes that SQLite locks, and beyond the
// end of the largest file.
const beyond = 1 << 62
