package storetest

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/fault"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// noon is the date of each trade, unless a clause gives it another.
var noon = time.Date(2025, 1, 2, 12, 0, 0, 0, time.UTC)

func trades() []clause {
	return []clause{
		{"trades are returned as they were stored, with new, rising ids", echoedTrades},
		{"a trade without a date gets one, to the microsecond", func(t *testing.T, s Store) {
			sent := trade("ACME", trading.Buy, 1, "5")
			sent.Date = time.Time{}
			got := must(s.AddTrades(t.Context(), []trading.Trade{sent}))(t)[0]
			if got.Date.IsZero() || !got.Date.Equal(got.Date.Truncate(time.Microsecond)) || got.Date.Location() != time.UTC {
				t.Errorf("got the date %s, want one in UTC, to the microsecond", got.Date)
			}
			same(t, "trades", all(t, s.Trades(t.Context())), []trading.Trade{got})
		}},
		{"all trades of a request are stored, or none", func(t *testing.T, s Store) {
			must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", trading.Buy, 10, "5")}))(t)
			unregistered := trade("ACME", trading.Buy, 1, "1")
			unregistered.Currency = "X"
			for _, bad := range []struct {
				last  trading.Trade
				field string
			}{
				{unregistered, "currency_code"},
				{trade("ACME", trading.Buy, math.MaxInt64, "1"), "shares"},
			} {
				checkUnchanged(t, s, func() {
					slice := []trading.Trade{trade("ACME", trading.Buy, 1, "6"), trade("NEW", trading.Sell, 1, "7"), bad.last}
					refused(s.AddTrades(t.Context(), slice))(t, fault.Invalid, bad.field)
				})
			}
		}},
		{"a trade that takes a position out of its range is refused", func(t *testing.T, s Store) {
			for _, side := range []trading.Side{trading.Buy, trading.Sell} {
				symbol := map[trading.Side]string{trading.Buy: "LONG", trading.Sell: "SHORT"}[side]
				most := must(s.AddTrades(t.Context(), []trading.Trade{trade(symbol, side, math.MaxInt64, "1")}))(t)
				checkUnchanged(t, s, func() {
					refused(s.AddTrades(t.Context(), []trading.Trade{trade(symbol, side, 1, "1")}))(t, fault.Invalid, "shares")
				})
				must(s.AddTrades(t.Context(), []trading.Trade{trade(symbol, -side, 1, "1")}))(t)
				early := trade(symbol, side, 1, "1")
				early.Date = most[0].Date.Add(-time.Hour)
				checkUnchanged(t, s, func() { // the position would be in range at the end, but not before
					refused(s.AddTrades(t.Context(), []trading.Trade{early}))(t, fault.Invalid, "shares")
				})
			}
		}},
		{"a trade is refused if the net cost of its position does not fit in 128 bits", func(t *testing.T, s Store) {
			for _, side := range []trading.Side{trading.Buy, trading.Sell} {
				symbol := map[trading.Side]string{trading.Buy: "LONG", trading.Sell: "SHORT"}[side]
				dearest, free := trade(symbol, side, math.MaxInt64, "9999999999.99999999"), trade(symbol, -side, math.MaxInt64, "0")
				for range 18 {
					must(s.AddTrades(t.Context(), []trading.Trade{dearest, free}))(t)
				}
				checkUnchanged(t, s, func() { refused(s.AddTrades(t.Context(), []trading.Trade{dearest}))(t, fault.Invalid, "price") })
			}
			checkPositions(t, s)
		}},
		{"a voided trade is returned and removed, and its id is never used again", func(t *testing.T, s Store) {
			stored := must(s.AddTrades(t.Context(), []trading.Trade{
				trade("ACME", trading.Buy, 10, "5"), trade("ACME", trading.Buy, 10, "7"),
			}))(t)
			last := stored[1]
			same(t, "voided trade", must(s.VoidTrade(t.Context(), last.ID))(t), last)
			same(t, "trades", all(t, s.Trades(t.Context())), stored[:1])
			refused(s.VoidTrade(t.Context(), last.ID))(t, fault.NotFound)
			refused(s.VoidTrade(t.Context(), 99))(t, fault.NotFound)
			next := must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", trading.Buy, 1, "1")}))(t)
			if next[0].ID <= last.ID {
				t.Errorf("got id %d after voiding %d, want a higher one", next[0].ID, last.ID)
			}
		}},
		{"a void that takes a position out of its range is refused", func(t *testing.T, s Store) {
			stored := must(s.AddTrades(t.Context(), []trading.Trade{
				trade("ACME", trading.Buy, math.MaxInt64, "5"),
				trade("ACME", trading.Sell, 1, "5"),
				trade("ACME", trading.Buy, 1, "5"),
			}))(t)
			checkUnchanged(t, s, func() { refused(s.VoidTrade(t.Context(), stored[1].ID))(t, fault.Invalid) })
		}},
		{"a page has the trades that match, by id up or down", pagedTrades},
		{"a page is in the requested order, and equal values are by id", sortedTrades},
	}
}

