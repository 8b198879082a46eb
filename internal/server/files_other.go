//go:build !linux && !darwin

package server

import "math"

// mostFiles is how many files and connections the system lets this process have open, as
// far as that is known.
func mostFiles() int { return math.MaxInt }
