//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// TryLock takes a lock unless another process has it.
func (l Locks) TryLock(number int64) (bool, error) {
	switch err := l.set(syscall.F_WRLCK, number); {
	case err == nil:
		return true, nil
	case errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES):
		return false, nil
	default:
		return false, err
	}
}

// Unlock ends a lock.
func (l Locks) Unlock(number int64) error { return l.set(syscall.F_UNLCK, number) }

func (l Locks) set(kind int16, number int64) error {
	return syscall.FcntlFlock(l.Fd(), setLock, &syscall.Flock_t{Type: kind, Start: beyond + number, Len: 1})
}
