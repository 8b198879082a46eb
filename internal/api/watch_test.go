package api

import (
	"context"
	"strconv"
	"testing"

	"daybook/internal/journal"
)

// growingJournal is a journal that a test moves on. A read of the kinds of records waits for go on.
type growingJournal struct {
	head    journal.Head
	reading chan struct{}
	goOn    chan struct{}
}

func (*growingJournal) JournalPage(context.Context, journal.Filter) ([]journal.Entry, error) {
	return nil, nil
}

func (*growingJournal) Undo(_ context.Context, of journal.Range, _ func(journal.Entry) error) (journal.Undone, error) {
	return journal.Undone{Range: of}, nil
}

func (j *growingJournal) JournalHead(context.Context) (journal.Head, error) { return j.head, nil }

func (j *growingJournal) JournalEntities(context.Context, journal.Seq, journal.Seq) ([]journal.Entity, error) {
	j.reading <- struct{}{}
	<-j.goOn
	return []journal.Entity{journal.Trades}, nil
}

func headAt(seq byte) journal.Head {
	return journal.Head{Seq: journal.Seq(seq), Hash: journal.Hash{seq}}
}

// TestEventsDoNotGoBack: a subscriber that joins while the watch reads an older state of the journal is
// not told of that state. As a control, one that joined before is told.
func TestEventsDoNotGoBack(t *testing.T) {
	j := &growingJournal{headAt(5), make(chan struct{}), make(chan struct{})}
	w := newWatch(j, 8)
	join := func() *subscriber {
		l, err := w.enter("one")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.join(t.Context(), l, nil); err != nil {
			t.Fatal(err)
		}
		return l
	}
	before := join()
	w.stop() // the test polls itself
	j.head = headAt(6)
	polled := make(chan struct{})
	go func() { w.poll(context.Background()); close(polled) }()
	<-j.reading
	j.head = headAt(8)
	during := join()
	j.goOn <- struct{}{}
	<-polled
	select {
	case got := <-during.changes:
		t.Errorf("one that knows entry 8: got %+v, want nothing", got)
	default:
	}
	if got := <-before.changes; got.Seq != 6 {
		t.Errorf("one that knows entry 5: got entry %d, want 6", got.Seq)
	}
}

// TestFewConnectionsHaveFewStreams: the streams at once are those that the configuration allows, and one
// client has a quarter of them. So streams cannot hold every connection.
func TestFewConnectionsHaveFewStreams(t *testing.T) {
	w := newWatch(&growingJournal{}, 8)
	for i := range 3 {
		if _, err := w.enter("one"); (err != nil) != (i == 2) {
			t.Errorf("stream %d of one client: got %v, want an error for the third only", i+1, err)
		}
	}
	for i := range 7 {
		if _, err := w.enter(strconv.Itoa(i)); (err != nil) != (i == 6) {
			t.Errorf("stream %d of others: got %v, want an error for the seventh only", i+1, err)
		}
	}
}
