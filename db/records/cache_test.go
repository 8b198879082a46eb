package records

import (
	"fmt"
	"testing"
)

// TestTheCacheIsBounded: the cache never exceeds its capacity. It refuses an entry that is larger than
// that, and keeps the newer of two entries with the same name.
func TestTheCacheIsBounded(t *testing.T) {
	c := &Cache{}
	for i := range 3 * cacheCapacity / entryOverhead {
		c.keep(entry{name: fmt.Sprint(i), head: 1, size: entryOverhead + i%7})
		if c.size > cacheCapacity {
			t.Fatalf("got a size of %d, want at most %d", c.size, cacheCapacity)
		}
	}
	size := 0
	for _, r := range c.entries {
		size += r.size
	}
	if size != c.size {
		t.Errorf("got a size of %d, want the sum of the entries %d", c.size, size)
	}
	newest := c.entries[len(c.entries)-1]
	c.keep(entry{name: "huge", head: 1, size: cacheCapacity + 1})
	if _, known := c.Snapshot().known["huge"]; known {
		t.Error("got an entry that is too large cached, want it refused")
	}
	if _, known := c.Snapshot().known[newest.name]; !known {
		t.Errorf("the newest entry %s: got it dropped, want it cached", newest.name)
	}
	c.keep(entry{name: newest.name, head: 0, size: entryOverhead})
	if got := c.Snapshot().known[newest.name]; got.head != newest.head {
		t.Errorf("got the entry of head %d, want that of the newer %d", got.head, newest.head)
	}
}
