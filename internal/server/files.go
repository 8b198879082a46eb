package server

import "runtime"

// spareFiles is how many files a process needs besides its connections: the database, for which each
// reader has two open and there may be a reader for each processor, backups, certificates, listeners,
// and connections that wait for a place.
func spareFiles() int { return 128 + 2*runtime.NumCPU() }

// Affordable returns how many of the given number of connections this process can serve at once. With
// more, it could accept none and could not open the files of the database.
func Affordable(connections int) int { return affordable(connections, mostFiles()) }

// affordable leaves half of the files to connections if there are very few.
func affordable(connections, files int) int {
	return min(connections, max(files-spareFiles(), files/2, 1))
}
