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

// endless is a query that yields rows without end.
const endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

// fruitless is a query that searches without end for a row that does not exist.
const fruitless = endless + " WHERE i < 0"

// each calls a function for each row of a query.
func each(c *scanner, query string, row func()) error {
	list, err := cursor.Prepare[int64](c.conn, query)
	if err != nil {
		return err
	}
	for _, err := range list.All() {
		if err != nil {
			return err
		}
		row()
	}
	return list.Close()
}

// TestAPanicInAReadLeavesNothingBehind: a panic at any place in a read leaves the connection usable.
// Later reads on every connection see the newest state, and the whole write-ahead log can be copied.
func TestAPanicInAReadLeavesNothingBehind(t *testing.T) {
	ignore := func() { panic("a defect") }
	for name, read := range map[string]func(ctx context.Context, s *Store) error{
		"in a snapshot": func(ctx context.Context, s *Store) error {
			return s.snapshot(ctx, func(*snapshot) error { panic("a defect") })
		},
		"in the middle of rows": func(ctx context.Context, s *Store) error {
			return s.snapshot(ctx, func(v *snapshot) error { return each(v.scanner, endless, ignore) })
		},
		"in a transaction that is not ended": func(ctx context.Context, s *Store) error {
			return s.scan(ctx, func(c *scanner) error {
				return errors.Join(c.conn.Exec("BEGIN"), each(c, endless, ignore))
			})
		},
		"in the caller of a list": func(ctx context.Context, s *Store) error {
			s.Trades(ctx)(func(trading.Trade, error) bool { panic("a defect") })
			return nil
		},
		"in a shared read": func(ctx context.Context, s *Store) error {
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
					t.Fatalf("got %v, want the panic as an Internal error", err)
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
				t.Errorf("got %v, %v, want the whole log copied", whole, err)
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

// TestAPanicInThePageAheadEndsTheList: a panic in a page that is read ahead ends the list with an error.
func TestAPanicInThePageAheadEndsTheList(t *testing.T) {
	s := &idTable{ids: idsTo(9 * rows.PageSize)}
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
			t.Errorf("got %v, want the panic as an Internal error", err)
		}
	}
	if got != 2*rows.PageSize || failed != 1 {
		t.Errorf("got %d ids and %d errors, want the %d ids of the pages before, and one error", got, failed, 2*rows.PageSize)
	}
}

// TestAPanicInAHistoryRefusesItsRequestAlone: a panic while a history of trades is read fails only its
// request. The other requests of the transaction are stored, and another process can write afterwards.
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
		t.Errorf("the request that panics: got %v, want the panic as an Internal error", err)
	}
	_, err := other.AddCurrency(t.Context(), trading.Currency{Code: "BBB"})
	if err = errors.Join(<-good, err); err != nil {
		t.Errorf("the others: got %v, want them stored", err)
	}
}

// TestAReadWhoseCallerHasGoneIsInterrupted: a read ends soon after its context is canceled, at any
// place, and its connection stays usable.
func TestAReadWhoseCallerHasGoneIsInterrupted(t *testing.T) {
	s := openStore(t)
	for name, read := range map[string]func(ctx context.Context, leave func()) error{
		"in a query": func(ctx context.Context, leave func()) error {
			return s.snapshot(ctx, func(v *snapshot) error {
				leave()
				return each(v.scanner, fruitless, func() {})
			})
		},
		"in its rows": func(ctx context.Context, leave func()) error {
			return s.scan(ctx, func(c *scanner) error {
				return each(c, endless, leave)
			})
		},
		"in a read that can be shared": func(ctx context.Context, leave func()) error {
			_, err := share(ctx, s, "something", func(v *snapshot) (int64, error) {
				leave()
				return 0, each(v.scanner, fruitless, func() {})
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 * cap(s.scanners.free) {
				ctx, leave := context.WithCancel(t.Context())
				if err := read(ctx, leave); fault.KindOf(err) != fault.Unavailable {
					t.Fatalf("got %v, want Unavailable", err)
				}
			}
			all, back := takeScanners(s)
			defer back()
			for _, one := range all {
				if one != nil && !one.conn.Idle() {
					t.Error("got a connection that is not idle, want all idle")
				}
			}
		})
	}
}

// takeScanners takes all scanners of a store, which must be idle. back returns them.
func takeScanners(s *Store) (all []*scanner, back func()) {
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
