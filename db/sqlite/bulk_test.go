package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// sendAlone is send for work that has a transaction for itself.
func sendAlone(ctx context.Context, t *testing.T, s *Store, w work) <-chan error {
	t.Helper()
	r := &request{ctx: ctx, work: w, done: make(chan error, 1), alone: true}
	if err := s.writer.requests.Add(journal.OriginOf(ctx).Actor, r); err != nil {
		t.Fatal(err)
	}
	return r.done
}

// TestWorkAloneHasOneTransactionAndOneLink: work that runs alone shares its transaction with none of the requests
// before and after it, and has one link over all of its entries, more than are held in memory. A start checks it.
func TestWorkAloneHasOneTransactionAndOneLink(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	before := send(t.Context(), t, s, registerMany("A", 2))
	alone := sendAlone(t.Context(), t, s, registerMany("B", 2*chain.MostHeld+1))
	after := send(t.Context(), t, s, registerMany("C", 2))
	release()
	if err := errors.Join(<-before, <-alone, <-after, sqlitetest.Verified(t.Context(), s.file.Path)); err != nil {
		t.Fatal(err)
	}
	rows, err := s.reader.ListLinks(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var through []int64
	for _, link := range rows {
		through = append(through, link.Through)
	}
	if want := []int64{2, 2*chain.MostHeld + 3, 2*chain.MostHeld + 5}; fmt.Sprint(through) != fmt.Sprint(want) {
		t.Errorf("got links through %v, want %v", through, want)
	}
	if err := <-sendAlone(t.Context(), t, s, registerMany("D", 2*chain.MostHeld)); err != nil {
		t.Fatal(err)
	}
	if err := chain.CheckEnd(t.Context(), s.reader); err != nil {
		t.Errorf("the end of the journal: got %v, want no error", err)
	}
}

// TestWorkAloneThatFailsRunsOnceAndStoresNothing: a refusal rolls back what was written and journalled, and the
// requests beside it are stored.
func TestWorkAloneThatFailsRunsOnceAndStoresNothing(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	before, ran := send(t.Context(), t, s, addCurrency("AAA")), 0
	refused := sendAlone(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		ran++
		return errors.Join(registerMany("B", chain.MostHeld+1)(ctx, q), fault.New(fault.Invalid, "refused after it wrote"))
	})
	panicking := sendAlone(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		_ = registerMany("C", 1)(ctx, q)
		panic("a defect")
	})
	after := send(t.Context(), t, s, addCurrency("DDD"))
	release()
	if err := errors.Join(<-before, <-after); err != nil {
		t.Errorf("the requests beside it: got %v, want no error", err)
	}
	if got := fault.KindOf(<-refused); got != fault.Invalid || ran != 1 {
		t.Errorf("the refused work: got kind %q and %d runs, want Invalid and 1", got, ran)
	}
	if got := fault.KindOf(<-panicking); got != fault.Internal {
		t.Errorf("the work that panics: got kind %q, want Internal", got)
	}
	if got := stored(t, s); len(got) != 2 || !got["AAA"] || !got["DDD"] {
		t.Errorf("got %v, want AAA and DDD", got)
	}
	if head, err := s.JournalHead(t.Context()); err != nil || head.Seq != 0 {
		t.Errorf("got the head %v, %v, want an empty journal", head, err)
	}
}

// TestEntriesBelowAreThoseOfTheDriver: both ways to insert entries write the same rows.
func TestEntriesBelowAreThoseOfTheDriver(t *testing.T) {
	s := openStore(t)
	origin := journal.With(t.Context(), journal.Origin{Actor: "é", Request: "", Reason: "why"})
	change := func(ctx context.Context, q *tx) error {
		record := records.Currency(trading.Currency{ID: 1, Code: money.Currency("AAA")})
		return errors.Join(q.tell(ctx, journal.Tokens, 1, nil, record), q.tell(ctx, journal.Tokens, 1, record, nil))
	}
	if err := errors.Join(<-send(origin, t, s, change), <-sendAlone(origin, t, s, change)); err != nil {
		t.Fatal(err)
	}
	entries, err := s.JournalPage(t.Context(), journal.Filter{Limit: 4})
	if err != nil || len(entries) != 4 {
		t.Fatalf("got %v, %v, want four entries", entries, err)
	}
	for i, want := range entries[:2] {
		got := entries[i+2]
		got.Seq, got.At, got.First = want.Seq, want.At, want.First
		if a, b := string(got.AppendTo(nil)), string(want.AppendTo(nil)); a != b {
			t.Errorf("got %s, want %s", a, b)
		}
	}
}
