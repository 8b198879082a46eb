package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
)

// memory keeps what long reads found, and has it follow the journal. Every change of a
// record through this program is in it, whichever process makes it: what was read at one
// head of the journal is so at a later one, but for what the entries between them tell.
// An edit by another program is not in it, and is not seen until all is read anew;
// verifying finds it.
//
// What it keeps is shared, and changed by nobody.
type memory struct {
	flights flights
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
	// mostBetween is how many entries are gone through to bring something forward.
	mostBetween = 10_000
)

// view is a snapshot, and what was remembered before it began: none of it is of a
// later one.
type view struct {
	*scanner
	memory *memory
	known  map[string]recollection // by what
	head   journal.Seq
}

// view does reads of the newest state that must agree. Unavailable.
func (s *Store) view(ctx context.Context, read func(*view) error) error {
	return s.snapshot(ctx, func(c *scanner) (err error) {
		v := &view{scanner: c, memory: s.memory, known: s.memory.known()} // before the first read, with which the snapshot begins
		if v.head, err = c.journalHead(); err != nil {
			return err
		}
		return read(v)
	})
}

// landed is what a flight found, and at which head.
type landed[T any] struct {
	found T
	head  journal.Seq
}

// together does a read of the newest state, one at a time for all who ask for the same.
// Nobody is given what was so before it asked. What it gives is shared. It is interrupted
// when all who asked have gone. Unavailable.
func together[T any](ctx context.Context, s *Store, what string, read func(*view) (T, error)) (found T, err error) {
	var asked journal.Seq
	err = s.scan(ctx, func(c *scanner) (err error) {
		asked, err = c.journalHead()
		return err
	})
	if err != nil {
		return found, err
	}
	for range 2 { // the first may have begun before this one asked; the second cannot have
		var shared any
		shared, err = s.memory.flights.do(ctx, what, func(ctx context.Context) (any, error) {
			var l landed[T]
			err := s.view(ctx, func(v *view) (err error) {
				l.head = v.head
				l.found, err = read(v)
				return err
			})
			return l, err
		})
		l, _ := shared.(landed[T]) // what it asks for alone is called so
		if found = l.found; l.head >= asked {
			break
		}
	}
	return found, sqlerr.Classify(err)
}

// memorable is what can be remembered of one kind of records.
type memorable[T any] interface {
	// size counts what is as large as a tally.
	size() int
	// after returns what it is after some changes, and leaves itself as it is; false
	// where they cannot be changes of it, so that one or the other is wrong.
	after(changes []change) (T, bool)
}

// recall returns what is remembered of an entity's records, brought forward to the
// view, or else reads it; and remembers it.
func recall[T memorable[T]](v *view, what string, of journal.Entity, read func() (T, error)) (found T, err error) {
	what = fmt.Sprint(of, " ", what)
	found, known, err := brought[T](v, what, of)
	if err == nil && !known {
		found, err = read()
	}
	if err == nil {
		v.memory.keep(recollection{what: what, head: v.head, size: leastSize + found.size(), found: found})
	}
	return found, err
}

// brought returns what is remembered, with the changes since; false where it is not
// known, or not how it changed.
func brought[T memorable[T]](v *view, what string, of journal.Entity) (found T, known bool, err error) {
	kept := v.known[what]
	if found, known = kept.found.(T); !known {
		return found, false, nil
	}
	changes, known, err := v.changesSince(kept.head, of)
	if known && len(changes) > 0 {
		found, known = found.after(changes)
	}
	return found, known, err
}

// known are the recollections at this time, by what.
func (m *memory) known() map[string]recollection {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := make(map[string]recollection, len(m.kept))
	for _, r := range m.kept {
		known[r.what] = r
	}
	return known
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
	err = s.head.Read(func() { head = journal.Seq(s.head.Int(0)) })
	return head, err
}
