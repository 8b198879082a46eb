package seed_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/seed"
	"daybook/internal/trading"
)

// TestTradesOfAnyDay: the trades are plausible whatever the day of the run is, also a leap day, a
// weekend, the expiry of an option, or the first or last day of a year.
func TestTradesOfAnyDay(t *testing.T) {
	for _, asOf := range []time.Time{
		day(2024, time.February, 29),
		day(2025, time.January, 1),
		day(2025, time.December, 20), // the day after an expiry
		day(2026, time.December, 31),
	} {
		t.Run(asOf.Format(time.DateOnly), func(t *testing.T) {
			d := newDatabase(t)
			d.seed(t, seed.Options{AsOf: asOf, Trades: seed.DefaultTrades, Departments: 1, Accounts: 1, Years: 1})
			testTrades(t, read(t, d.book.Trades(t.Context())), asOf)
		})
	}
}

func testTrades(t *testing.T, trades []trading.Trade, asOf time.Time) {
	testDates(t, trades, asOf)
	products := map[trading.Product][2]int{}
	for _, trade := range trades {
		counts := products[trade.Product]
		if trade.Side == trading.Buy {
			counts[0]++
		} else {
			counts[1]++
		}
		products[trade.Product] = counts
		if trade.Price <= 0 || trade.Price%10_000 != 0 {
			t.Errorf("got %+v, want a positive price with at most 4 decimals", trade)
		}
	}
	for product := trading.StockTrade; product <= trading.BondTrade; product++ {
		if counts := products[product]; counts[0] < 20 || counts[1] < 20 {
			t.Errorf("got %d purchases and %d sales of product %d, want at least 20 of each", counts[0], counts[1], product)
		}
	}
	testHoldings(t, trades, asOf)
}

// testDates checks that the dates are business days of three years, in order.
func testDates(t *testing.T, trades []trading.Trade, asOf time.Time) {
	t.Helper()
	last := asOf.AddDate(-3, 0, 0)
	for _, trade := range trades {
		at := trade.Date
		if at.Before(last) || !at.Before(asOf) {
			t.Fatalf("got %+v after %v, want rising dates in three years up to %v", trade, last, asOf)
		}
		last = at
		if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday || at.Nanosecond() != 0 {
			t.Errorf("got a trade at %v, want a weekday and whole seconds", at)
		}
		if hour := at.Hour(); trade.Product != trading.CurrencyTrade && trade.Currency != "JPY" && (hour < 8 || hour >= 20) {
			t.Errorf("got %+v, want a time in the hours of its exchange", trade)
		}
	}
	if age := asOf.Sub(last); age > 10*24*time.Hour {
		t.Errorf("got the last trade at %v, want it close to %v", last, asOf)
	}
}

// testHoldings checks that there are short positions and a stock position that changes from long to
// short, and that no option is held after its expiry.
func testHoldings(t *testing.T, trades []trading.Trade, asOf time.Time) {
	t.Helper()
	held := map[trading.Instrument]int64{}
	short, flips := map[trading.Product]int{}, map[trading.Product]int{}
	for _, trade := range trades {
		before := held[trade.Instrument]
		after := before + int64(trade.Shares)*int64(trade.Side)
		held[trade.Instrument] = after
		if after < 0 {
			short[trade.Product]++
		}
		if before > 0 && after < 0 {
			flips[trade.Product]++
		}
	}
	if short[trading.StockTrade] == 0 || short[trading.OptionCallTrade] == 0 || short[trading.BondTrade] == 0 {
		t.Errorf("got shorts by product %v, want stocks, calls and bonds among them", short)
	}
	if flips[trading.StockTrade] == 0 || flips[trading.CurrencyTrade] == 0 {
		t.Errorf("got flips by product %v, want stocks and currencies among them", flips)
	}
	testExpiries(t, held, asOf)
}

func testExpiries(t *testing.T, held map[trading.Instrument]int64, asOf time.Time) {
	t.Helper()
	options := 0
	for in, quantity := range held {
		if in.Product != trading.OptionCallTrade && in.Product != trading.OptionPutTrade {
			continue
		}
		options++
		expiry, err := time.Parse("060102", string(in.Symbol[4:10]))
		if err != nil || !strings.ContainsRune("CP", rune(in.Symbol[10])) || len(in.Symbol) != 19 {
			t.Errorf("got %q, want an option symbol", in.Symbol)
		}
		if expiry.Before(asOf) && quantity != 0 {
			t.Errorf("got %d of %s held after its expiry, want 0", quantity, in.Symbol)
		}
	}
	if options == 0 {
		t.Error("got no options, want some")
	}
}

// TestFewTradesCloseTheirOptions: even if there are few trades, no option is held until it expires.
func TestFewTradesCloseTheirOptions(t *testing.T) {
	for _, n := range []int{60, 250, 700} {
		d := newDatabase(t)
		d.seed(t, seed.Options{AsOf: asOf, Trades: n, Departments: 1, Accounts: 1, Years: 1})
		held := map[trading.Instrument]int64{}
		trades := read(t, d.book.Trades(t.Context()))
		for _, trade := range trades {
			held[trade.Instrument] += int64(trade.Shares) * int64(trade.Side)
		}
		if len(trades) != n {
			t.Errorf("got %d trades, want %d", len(trades), n)
		}
		testExpiries(t, held, asOf)
	}
}
