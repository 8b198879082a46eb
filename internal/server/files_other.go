//go:build !linux && !darwin

package server

import "math"

// mostFiles is how many open files and connections the system allows this process, as far as known.
func mostFiles() int { return math.MaxInt }
