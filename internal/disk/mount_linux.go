package disk

import "golang.org/x/sys/unix"

// Mounted reports whether a file is itself a mount point, so that it has another name elsewhere. A
// system that cannot tell reports false.
func Mounted(path string) (bool, error) {
	var s unix.Statx_t
	switch err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, 0, &s); err {
	case nil:
		return s.Attributes&s.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0, nil
	case unix.ENOSYS, unix.EPERM: // an old kernel, or a container without statx
		return false, nil
	default:
		return false, err
	}
}
