package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/singleflight"

	"daybook/internal/journal"
)

// memory keeps what long reads found, for as long as the journal tells of no change of
// what they read. Every change of a record through this program is in it, whichever
// process makes it: what was read at one head of the journal is so at any other, when
// nothing of that kind lies between. An edit by another program is not in it, and is
// not seen until that kind is next changed; verifying finds it.
//
// What it keeps is shared, and changed by nobody.
type memory struct {
	flights singleflight.Group
	mu      sync.Mutex
	kept    []recollection // the one that was used last comes last
	size    int            // of all that are kept
}

// recollection is what was found at a head.
type recollection struct {
	what  string
	head  journal.Seq
	size  int
	found any
}

const (
	// mostRemembered is how large all recollections are together: some 20 MB of tallies.
	mostRemembered = 1 << 18
	// leastSize bounds how many there are.
	leastSize = 1 << 8
	// mostBetween is how many entries are looked through to see that none matters.
	mostBetween = 10_000
)

// together does a read of the newest state in one snapshot, once for all who ask for
// the same at one head. What it gives is shared. Unavailable.
func together[T any](ctx context.Context, s *Store, what string, read func(c *scanner, head journal.Seq) (T, error)) (found T, err error) {
	var head journal.Seq
	err = s.scan(ctx, func(c *scanner) (err error) {
		head, err = c.journalHead()
		return err
	})
	if err != nil {
		return found, err
	}
	// The first to ask reads for the others too, whether or not it stays to hear.
	ctx = context.WithoutCancel(ctx)
	shared, err, _ := s.memory.flights.Do(fmt.Sprint(head, " ", what), func() (any, error) {
		var found T
		err := s.scan(ctx, func(c *scanner) error {
			return c.snapshot(func() error {
				head, err := c.journalHead() // of the snapshot
				if err == nil {
					found, err = read(c, head)
				}
				return err
			})
		})
		return found, err
	})
	if err != nil {
		return found, err
	}
	found, _ = shared.(T) // what it asks for alone is called so
	return found, nil
}

// recall returns what is remembered of the entities, or reads it in the snapshot that
// the scanner is in, whose head is given, and remembers it. A value is as large as size
// says.
func recall[T any](
	m *memory, c *scanner, head journal.Seq, what string, size func(T) int, read func() (T, error), of ...journal.Entity,
) (T, error) {
	what = fmt.Sprint(of, " ", what)
	if kept, known := m.find(what); known {
		changed, err := c.changed(kept.head, head, of)
		if err != nil {
			var none T
			return none, err
		}
		if found, ok := kept.found.(T); ok && !changed {
			kept.head = head
			m.keep(kept)
			return found, nil
		}
	}
	found, err := read()
	if err == nil {
		m.keep(recollection{what: what, head: head, size: leastSize + size(found), found: found})
	}
	return found, err
}

func (m *memory) find(what string) (recollection, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.kept {
		if r.what == what {
			return r, true
		}
	}
	return recollection{}, false
}

// keep remembers a recollection instead of an older one, and forgets what was not used
// for longest where there are too many.
func (m *memory) keep(r recollection) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.kept, func(old recollection) bool { return old.what == r.what }); i >= 0 {
		if m.kept[i].head > r.head {
			return // of a newer snapshot
		}
		m.forget(i)
	}
	if r.size > mostRemembered {
		return
	}
	m.kept = append(m.kept, r)
	for m.size += r.size; m.size > mostRemembered; {
		m.forget(0)
	}
}

func (m *memory) forget(i int) {
	m.size -= m.kept[i].size
	m.kept = slices.Delete(m.kept, i, i+1)
}

// journalHead is the number of the newest entry, 0 when there is none.
func (s *scanner) journalHead() (head journal.Seq, err error) {
	err = read(s.head, func() { head = journal.Seq(s.head.Int(0)) })
	return head, err
}

// changed reports whether the journal tells of a change of one of the entities between
// two heads, or of too much to look through.
func (s *scanner) changed(before, now journal.Seq, of []journal.Entity) (changed bool, err error) {
	if before > now || now-before > mostBetween {
		return true, nil
	}
	for _, entity := range of {
		err := read(s.touched, func() { changed = s.touched.Int(0) != 0 }, int64(before), int64(now), string(entity))
		if changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}
