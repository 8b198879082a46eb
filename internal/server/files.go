package server

import "runtime"

// spareFiles is how many files a process needs besides its connections: the database, of
// which each reader has two open and of which there may be one for each processor, its
// backups, certificates, what listens, and connections that wait for a place.
func spareFiles() int { return 128 + 2*runtime.NumCPU() }

// Affordable is how many of so many connections this process can serve at once. With more,
// none could be accepted any more, and the database could not open its files.
func Affordable(connections int) int { return affordable(connections, mostFiles()) }

// affordable leaves half of very few files to connections.
func affordable(connections, files int) int {
	return min(connections, max(files-spareFiles(), files/2, 1))
}
