package sqlite

import (
	"context"
	"errors"
	"testing"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/rows"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// endless is a query that gives rows for as long as somebody takes them.
var endless = query{text: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"}

// fruitless is a query that looks for a row that there is not.
var fruitless = query{text: endless.text + " WHERE i < 0"}

// A read that panics anywhere leaves its connection usable: later reads on every connection return the
// newest state, and the whole write-ahead log can be copied.
func TestAPanicInAReadLeavesNothingBehind(t *testing.T) {
	ignore := func(*cursor.Rows) bool { panic("a defect") }
	for name, read := range map[string]func(ctx context.Context, s *Store) error{
		"in a snapshot": func(ctx context.Context, s *Store) error {
			return s.snapshot(ctx, func(*snapshot) error { panic("a defect") })
		},
		"in the middle of rows": func(ctx context.Context, s *Store) error {
			return s.snapshot(ctx, func(v *snapshot) error { return v.each(endless, ignore) })
		},
		"in a statement that nobody resets": func(ctx context.Context, s *Store) error {
			return s.scan(ctx, func(c *scanner) error {
				if _, err := c.trades.Next(); err != nil {
					return err
				}
				panic("a defect")
			})
		},
		"in who takes a list": func(ctx context.Context, s *Store) error {
			s.Trades(ctx)(func(trading.Trade, error) bool { panic("a defect") })
			return nil
		},
		"in what many wait for": func(ctx context.Context, s *Store) error {
			_, err := share(ctx, s, "something", func(*snapshot) (int, error) { panic("a defect") })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t)
			add := func() {
				t.Helper()
				if _, err := s.AddTrades(t.Context(), []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: money.Price(1)}}); err != nil {
					t.Fatal(err)
				}
			}
			add()
			for range 2 * cap(s.scanners.free) {
				if err := caught(func() error { return read(t.Context(), s) }); fault.KindOf(err) != fault.Internal || err == nil {
					t.Fatalf("got %v, want the panic", err)
				}
			}
			add()
			for range 2 * cap(s.scanners.free) {
				err := s.snapshot(t.Context(), func(v *snapshot) error {
					if v.head != journal.Seq(2) {
						t.Errorf("got the head %d, want 2", v.head)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			whole, err := checkpoint(s.writer.conn, shortPause)
			if !whole || err != nil {
				t.Errorf("got %v, %v, want the log copied whole", whole, err)
			}
		})
	}
}

// caught turns a panic into an error.
func caught(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Panicked(p)
		}
	}()
	return do()
}

// A panic in a page that is read ahead is the error that ends the list.
func TestAPanicInThePageAheadEndsTheList(t *testing.T) {
	s := &shelf{ids: idsTo(9 * rows.PageSize)}
	got, failed := 0, 0
	for _, err := range prefetch(9*rows.PageSize, func(page []int64, after, through int64) ([]int64, int64, error) {
		if after >= 2*rows.PageSize {
			panic("a defect")
		}
		return s.read(page, after, through)
	}) {
		switch {
		case err == nil:
			got++
		case fault.KindOf(err) == fault.Internal:
			failed++
		default:
			t.Errorf("got %v, want the panic", err)
		}
	}
	if got != 2*rows.PageSize || failed != 1 {
		t.Errorf("got %d ids and %d errors, want the %d of the pages before and one", got, failed, 2*rows.PageSize)
	}
}

// A panic while a history is read fails only its request: the transaction goes on, and the lock of the
// writer is free for another process afterwards.
func TestAPanicInAHistoryRefusesItsRequestAlone(t *testing.T) {
	s, other := openTwice(t)
	if _, err := s.AddTrades(t.Context(), []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 1}}); err != nil {
		t.Fatal(err)
	}
	release := hold(t, s)
	good := send(t.Context(), t, s, addCurrency("AAA"))
	panicking := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		q.trades.Since(ctx, acme, 0)(func(trading.Trade, error) bool { panic("a defect") })
		return nil
	})
	release()
	if err := <-panicking; fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("the panicking one: got %v, want the panic", err)
	}
	_, err := other.AddCurrency(t.Context(), trading.Currency{Code: "BBB"})
	if err = errors.Join(<-good, err); err != nil {
		t.Errorf("the others: got %v, want them stored", err)
	}
}

// A read ends soon after its caller has left, wherever it is, and its connection stays usable.
func TestAReadWhoseCallerHasGoneIsInterrupted(t *testing.T) {
	s := openStore(t)
	for name, read := range map[string]func(ctx context.Context, leave func()) error{
		"in a query": func(ctx context.Context, leave func()) error {
			return s.snapshot(ctx, func(v *snapshot) error {
				leave()
				return v.each(fruitless, func(*cursor.Rows) bool { return true })
			})
		},
		"in its rows": func(ctx context.Context, leave func()) error {
			return s.scan(ctx, func(c *scanner) error {
				return c.each(endless, func(*cursor.Rows) bool { leave(); return true })
			})
		},
		"in what many could wait for": func(ctx context.Context, leave func()) error {
			_, err := share(ctx, s, "something", func(v *snapshot) (int64, error) {
				leave()
				return 0, v.each(fruitless, func(*cursor.Rows) bool { return true })
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 * cap(s.scanners.free) {
				ctx, leave := context.WithCancel(t.Context())
				if err := read(ctx, leave); fault.KindOf(err) != fault.Unavailable {
					t.Fatalf("got %v, want the read given up", err)
				}
			}
			all, back := taken(s)
			defer back()
			for _, one := range all {
				if one != nil && !one.conn.Idle() {
					t.Error("a connection is in the middle of something")
				}
			}
		})
	}
}

// taken takes all scanners of a store, which must be idle. back returns them.
func taken(s *Store) (all []*scanner, back func()) {
	for range cap(s.scanners.free) {
		<-s.scanners.free
		all = append(all, s.scanners.take())
	}
	return all, func() {
		for _, one := range all {
			s.scanners.put(one)
		}
	}
}
