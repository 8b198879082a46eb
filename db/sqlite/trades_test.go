package sqlite

import (
	"slices"
	"testing"
	"time"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// A page of a symbol's trades is the same whether they are looked for among all trades or
// sorted by themselves.
func TestAPageOfASymbolIsTheSameEitherWay(t *testing.T) {
	s := openStore(t)
	var sent []trading.Trade
	for i := range 60 {
		sent = append(sent, trading.Trade{
			Instrument: trading.Instrument{Symbol: []trading.Symbol{"A", "B"}[i%2], Currency: []money.Currency{"USD", "EUR"}[i/2%2], Product: trading.Product(i % 3)},
			Shares:     1, Side: trading.SideOf(i%4 > 0), Price: 100,
			Date: time.Date(2026, 1, 1+i*7%13, 0, 0, 0, 0, time.UTC), // not in the order of the ids
		})
	}
	if _, err := s.AddTrades(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	symbol, from, to := trading.Symbol("A"), time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	for _, f := range []trading.TradeFilter{
		{Limit: 100}, {Limit: 7}, {Limit: 7, After: 30}, {Limit: 100, Currency: new(money.Currency("EUR"))}, {Limit: 100, Product: new(trading.OptionPutTrade)},
		{Limit: 100, Side: new(trading.Sell)}, {Limit: 100, From: &from, To: &to},
	} {
		for _, newest := range []bool{false, true} {
			f.Symbol, f.Down = &symbol, newest
			few, err := s.TradePage(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if all := amongAll(t, s, tradePage(f), tradeAt); len(all) == 0 || !slices.Equal(few, all) {
				t.Errorf("%+v: got %v by itself, and %v among all", f, few, all)
			}
		}
	}
}
