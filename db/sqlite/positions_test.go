package sqlite

import (
	"context"
	"testing"
	"time"

	"daybook/internal/trading"
)

// Bare dates give many trades one instant. Reading them in pages must not walk all of
// them for every page: the index must be sought by id too.
func TestTradesOfOneInstantAreReadOnce(t *testing.T) {
	s := openStore(t)
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	acme := trading.Instrument{Symbol: "ACME", Currency: "USD"}
	trades := make([]trading.Trade, 5*pageSize+1)
	for i := range trades {
		trades[i] = trading.Trade{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 100, Date: day}
	}
	if _, err := s.AddTrades(t.Context(), trades); err != nil {
		t.Fatal(err)
	}
	var plan string
	err := s.writer.write(t.Context(), func(ctx context.Context, q *tx) error {
		rows, err := s.writer.conn.conn.QueryContext(ctx, `EXPLAIN QUERY PLAN
			SELECT id FROM trades WHERE symbol = 'ACME' AND currency_code = 'USD' AND product = 0 AND traded_at = 1 AND id > 5 ORDER BY id`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id, parent, unused int
			if err := rows.Scan(&id, &parent, &unused, &plan); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		n := 0
		for _, err := range instrumentTrades(ctx, q.Queries, acme) {
			if err != nil {
				return err
			}
			n++
		}
		if n != len(trades) {
			t.Errorf("got %d trades, want %d", n, len(trades))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = "SEARCH trades USING COVERING INDEX trades_by_instrument (symbol=? AND currency_code=? AND product=? AND traded_at=? AND rowid>?)"
	if plan != want {
		t.Errorf("got the plan %q, want %q", plan, want)
	}
}
