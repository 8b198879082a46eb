package disk

import "golang.org/x/sys/unix"

// unit is the number of bytes in which the file system counts its space. In statfs(2) of Linux, Bsize
// is the size of a transfer, which is 256 times larger on some shares of virtual machines.
func unit(s *unix.Statfs_t) int64 {
	if s.Frsize > 0 {
		return s.Frsize
	}
	return s.Bsize
}