func echoedTrades(t *testing.T, s Store) {
	first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(2200, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	at := func(symbol, currency string, product trading.Product) trading.Instrument {
		return trading.Instrument{Symbol: trading.Symbol(symbol), Currency: money.Currency(currency), Product: product}
	}
	sent := []trading.Trade{
		{Instrument: at("ACME", "USD", trading.StockTrade), Shares: 1, Side: trading.Buy, Price: price("0.00000001"), Date: last},
		{Instrument: at("acme", "EUR", trading.OptionCallTrade), Shares: 2, Side: trading.Sell, Price: price("9999999999.99999999"), Date: first},
		{Instrument: at("Ä€漢", "123", trading.OptionPutTrade), Shares: 3, Side: trading.Buy, Date: noon.Add(time.Nanosecond)},
		{Instrument: at(strings.Repeat("Ж", 64), "ABCDEFGHIJ", trading.CurrencyTrade), Shares: math.MaxInt64, Side: trading.Sell, Date: noon},
		{Instrument: at("a b'\";--", "USD", trading.BondTrade), Shares: 5, Side: trading.Buy, Price: price("100"), Date: noon.Add(time.Microsecond)},
		{Instrument: at("ACME", "USD", trading.StockTrade), Shares: 1, Side: trading.Buy, Price: price("0.00000001"), Date: last},
	}
	got := must(s.AddTrades(t.Context(), sent))(t)
	checkRising(t, got, func(t trading.Trade) int64 { return int64(t.ID) })
	want := make([]trading.Trade, len(sent))
	for i := range want {
		want[i] = sent[i]
		want[i].ID = got[i].ID
		if got[i].Date.Location() != time.UTC {
			t.Errorf("trade %d: got a date in %v, want UTC", i, got[i].Date.Location())
		}
	}
	same(t, "stored trades", got, want)
	same(t, "trades", all(t, s.Trades(t.Context())), want)
	for _, listed := range all(t, s.Trades(t.Context())) {
		if listed.Date.Location() != time.UTC {
			t.Errorf("trade %d: listed in %v, want UTC", listed.ID, listed.Date.Location())
		}
	}
}

func pagedTrades(t *testing.T, s Store) {
	var sent []trading.Trade
	for i := range 120 {
		one := trade([]string{"A", "a", "B"}[i%3], trading.SideOf(i%2 == 0), 1, "1")
		one.Currency = []money.Currency{"USD", "EUR"}[i/3%2]
		one.Product = trading.Product(i % 5)
		one.Date = noon.Add(time.Duration(i*7%13) * time.Hour)
		sent = append(sent, one)
	}
	stored := must(s.AddTrades(t.Context(), sent))(t)
	from, to := noon.Add(3*time.Hour), noon.Add(9*time.Hour)
	filters := map[string]trading.TradeFilter{
		"nothing":     {},
		"symbol":      {Symbol: new(trading.Symbol("a"))},
		"currency":    {Currency: new(money.Currency("EUR"))},
		"product":     {Product: new(trading.StockTrade)},
		"buys":        {Side: new(trading.Buy)},
		"sales":       {Side: new(trading.Sell)},
		"from":        {From: &from},
		"to":          {To: &to},
		"all of them": {Symbol: new(trading.Symbol("A")), Currency: new(money.Currency("USD")), Product: new(trading.OptionPutTrade), Side: new(trading.Buy), From: &from, To: &to},
		"no match":    {Symbol: new(trading.Symbol("C"))},
	}
	for name, f := range filters {
		var want []trading.Trade
		for _, one := range stored {
			if tradeMatches(f, one) {
				want = append(want, one)
			}
		}
		for _, limit := range []int{1, 7, 1000} {
			f.Limit = limit
			got := inPages(t, limit, func(after listing.Place) (listing.Page[trading.Trade], error) {
				f.After = after
				return s.TradePage(t.Context(), f)
			})
			same(t, "trades narrowed by "+name, got, want)
			down := f
			down.Down = true
			got = inPages(t, limit, func(after listing.Place) (listing.Page[trading.Trade], error) {
				down.After = after
				return s.TradePage(t.Context(), down)
			})
			slices.Reverse(got)
			same(t, "trades narrowed by "+name+", the newest first", got, want)
		}
	}
}

func tradeMatches(f trading.TradeFilter, one trading.Trade) bool {
	return (f.Symbol == nil || *f.Symbol == one.Symbol) &&
		(f.Currency == nil || *f.Currency == one.Currency) &&
		(f.Product == nil || *f.Product == one.Product) &&
		(f.Side == nil || *f.Side == one.Side) &&
		(f.From == nil || !one.Date.Before(*f.From)) &&
		(f.To == nil || one.Date.Before(*f.To))
}

// paged reads pages until one is empty. page gets the last record that was read.
func paged[T any](t *testing.T, limit int, page func(last T) ([]T, error)) []T {
	t.Helper()
	var got []T
	for {
		var last T
		if len(got) > 0 {
			last = got[len(got)-1]
		}
		more := must(page(last))(t)
		if len(more) == 0 {
			return got
		}
		if len(more) > limit {
			t.Fatalf("got a page of %d, want at most %d", len(more), limit)
		}
		got = append(got, more...)
	}
}

// inPages reads pages until one has no place where the next page begins.
func inPages[T any](t *testing.T, limit int, page func(after listing.Place) (listing.Page[T], error)) []T {
	t.Helper()
	var got []T
	for after := listing.Place(""); ; {
		read := must(page(after))(t)
		got, after = append(got, read.Records...), read.Next
		if after == "" {
			return got
		}
		if len(read.Records) != limit {
			t.Fatalf("got a page of %d that is not the last, want %d", len(read.Records), limit)
		}
	}
}

// checkUnchanged fails the test if do changes the trades or the positions.
func checkUnchanged(t *testing.T, s Store, do func()) {
	t.Helper()
	tradesBefore, positionsBefore := all(t, s.Trades(t.Context())), all(t, s.Positions(t.Context()))
	do()
	same(t, "trades after an error", all(t, s.Trades(t.Context())), tradesBefore)
	same(t, "positions after an error", all(t, s.Positions(t.Context())), positionsBefore)
}

func trade(symbol string, side trading.Side, shares trading.Shares, at string) trading.Trade {
	return trading.Trade{
		Instrument: trading.Instrument{Symbol: trading.Symbol(symbol), Currency: "USD", Product: trading.StockTrade},
		Shares:     shares,
		Side:       side,
		Price:      price(at),
		Date:       noon,
	}
}

func price(s string) money.Price {
	p, err := money.ParsePrice(s)
	if err != nil {
		panic(err)
	}
	return p
}

func amount(s string) money.Amount {
	a, err := money.ParseAmount(s)
	if err != nil {
		panic(err)
	}
	return a
}
