package disk

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// claimed is the byte of a file that Claim locks: far beyond what SQLite locks, and beyond
// the end of the largest database.
const claimed = 1 << 62

// Claim locks a file until release is called. The lock is on the file itself, so that
// nobody takes it away by removing a name. taken: another holds it. Where the file may not
// be written, or the system has no such locks, nothing is locked.
//
// Both an error and release close a descriptor of the file, which drops the locks that
// SQLite has on it in this process: the process has the file open in no other way then.
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
			return nil, false, errors.Join(errors.New("a process that may be another user's, and is no server, keeps it locked; find it with lsof"), file.Close())
		}
		return nil, true, file.Close()
	case errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP):
		return nothing, false, file.Close()
	default:
		return nil, false, errors.Join(err, file.Close())
	}
}
