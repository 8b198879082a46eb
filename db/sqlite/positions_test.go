package sqlite

import (
	"fmt"
	"testing"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/trading"
)

// TestManyFlatPositions: the list of positions leaves out flat ones. A read of the list is short also
// when it meets only flat positions: it ends after the positions of a page.
func TestManyFlatPositions(t *testing.T) {
	s := openStore(t)
	var trades []trading.Trade
	add := func(symbol string, side trading.Side) {
		trades = append(trades, trading.Trade{
			Instrument: trading.Instrument{Symbol: trading.Symbol(symbol), Currency: "USD"}, Shares: 1, Side: side,
			Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
		})
	}
	for i := range 2*rows.PageSize + 1 {
		symbol := fmt.Sprintf("M%04d", i)
		add(symbol, trading.Buy)
		add(symbol, trading.Sell)
	}
	add("A", trading.Buy)
	add("Z", trading.Buy)
	if _, err := s.AddTrades(t.Context(), trades); err != nil {
		t.Fatal(err)
	}
	open, err := gather(s.Positions(t.Context()))
	if err != nil || len(open) != 2 || open[0].Symbol != "A" || open[1].Symbol != "Z" {
		t.Errorf("got %v, %v, want A and Z", open, err)
	}
	read, err := s.reader.PagePositions(t.Context(), gen.PagePositionsParams{AfterSymbol: "A", AfterCurrencyCode: "USD", Most: 10})
	if err != nil || len(read) != 10 {
		t.Errorf("got %d positions, %v, want the read to end after 10", len(read), err)
	}
}
