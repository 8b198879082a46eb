//go:build linux || darwin || freebsd

package disk

import "golang.org/x/sys/unix"

// Room returns how many bytes a process may still write to the disk that a folder is
// on, and how many the disk holds in all.
func Room(dir string) (free, all int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	size := int64(s.Bsize) //nolint:unconvert // its type is another on each system
	return int64(s.Bavail) * size, int64(s.Blocks) * size, nil
}
