//go:build linux || darwin || freebsd

package disk

import (
	"math"

	"golang.org/x/sys/unix"
)

// Room returns how many bytes a process may still write to the disk of a folder, and how many the disk
// holds in all.
func Room(dir string) (free, all int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	size := unit(&s)
	return bytesOf(int64(s.Bavail), size), bytesOf(int64(s.Blocks), size), nil
}

// bytesOf returns the bytes in that many units. Some file systems report more than can be counted.
func bytesOf(units, size int64) int64 {
	if size > 0 && units > math.MaxInt64/size {
		return math.MaxInt64
	}
	return units * size
}
