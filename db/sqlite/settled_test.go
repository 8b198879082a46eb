package sqlite

import (
	"context"
	"math"
	"testing"
	"time"

	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// addsTrades returns the work of a request that adds trades.
func addsTrades(s *Store, trades ...trading.Trade) work {
	return func(ctx context.Context, q *tx) error {
		_, err := s.AddTrades(context.WithValue(ctx, wholeKey{}, &whole{writer: s.writer, tx: q}), trades)
		return err
	}
}

// inOneGroup runs several works as one group. The group has a connection of its own, because the writer
// may still be copying the log on its connection.
func inOneGroup(t *testing.T, s *Store, now func() time.Time, works ...work) (b *group, answers []chan error) {
	t.Helper()
	conn, err := connect(t.Context(), s.file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.close() }) // the store, closed after it, closes the file
	b = &group{conn: conn, now: now}
	if err := b.begin(); err != nil {
		t.Fatal(err)
	}
	for _, w := range works {
		done := make(chan error, 1)
		answers = append(answers, done)
		b.run(&request{ctx: t.Context(), work: w, done: done})
	}
	return b, answers
}

// quantityOf returns the stored quantity of an instrument.
func quantityOf(t *testing.T, conn *connection, of trading.Instrument) int64 {
	t.Helper()
	row, err := conn.queries.GetPosition(t.Context(), string(of.Symbol), string(of.Currency), int64(of.Product))
	if err != nil {
		t.Fatal(err)
	}
	return row.Quantity
}

// TestManyLateTradesAreFoldedOnce: if many requests of a group add late trades of one instrument, or
// void some, its position is folded once, at the end of the group.
func TestManyLateTradesAreFoldedOnce(t *testing.T) {
	s := openStore(t)
	trades := daily(10, 10)
	if _, err := s.AddTrades(t.Context(), trades); err != nil {
		t.Fatal(err)
	}
	var works []work
	for i := range 20 {
		late := trades[i]
		works = append(works, addsTrades(s, late))
	}
	works = append(works, func(ctx context.Context, q *tx) error {
		_, err := s.VoidTrade(context.WithValue(ctx, wholeKey{}, &whole{writer: s.writer, tx: q}), 1)
		return err
	}, addsTrades(s, trades[99]))
	b, answers := inOneGroup(t, s, today, works...)
	if got := quantityOf(t, b.conn, acme); got != 100 {
		t.Errorf("before the end of the group: got %d shares, want still 100, because nothing is folded yet", got)
	}
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	b.answer(nil)
	for i, answer := range answers {
		if err := <-answer; err != nil {
			t.Errorf("request %d: got %v, want it stored", i, err)
		}
	}
	if got := quantityOf(t, b.conn, acme); got != 120 {
		t.Errorf("got %d shares, want 120", got)
	}
	wantNoFindings(t, s)
}

// TestALateTradeThatCannotBeFoldedIsRefusedAlone: a late trade that cannot be folded is refused, and the
// others of the group are stored. If the writer takes too long to find it, it refuses the other trades
// of the same instrument as Unavailable, so that their clients try again, and no others.
func TestALateTradeThatCannotBeFoldedIsRefusedAlone(t *testing.T) {
	other := trading.Instrument{Symbol: "OTHER", Currency: acme.Currency}
	for name, c := range map[string]struct {
		now   func() time.Time
		after fault.Kind // of the next trade of the same instrument; Internal means none
		held  int64
	}{
		"quickly": {today, fault.Internal, math.MaxInt64},
		"slowly":  {steppingClock(longestSettling / 2), fault.Unavailable, math.MaxInt64 - 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t)
			first := daily(2, 1)
			first[1].Shares = math.MaxInt64 - 2
			if _, err := s.AddTrades(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			late, bad, another := first[0], first[0], first[0]
			bad.Shares = 2
			another.Instrument = other
			b, answers := inOneGroup(t, s, c.now, addsTrades(s, bad), addsTrades(s, another, another), addsTrades(s, late))
			if err := b.finish(); err != nil {
				t.Fatal(err)
			}
			b.answer(nil)
			for i, want := range []fault.Kind{fault.Invalid, fault.Internal, c.after} {
				err := <-answers[i]
				if got := fault.KindOf(err); err != nil && got != want || err == nil && want != fault.Internal {
					t.Errorf("request %d: got %v, want %v", i, err, want)
				}
			}
			if got := quantityOf(t, b.conn, acme); got != c.held {
				t.Errorf("got %d shares, want %d", got, c.held)
			}
			if got := quantityOf(t, b.conn, other); got != 2 {
				t.Errorf("the other instrument: got %d shares, want 2", got)
			}
			wantNoFindings(t, s)
		})
	}
}

// steps is a clock that advances by a step at each reading.
func steppingClock(step time.Duration) func() time.Time {
	now := today()
	return func() time.Time { now = now.Add(step); return now }
}

// wantNoFindings fails the test unless verify reads the database and finds nothing.
func wantNoFindings(t *testing.T, s *Store) {
	t.Helper()
	v, err := verify.Database(t.Context(), s.file.Path, nil)
	if err != nil || len(v.Findings) > 0 {
		t.Errorf("got %v, %v, want nothing found", v.Findings, err)
	}
	if v.Entries == 0 || v.Head == (journal.Hash{}) {
		t.Error("got no entry of the journal, want some")
	}
}
