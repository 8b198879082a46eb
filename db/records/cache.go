package records

import (
	"slices"
	"sync"

	"daybook/internal/journal"
)

const (
	// cacheCapacity is the most tallies in the cache: about 20 MB.
	cacheCapacity = 1 << 18
	// entryOverhead is added to the size of each entry, and so bounds their number.
	entryOverhead = 1 << 8
	// MostReplayed is how many entries of the journal are replayed to bring a cached sum forward.
	MostReplayed = 10_000
)

// Sums is a sum over the postings of one entity that can be cached.
type Sums[T any] interface {
	// Size is in tallies, of about 80 bytes each.
	Size() int
	// After returns the sum after some changes, and does not change the receiver. It returns false if
	// the changes do not fit the sum, so that one of them is wrong.
	After(changes []Change) (T, bool)
}

// Cache keeps the results of long reads, each with the head of the journal at the read. The journal has
// every change that any process makes through the program, so the entries since the head bring a sum up
// to date. An edit by another program is not in the journal: it is not seen until the sum is read
// again, and app verify finds it.
//
// Readers share the cached values. Nobody may change them.
type Cache struct {
	mu      sync.Mutex
	entries []entry // the last used one is at the end
	size    int     // of all entries
}

// entry is a cached result at a head of the journal.
type entry struct {
	name  string
	head  journal.Seq
	size  int
	found any
}

// Snapshot is the cache as one consistent read of the database sees it: nothing in it is newer than
// that read.
type Snapshot struct {
	cache   *Cache
	known   map[string]entry
	head    journal.Seq
	changes func(after journal.Seq, of journal.Entity) (changes []Change, known bool, err error)
}

// Snapshot returns the present content of the cache. The caller calls it before its read begins, and
// calls At with the head that the read sees.
func (c *Cache) Snapshot() *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make(map[string]entry, len(c.entries))
	for _, e := range c.entries {
		known[e.name] = e
	}
	return &Snapshot{cache: c, known: known}
}

// At sets the head of the journal that the read sees, and the function that reads the changes of an
// entity after an older head in their order. known is false if one of them cannot be read.
func (s *Snapshot) At(head journal.Seq, changes func(after journal.Seq, of journal.Entity) (_ []Change, known bool, err error)) {
	s.head, s.changes = head, changes
}

// Head returns the head of the journal that the read sees.
func (s *Snapshot) Head() journal.Seq { return s.head }

// Cached returns a sum of an entity's postings: the cached one, brought up to date with the snapshot,
// or otherwise the result of read. It caches the sum.
func Cached[T Sums[T]](s *Snapshot, name string, of journal.Entity, read func() (T, error)) (found T, err error) {
	name = string(of) + " " + name
	found, known, err := forwarded[T](s, name, of)
	if err == nil && !known {
		found, err = read()
	}
	if err == nil {
		s.cache.keep(entry{name: name, head: s.head, size: entryOverhead + found.Size(), found: found})
	}
	return found, err
}

// forwarded returns the cached sum with the changes since. It returns false if there is none, or if it
// cannot be brought up to date.
func forwarded[T Sums[T]](s *Snapshot, name string, of journal.Entity) (found T, known bool, err error) {
	cached := s.known[name]
	if found, known = cached.found.(T); !known || cached.head > s.head || s.head-cached.head > MostReplayed {
		return found, false, nil
	}
	changes, known, err := s.changes(cached.head, of)
	if known && len(changes) > 0 {
		found, known = found.After(changes)
	}
	return found, known, err
}

// keep caches an entry in place of an older one. If there are too many, it drops those that were not
// used for longest.
func (c *Cache) keep(e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.entries, func(old entry) bool { return old.name == e.name }); i >= 0 {
		if c.entries[i].head > e.head {
			return // the cached one is of a newer snapshot
		}
		c.drop(i)
	}
	if e.size > cacheCapacity {
		return
	}
	c.entries = append(c.entries, e)
	for c.size += e.size; c.size > cacheCapacity; {
		c.drop(0)
	}
}

func (c *Cache) drop(i int) {
	c.size -= c.entries[i].size
	c.entries = slices.Delete(c.entries, i, i+1)
}
