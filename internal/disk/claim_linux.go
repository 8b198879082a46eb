package disk

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// claimed is the offset of the byte that Claim locks: beyond the bytes that SQLite locks, and beyond
// the end of the largest database.
const claimed = 1 << 62

// Claim locks a file until release is called. The lock is on the file itself, so
// removing a name does not end it. taken: another process has the lock. If the file may not
// be written, or the system has no such locks, Claim locks nothing.
//
// An error and release close a descriptor of the file, which drops the locks that
// SQLite has on it in this process. So the process must not have the file open otherwise.
func Claim(path string) (release func() error, taken bool, err error) {
	nothing := func() error { return nil }
	file, err := OpenToWrite(path)
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS):
		return nothing, false, nil
	case err != nil:
		return nil, false, err
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: claimed, Len: 1}
	switch err := unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, &lock); {
	case err == nil:
		return file.Close, false, nil
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		if err := unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, &lock); err == nil && lock.Type == unix.F_RDLCK {
			return nil, false, errors.Join(errors.New("a process that is not a server keeps it locked, perhaps one of another user; find it with lsof"), file.Close())
		}
		return nil, true, file.Close()
	case errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP):
		return nothing, false, file.Close()
	default:
		return nil, false, errors.Join(err, file.Close())
	}
}
