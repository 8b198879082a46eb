package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/money"
	"daybook/internal/trading"
)

var acme = trading.Instrument{Symbol: "ACME", Currency: "USD"}

// TestAHistoryIsReadFromTheIndexAlone: SQLite reads the history of an instrument from the index, in one
// pass. It sorts nothing and does not read the table, where each trade could be on a page of its own.
func TestAHistoryIsReadFromTheIndexAlone(t *testing.T) {
	list, err := openStore(t).reading.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+gen.ListInstrumentTrades, "ACME", "USD", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Close() }()
	var plan []string
	for list.Next() {
		var id, parent, unused int
		var step string
		if err := list.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, step)
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	want := []string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol=? AND currency_code=? AND product=? AND traded_at>?)"}
	if !slices.Equal(plan, want) {
		t.Errorf("got the plan %q, want %q", plan, want)
	}
}

// TestAHistoryMayBeLeft: a history that is read only in part begins at its start the next time, and
// later requests work.
func TestAHistoryMayBeLeft(t *testing.T) {
	s := openStore(t)
	want := trading.Trade{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 100, Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	if _, err := s.AddTrades(t.Context(), []trading.Trade{want, want, want}); err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context, q *tx) error {
		for range 2 {
			q.trades.Since(ctx, acme, math.MinInt64)(func(first trading.Trade, err error) bool {
				if err != nil || first != want {
					t.Errorf("got %+v, %v, want %+v", first, err, want)
				}
				return false
			})
		}
		return nil
	}
	if err := s.writer.write(t.Context(), read); err != nil {
		t.Error(err)
	}
	if _, err := s.VoidTrade(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

// BenchmarkHistory measures the steps of a back-dated trade: to read and fold the history of an
// instrument with 20,000 trades, which are stored between trades of others.
func BenchmarkHistory(b *testing.B) {
	const long, others = 20_000, 4
	s := openStore(b)
	date := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for range long / 1_000 {
		trades := make([]trading.Trade, 1_000*(1+others))
		for i := range trades {
			date = date.Add(time.Second)
			trades[i] = trading.Trade{
				Instrument: acme, Shares: trading.Shares(1 + i%97), Side: trading.SideOf(i%3 > 0),
				Price: money.Price(4_100_000_000 + i*7_000_003), Date: date,
			}
			if i%(1+others) > 0 {
				trades[i].Symbol = trading.Symbol(fmt.Sprintf("OTHER%d", i%500))
			}
		}
		if _, err := s.AddTrades(b.Context(), trades); err != nil {
			b.Fatal(err)
		}
	}
	inside := func(b *testing.B, work func(context.Context, *rows.Trades) error) {
		b.Helper()
		b.ReportAllocs()
		if err := s.writer.write(b.Context(), func(ctx context.Context, q *tx) (err error) {
			for b.Loop() {
				err = errors.Join(err, work(ctx, q.trades))
			}
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("read", func(b *testing.B) {
		inside(b, func(ctx context.Context, h *rows.Trades) error {
			n := 0
			for _, err := range h.Since(ctx, acme, math.MinInt64) {
				if err != nil {
					return err
				}
				n++
			}
			if n != long {
				return fmt.Errorf("got %d trades, want %d", n, long)
			}
			return nil
		})
	})
	b.Run("read and fold", func(b *testing.B) {
		inside(b, func(ctx context.Context, h *rows.Trades) error {
			_, err := h.Fold(ctx, acme, trading.Position{}, nil)
			return err
		})
	})
	for _, late := range []struct {
		name string
		at   time.Time
	}{{"back-dated trade", date.AddDate(-1, 0, 0)}, {"late by one", date.Add(-time.Second - others*time.Second)}} {
		b.Run(late.name, func(b *testing.B) {
			b.ReportAllocs()
			one := trading.Trade{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 100, Date: late.at}
			for b.Loop() {
				if _, err := s.AddTrades(b.Context(), []trading.Trade{one}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
