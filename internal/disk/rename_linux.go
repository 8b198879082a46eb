package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameToFree(from, to string) error {
	switch err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE); err {
	case unix.EINVAL, unix.ENOSYS, unix.EPERM: // a file system, kernel or container without it
		return errors.ErrUnsupported
	default:
		return err
	}
}
