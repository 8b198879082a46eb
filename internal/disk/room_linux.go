package disk

import "golang.org/x/sys/unix"

// unit is what the file system counts its room in: statfs(2) on Linux has the size of a transfer
// in Bsize, which is 256 times larger on some shares of virtual machines.
func unit(s *unix.Statfs_t) int64 {
	if s.Frsize > 0 {
		return s.Frsize
	}
	return s.Bsize
}
