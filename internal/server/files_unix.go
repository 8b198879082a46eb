//go:build linux || darwin

package server

import (
	"math"
	"syscall"
)

// mostFiles is how many files and connections the system lets this process have open. Go
// raises that to the hard limit when a process starts.
func mostFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt // it is not known, and may be large
	}
	return int(min(limit.Cur, math.MaxInt))
}
