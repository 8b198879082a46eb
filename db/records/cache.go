package records

import (
	"slices"
	"sync"

	"daybook/internal/journal"
)

const (
	// cacheCapacity is the size of all that is cached together: some 20 MB of tallies.
	cacheCapacity = 1 << 18
	// entryOverhead bounds how many entries there are.
	entryOverhead = 1 << 8
	// MostReplayed is how many entries of the journal are replayed to bring a cached sum forward.
	MostReplayed = 10_000
)

// Sums is a sum over the postings of one entity that can be cached.
type Sums[T any] interface {
	// Size is in tallies, of about 80 bytes each.
	Size() int
	// After returns the sum after some changes, and leaves the receiver as it is. It returns false
	// where these cannot be changes of it, so that one or the other is wrong.
	After(changes []Change) (T, bool)
}

// Cache keeps what long reads found, each with the head of the journal that it was read at. Every
// change through the program is in the journal, whichever process makes it, so that a sum is
// brought forward by the entries since its head. An edit by another program is not in the journal:
// it is not seen until the sum is read again, and verifying finds it.
//
// What is cached is shared. Nobody may change it.
type Cache struct {
	mu      sync.Mutex
	entries []entry // the one that was used last comes last
	size    int     // of all entries
}

// entry is what was found at a head of the journal.
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

// Snapshot takes what is cached now. The caller calls it before its read begins, and calls At with
// what that read sees.
func (c *Cache) Snapshot() *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make(map[string]entry, len(c.entries))
	for _, e := range c.entries {
		known[e.name] = e
	}
	return &Snapshot{cache: c, known: known}
}

// At says which head of the journal the read sees, and how it reads the changes of an entity after an
// older head. These are in their order; known is false where one of them cannot be read.
func (s *Snapshot) At(head journal.Seq, changes func(after journal.Seq, of journal.Entity) (_ []Change, known bool, err error)) {
	s.head, s.changes = head, changes
}

// Head returns the head of the journal that the read sees.
func (s *Snapshot) Head() journal.Seq { return s.head }

// Cached returns a sum of an entity's postings: the cached one, brought forward to the snapshot, or
// else what read returns; and caches it.
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

// forwarded returns the cached sum with the changes since; false where there is none, or where it
// cannot be brought forward.
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

// keep caches an entry in place of an older one, and drops those that were not used for longest
// where there are too many.
func (c *Cache) keep(e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.entries, func(old entry) bool { return old.name == e.name }); i >= 0 {
		if c.entries[i].head > e.head {
			return // of a newer snapshot
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
