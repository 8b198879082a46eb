package api

import (
	"context"
	"slices"
	"sync"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// The bounds of a watch.
const (
	mostListeners = 256         // at once
	mostOfOne     = 64          // of these, for one principal
	lookEvery     = time.Second // at the head of the journal
	mostLooked    = 10_000      // entries; of more it is not told what they are of
)

// watch looks at the journal for all who listen, while anyone does, so that what other
// processes write is seen too.
type watch struct {
	journal journal.Store

	mu        sync.Mutex
	listeners map[*listener]bool // those that are told
	entered   int                // these, and those that are about to be told
	held      map[string]int     // how many of all each principal has
	seen      journal.Head       // what all listeners were told of
	stop      context.CancelFunc // of the goroutine that looks; nil while there is none
}

func newWatch(j journal.Store) *watch {
	return &watch{journal: j, listeners: map[*listener]bool{}, held: map[string]int{}}
}

// listener is told of changes. It holds what was not taken yet as one change.
type listener struct {
	principal string
	changes   chan changeBody
	told      changeBody // the last
}

// tell is called under the lock of the watch alone.
func (l *listener) tell(change changeBody) {
	if change.Seq == l.told.Seq && change.Hash == l.told.Hash {
		return
	}
	l.told = change
	select {
	case before := <-l.changes:
		change.Entities = union(before.Entities, change.Entities)
	default:
	}
	l.changes <- change
}

func union(a, b []journal.Entity) []journal.Entity {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// enter returns a listener of a principal, to be given to leave. It is told nothing before
// it joins. TooMany: the principal has its share of the listeners. Unavailable: too many
// listen.
func (w *watch) enter(principal string) (*listener, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[principal] == mostOfOne {
		return nil, fault.New(gate.TooMany, "%d pages of yours listen already; close some", mostOfOne)
	}
	if w.entered == mostListeners {
		return nil, fault.New(fault.Unavailable, "%d pages listen already; close some", mostListeners)
	}
	w.entered++
	w.held[principal]++
	return &listener{principal: principal, changes: make(chan changeBody, 1)}, nil
}

// join begins to tell a listener of changes, and returns where the journal is: with what
// changed after an entry, or with nothing where that is nil. Unavailable: the journal cannot
// be read.
func (w *watch) join(ctx context.Context, l *listener, after *journal.Seq) (changeBody, error) {
	head, err := w.journal.JournalHead(ctx)
	if err != nil {
		return changeBody{}, err
	}
	first := changeAt(head, []journal.Entity{})
	if after != nil {
		if first.Entities, err = w.changed(ctx, *after, head.Seq); err != nil {
			return changeBody{}, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listeners[l] = true
	l.told = first
	switch {
	case w.stop == nil:
		w.begin(head)
	case w.seen.Seq > head.Seq: // the others were told in the meantime
		l.tell(changeAt(w.seen, journal.Entities()))
	}
	return first, nil
}

func (w *watch) begin(from journal.Head) {
	ctx, stop := context.WithCancel(context.Background())
	w.seen, w.stop = from, stop
	go w.run(ctx)
}

// leave lets a listener go, and ends the looking with the last.
func (w *watch) leave(l *listener) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.listeners, l)
	w.entered--
	w.held[l.principal]--
	if w.held[l.principal] == 0 {
		delete(w.held, l.principal)
	}
	if len(w.listeners) == 0 && w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

func (w *watch) run(ctx context.Context) {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			w.look(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// look tells the listeners what happened since it looked last. Where the journal cannot be
// read the next look tells it; health says what is wrong.
func (w *watch) look(ctx context.Context) {
	w.mu.Lock()
	seen := w.seen
	w.mu.Unlock()
	head, err := w.journal.JournalHead(ctx)
	if err != nil || head.Seq == seen.Seq {
		return
	}
	entities, err := w.changed(ctx, seen.Seq, head.Seq)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return // the last listener has left, and w is another's
	}
	w.seen = head
	for l := range w.listeners {
		l.tell(changeAt(head, entities))
	}
}

// changed returns the kinds of records that entries are of, in the order of the alphabet:
// all kinds, when the entries are too many to look at, or are another database's.
func (w *watch) changed(ctx context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	if after < 0 || after > through || through-after > mostLooked {
		return union(journal.Entities(), nil), nil
	}
	entities, err := w.journal.JournalEntities(ctx, after, through)
	return union(entities, []journal.Entity{}), err
}
