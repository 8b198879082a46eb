//go:build darwin || freebsd

package disk

import "golang.org/x/sys/unix"

// unit is the number of bytes in which the file system counts its space.
func unit(s *unix.Statfs_t) int64 { return int64(s.Bsize) } //nolint:unconvert // its type is another on each system
