package disk

import (
	"math"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRoomIsCountedInFragments: free space is counted in fragments. A file system may report a larger
// block size for transfers; counting in those would overestimate the free space.
func TestRoomIsCountedInFragments(t *testing.T) {
	for _, c := range []struct{ fragment, transfer, want int64 }{{4096, 1 << 20, 4096}, {4096, 4096, 4096}, {0, 512, 512}} {
		if got := unit(&unix.Statfs_t{Frsize: c.fragment, Bsize: c.transfer}); got != c.want {
			t.Errorf("fragments of %d, transfers of %d: got %d, want %d", c.fragment, c.transfer, got, c.want)
		}
	}
	if got := bytesOf(1<<62, 4096); got != math.MaxInt64 {
		t.Errorf("a disk larger than an int64: got %d bytes, want %d", got, int64(math.MaxInt64))
	}
}
