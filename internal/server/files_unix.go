//go:build linux || darwin

package server

import (
	"math"
	"syscall"
)

// mostFiles is how many open files and connections the system allows this process. Go raises that to
// the hard limit when a process starts.
func mostFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt // unknown, and perhaps large
	}
	return int(min(limit.Cur, math.MaxInt))
}
