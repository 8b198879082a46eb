package server

import (
	"math"
	"testing"
)

// TestConnectionsLeaveFilesToOthers: when a process may open only few files, the server serves fewer
// connections, so that files are left for the database.
func TestConnectionsLeaveFilesToOthers(t *testing.T) {
	for _, c := range []struct{ wanted, files, want int }{
		{2048, math.MaxInt, 2048},
		{2048, 2048 + spareFiles(), 2048},
		{2048, 1024, 1024 - spareFiles()},
		{64, 1024, 64},
		{2048, spareFiles() + 1, (spareFiles() + 1) / 2},
		{2048, 0, 1},
	} {
		if got := affordable(c.wanted, c.files); got != c.want {
			t.Errorf("%d connections of %d files: got %d, want %d", c.wanted, c.files, got, c.want)
		}
	}
}
