//go:build !race

package sqlite

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// TestAnUndoLeavesAWholeDatabase: after random trades of one instrument, of some thousands each, voids, undos and
// undos of undos, app verify finds nothing: neither in positions and checkpoints, nor in the journal. As a control,
// it finds an undo that the journal does not have.
func TestAnUndoLeavesAWholeDatabase(t *testing.T) {
	s, random := openStore(t), rand.New(rand.NewPCG(1, 2))
	start := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	wrote := func(do func(ctx context.Context) error) journal.Range {
		ctx := journal.With(t.Context(), journal.Origin{Actor: "local"})
		if err := do(ctx); err != nil {
			t.Fatal(err)
		}
		return journal.WrittenIn(ctx)
	}
	undo := func(of journal.Range) journal.Range {
		return wrote(func(ctx context.Context) error {
			_, err := s.Undo(ctx, of, func(journal.Entry) error { return nil })
			return err
		})
	}
	var done []journal.Range
	for range 3 {
		var stored []trading.Trade
		done = append(done, wrote(func(ctx context.Context) (err error) {
			trades := make([]trading.Trade, 2200)
			for i := range trades {
				trades[i] = trading.Trade{
					Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Side: trading.SideOf(random.IntN(2) == 0),
					Shares: trading.Shares(1 + random.IntN(9)), Price: 100, Date: start.Add(time.Duration(random.IntN(5000)) * time.Minute),
				}
			}
			stored, err = s.AddTrades(ctx, trades)
			return err
		}), wrote(func(ctx context.Context) error {
			_, err := s.VoidTrade(ctx, stored[random.IntN(len(stored))].ID)
			return err
		}))
	}
	for i, of := range slices.Backward(done) {
		undone := undo(of)
		if i%2 == 0 {
			undo(undo(undone))
		}
		if err := sqlitetest.Verified(t.Context(), s.file.Path); err != nil {
			t.Fatalf("after the undo of %v: %v", of, err)
		}
	}
	err := s.writer.write(t.Context(), func(ctx context.Context, q *tx) error {
		return putBackTrade(ctx, q, trading.Trade{ID: 1, Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Side: trading.Buy, Shares: 1, Date: start})
	})
	if err != nil || sqlitetest.Verified(t.Context(), s.file.Path) == nil {
		t.Errorf("a trade that came back without an entry: got %v and no finding, want one", err)
	}
}
