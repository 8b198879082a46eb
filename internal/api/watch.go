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
	pollEvery  = time.Second // the head of the journal
	mostPolled = 10_000      // entries; after more, every kind of record counts as changed
)

// watch polls the journal for all subscribers, while there are any, so that it also sees the writes of
// other processes.
type watch struct {
	journal journal.Store
	most    int // subscribers at once; of these a quarter for one client

	mu          sync.Mutex
	subscribers map[*subscriber]bool // those that joined
	entered     int                  // all subscribers, also those that have not joined yet
	held        map[string]int       // subscribers by client
	seen        journal.Head         // the head that all subscribers know
	stop        context.CancelFunc   // ends the goroutine that polls; nil if there is none
}

func newWatch(j journal.Store, most int) *watch {
	return &watch{journal: j, most: max(1, most), subscribers: map[*subscriber]bool{}, held: map[string]int{}}
}

// subscriber is told of changes. Changes that it has not taken yet are merged into one.
type subscriber struct {
	client  string
	changes chan changeBody
	told    changeBody // the last
}

// tell must be called under the lock of the watch.
func (l *subscriber) tell(change changeBody) {
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

// count is the number of subscribers.
func (w *watch) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entered
}

// enter returns a subscriber of a client, which must leave. It is told nothing before it joins.
// TooMany: the client has too many. Unavailable: all clients have too many.
func (w *watch) enter(client string) (*subscriber, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ofOne := max(1, w.most/4); w.held[client] == ofOne {
		return nil, fault.New(gate.TooMany, "you have %d streams of events open already; close some", ofOne)
	}
	if w.entered == w.most {
		return nil, fault.New(fault.Unavailable, "%d streams of events are open already; close some", w.most)
	}
	w.entered++
	w.held[client]++
	return &subscriber{client: client, changes: make(chan changeBody, 1)}, nil
}

// join begins to tell a subscriber of changes. It returns the head of the journal, with what changed
// after an entry, or with nothing if that is nil. Unavailable: the journal cannot be read.
func (w *watch) join(ctx context.Context, l *subscriber, after *journal.Seq) (changeBody, error) {
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
	w.subscribers[l] = true
	l.told = first
	switch {
	case w.stop == nil:
		w.begin(head)
	case w.seen.Seq > head.Seq: // the others were told meanwhile
		l.tell(changeAt(w.seen, journal.Entities()))
	}
	return first, nil
}

func (w *watch) begin(from journal.Head) {
	ctx, stop := context.WithCancel(context.Background())
	w.seen, w.stop = from, stop
	go w.run(ctx)
}

// leave removes a subscriber, and ends the polling with the last one.
func (w *watch) leave(l *subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.subscribers, l)
	w.entered--
	w.held[l.client]--
	if w.held[l.client] == 0 {
		delete(w.held, l.client)
	}
	if len(w.subscribers) == 0 && w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

func (w *watch) run(ctx context.Context) {
	every := time.NewTicker(pollEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			w.poll(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// poll tells the subscribers what changed since the last poll. If it cannot read the journal, the next
// poll reports the changes, and health reports the reason.
func (w *watch) poll(ctx context.Context) {
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
		return // the last subscriber has left, and others may have come
	}
	w.seen = head
	for l := range w.subscribers {
		if l.told.Seq <= head.Seq { // one that joined during the read may know more
			l.tell(changeAt(head, entities))
		}
	}
}

// changed returns the kinds of records that changed in a range of entries, sorted: all kinds if there
// are too many entries, or if they are of another database.
func (w *watch) changed(ctx context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	if after < 0 || after > through || through-after > mostPolled {
		return union(journal.Entities(), nil), nil
	}
	entities, err := w.journal.JournalEntities(ctx, after, through)
	return union(entities, []journal.Entity{}), err
}
