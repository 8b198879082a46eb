package trading_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

var day = time.Date(2025, 1, 2, 10, 0, 0, 0, time.UTC)

// step is a trade and the position after it, which is short if held is negative.
type step struct {
	side   trading.Side
	shares int64
	price  string
	held   int64
	at     string
}

// TestFoldKeepsThePublishedExamples: folding the published examples gives the published positions.
func TestFoldKeepsThePublishedExamples(t *testing.T) {
	const buy, sell = trading.Buy, trading.Sell
	for name, steps := range map[string][]step{
		"the issue's": {
			{buy, 100, "95", 100, "95"},
			{buy, 200, "105", 300, "101.66666667"},
			{buy, 100, "107", 400, "103"},
			{sell, 150, "110", 250, "103"},
			{buy, 50, "100", 300, "102.5"},
			{buy, 300, "107.5", 600, "105"},
			{sell, 200, "108", 400, "105"},
		},
		"flat, and anew":            {{buy, 5, "9", 5, "9"}, {sell, 5, "10", 0, "0"}, {sell, 2, "4", -2, "4"}},
		"flips":                     {{buy, 5, "9", 5, "9"}, {sell, 8, "10", -3, "10"}, {buy, 4, "7", 1, "7"}},
		"worth nothing":             {{buy, 5, "0", 5, "0"}, {buy, 5, "0", 10, "0"}, {buy, 10, "0.00000001", 20, "0.00000001"}},
		"half away from zero":       {{buy, 1, "0.00000001", 1, "0.00000001"}, {buy, 1, "0.00000002", 2, "0.00000002"}},
		"below half":                {{buy, 2, "0.00000001", 2, "0.00000001"}, {buy, 1, "0.00000002", 3, "0.00000001"}},
		"thirds that add up again":  {{buy, 1, "0", 1, "0"}, {buy, 2, "0.00000001", 3, "0.00000001"}, {buy, 1, "0", 4, "0.00000001"}},
		"as many as there can be":   {{buy, math.MaxInt64, "9999999999.99999999", math.MaxInt64, "9999999999.99999999"}},
		"from one end to the other": {{buy, math.MaxInt64, "1", math.MaxInt64, "1"}, {sell, math.MaxInt64, "2", 0, "0"}, {sell, math.MaxInt64, "3", -math.MaxInt64, "3"}},
	} {
		for _, sign := range []trading.Side{1, -1} { // the second time with every side inverted
			t.Run(fmt.Sprintf("%s %+d", name, sign), func(t *testing.T) {
				var history []trading.Trade
				for i, s := range steps {
					history = append(history, traded(s.side*sign, s.shares, parsed(t, s.price), i))
					got, err := trading.Fold(trading.Position{}, sound(history), nil)
					want := s.held * int64(sign)
					if err != nil || got.Quantity != want || got.Price() != parsed(t, s.at) || !got.Date.Equal(history[i].Date) {
						t.Fatalf("step %d: got %d @ %s of %v, %v, want %d @ %s", i, got.Quantity, got.Price(), got.Date, err, want, s.at)
					}
					if got.Shares() != max(want, -want) || want != 0 && got.Side() != trading.SideOf(want > 0) {
						t.Errorf("step %d: got %d shares on side %d, want %d", i, got.Shares(), got.Side(), want)
					}
					if got.Instrument != history[i].Instrument {
						t.Errorf("step %d: got %+v, want %+v", i, got.Instrument, history[i].Instrument)
					}
				}
			})
		}
	}
}

// exactly is a position in rational arithmetic, by the published rules.
type exactly struct {
	quantity int64
	average  *big.Rat
}

func (e *exactly) take(t trading.Trade) {
	n := int64(t.Shares) * int64(t.Side)
	price := big.NewRat(int64(t.Price), 100_000_000)
	held, sum := e.quantity, e.quantity+n
	switch {
	case held == 0 || held > 0 == (n > 0):
		cost := new(big.Rat).Mul(new(big.Rat).SetInt64(abs(held)), e.average)
		cost.Add(cost, new(big.Rat).Mul(new(big.Rat).SetInt64(abs(n)), price))
		e.average = cost.Quo(cost, new(big.Rat).SetInt64(abs(sum)))
	case abs(n) == abs(held):
		e.average = new(big.Rat)
	case abs(n) > abs(held):
		e.average = price
	}
	e.quantity = sum
}

// published returns the price that must be printed.
func (e *exactly) published(t interface{ Fatal(...any) }) money.Price {
	p, err := money.ParsePrice(e.average.FloatString(8))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPublishedPricesEqualRationalArithmetic(t *testing.T) {
	histories(t, rapid.Int64Range(1, 1_000_000), rapid.Int64Range(0, 100_000_000_000_000))
}

// TestPublishedPricesOfManyTies draws figures so small that exact halves are common.
func TestPublishedPricesOfManyTies(t *testing.T) {
	histories(t, rapid.Int64Range(1, 6), rapid.Int64Range(0, 5))
}

func histories(t *testing.T, shares, prices *rapid.Generator[int64]) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		got, want := trading.Position{}, exactly{average: new(big.Rat)}
		for i := range rapid.IntRange(1, 60).Draw(t, "trades") {
			n := shares.Draw(t, "shares")
			if held := got.Shares(); held > 0 && rapid.IntRange(0, 5).Draw(t, "closes") == 0 {
				n = held
			}
			side := trading.SideOf(rapid.IntRange(0, 2).Draw(t, "buys") > 0)
			one := traded(side, n, money.Price(prices.Draw(t, "price")), i)
			var err error
			if got, err = got.Take(one); err != nil {
				t.Fatal(err)
			}
			want.take(one)
			if got.Quantity != want.quantity || got.Price() != want.published(t) {
				t.Fatalf("trade %d: got %d @ %s (%s), want %d @ %s", i, got.Quantity, got.Price(), got.Average, want.quantity, want.average.FloatString(30))
			}
		}
	})
}

// TestPublishedPriceOfLargeLots: a price just below a half is rounded down, although with many shares it
// is very close to the half.
func TestPublishedPriceOfLargeLots(t *testing.T) {
	for _, lot := range []int64{1000, 1_000_000, 100_000_000, 200_000_000, 1_000_000_000, 1e15, 1e17, 249_999_999_999_999_999} {
		got, want := trading.Position{}, exactly{average: new(big.Rat)}
		for i, one := range []trading.Trade{
			traded(trading.Buy, lot+1, 1, 0),
			traded(trading.Buy, lot, 2, 1),
		} {
			var err error
			if got, err = got.Take(one); err != nil {
				t.Fatalf("trade %d: got %v, want no error", i, err)
			}
			want.take(one)
		}
		if got.Price() != want.published(t) {
			t.Errorf("buy %d @ 0.00000001, %d @ 0.00000002: got %s, want %s (exactly %s)",
				lot+1, lot, got.Price(), want.published(t), want.average.FloatString(30))
		}
	}
}

// TestPublishedPricesOfAnyLots: after any trades, a price is that of exact arithmetic. Only if the exact
// price is less than 10^-26 for each trade below a half, it may be that of the half.
func TestPublishedPricesOfAnyLots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got, want := trading.Position{}, exactly{average: new(big.Rat)}
		for i := range rapid.IntRange(1, 60).Draw(t, "trades") {
			n := rapid.Int64Range(1, math.MaxInt64-got.Shares()).Draw(t, "shares")
			price := rapid.OneOf(rapid.Int64Range(0, 999_999_999_999_999_999), rapid.Int64Range(0, 3)).Draw(t, "price")
			one := traded(trading.SideOf(rapid.Bool().Draw(t, "buys")), n, money.Price(price), i)
			next, err := got.Take(one)
			if err != nil || next.Shares() == math.MaxInt64 {
				return
			}
			got = next
			want.take(one)
			if !isRounded(got.Price().String(), want.average, 8, offBy(got.Trades, 1)) {
				t.Fatalf("trade %d: got %s, want %s", i, got.Price(), want.average.FloatString(30))
			}
		}
	})
}

// offBy returns 10^-26 times the trades and the units.
func offBy(trades, units int64) *big.Rat {
	off := new(big.Int).Mul(big.NewInt(trades), big.NewInt(units))
	return new(big.Rat).SetFrac(off, new(big.Int).Exp(big.NewInt(10), big.NewInt(26), nil))
}

// isRounded reports whether printed is the exact value rounded half away from zero. Printed may also be
// the rounded value of a number that is further from zero by less than off.
func isRounded(printed string, exact *big.Rat, decimals int, off *big.Rat) bool {
	further := new(big.Rat).Add(exact, off)
	if exact.Sign() < 0 {
		further.Sub(exact, off)
	}
	return printed == shortest(exact.FloatString(decimals)) || printed == shortest(further.FloatString(decimals))
}

// TestPublishedPriceOfASecondLot: with a sale between two lots, the divisors of both lots multiply. So
// the average can be nearer to a half than with one lot.
func TestPublishedPriceOfASecondLot(t *testing.T) {
	got, want := trading.Position{}, exactly{average: new(big.Rat)}
	for _, one := range []trading.Trade{
		traded(trading.Buy, 50_000_001, 150_000_000, 0),
		traded(trading.Buy, 50_000_000, 150_000_001, 1),
		traded(trading.Sell, 100_000_000, 120_000_000, 2),
		traded(trading.Buy, 100_000_000, 100_000_000, 3),
	} {
		var err error
		if got, err = got.Take(one); err != nil {
			t.Fatal(err)
		}
		want.take(one)
	}
	if got.Price() != want.published(t) {
		t.Errorf("got %s, want %s (exactly %s)", got.Price(), want.published(t), want.average.FloatString(40))
	}
}

// TestPublishedPriceOfALongHistory: an exact half is rounded up even after many trades.
func TestPublishedPriceOfALongHistory(t *testing.T) {
	for _, half := range []int{100, 10_000, 300_000} {
		var got trading.Position
		for i := range 2 * half {
			var err error
			if got, err = got.Take(traded(trading.Buy, 1, money.Price(1+i/half), i)); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := got.Price(), money.Price(2); got != want {
			t.Errorf("%d trades: got %s, want %s", 2*half, got, want)
		}
	}
}

// TestTakeRefusesWhatLeavesTheRange: a trade is refused if the quantity would leave the range. The
// position stays as it was.
func TestTakeRefusesWhatLeavesTheRange(t *testing.T) {
	for _, side := range []trading.Side{trading.Buy, trading.Sell} {
		full, err := trading.Position{}.Take(traded(side, math.MaxInt64, 5, 0))
		if err != nil {
			t.Fatal(err)
		}
		got, err := full.Take(traded(side, 1, 7, 1))
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != fault.Invalid || len(e.Details) != 1 || e.Details[0].Field != "shares" {
			t.Errorf("got %v, want an error about shares", err)
		}
		if got != full {
			t.Errorf("got %+v after an error, want %+v", got, full)
		}
		if _, err := full.Take(traded(-side, math.MaxInt64, 7, 1)); err != nil {
			t.Errorf("got %v, want no error", err)
		}
	}
}

// TestTakeRefusesANetCostOutOfRange: a net cost of 18 times the largest cost of a trade is accepted,
// and of 19 times is refused.
func TestTakeRefusesANetCostOutOfRange(t *testing.T) {
	for _, side := range []trading.Side{trading.Buy, trading.Sell} {
		var held trading.Position
		var err error
		for i := range 18 {
			for _, one := range []trading.Trade{
				traded(side, math.MaxInt64, 999_999_999_999_999_999, 2*i), traded(-side, math.MaxInt64, 0, 2*i+1),
			} {
				if held, err = held.Take(one); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := held.Take(traded(side, math.MaxInt64, 999_999_999_999_999_999, 36))
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != fault.Invalid || len(e.Details) != 1 || e.Details[0].Field != "price" || got != held {
			t.Errorf("got %+v, %v, want an error about price, and the position unchanged", got, err)
		}
		if _, err := held.Take(traded(-side, math.MaxInt64, 999_999_999_999_999_999, 36)); err != nil {
			t.Errorf("got %v, want none", err)
		}
	}
}

func TestFoldEndsWithTheFirstError(t *testing.T) {
	broken := func(yield func(trading.Trade, error) bool) {
		if yield(traded(trading.Buy, 1, 1, 0), nil) && yield(trading.Trade{}, io.ErrUnexpectedEOF) {
			t.Error("got a request for more trades after an error, want none")
		}
	}
	if _, err := trading.Fold(trading.Position{}, broken, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want %v", err, io.ErrUnexpectedEOF)
	}
	if got, err := trading.Fold(trading.Position{}, sound(nil), nil); err != nil || got != (trading.Position{}) {
		t.Errorf("without trades: got %+v, %v, want the zero position", got, err)
	}
}

// TestFoldGoesOnFromWhatItShowed: Fold passes on the position at the end of each date except the last.
// Folding the later trades from any of these positions gives the same result.
func TestFoldGoesOnFromWhatItShowed(t *testing.T) {
	var history []trading.Trade
	for i := range 60 {
		history = append(history, traded(trading.SideOf(i%5 > 1), int64(1+i%7), money.Price(100_000_003+i*i), i/4))
	}
	var shown []trading.Position
	want, err := trading.Fold(trading.Position{}, sound(history), func(p trading.Position) { shown = append(shown, p) })
	if err != nil || len(shown) != 14 {
		t.Fatalf("got %d positions, %v, want 14, one for each of 15 dates except the last", len(shown), err)
	}
	for i, from := range shown {
		taken := 4 * (i + 1)
		if from.Trades != int64(taken) || !from.Date.Equal(history[taken-1].Date) {
			t.Errorf("got %d trades until %v, want %d until %v", from.Trades, from.Date, taken, history[taken-1].Date)
		}
		if got, err := trading.Fold(from, sound(history[taken:]), nil); err != nil || got != want {
			t.Errorf("from %d trades on: got %+v, %v, want %+v", taken, got, err, want)
		}
	}
}

// TestPrecedes: Precedes reports whether a trade can be folded into a position without its other trades:
// its date must not be before that of the position.
func TestPrecedes(t *testing.T) {
	held, err := trading.Fold(trading.Position{}, sound([]trading.Trade{traded(trading.Buy, 1, 1, 5)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for offset, want := range map[time.Duration]bool{-time.Nanosecond: false, 0: true, time.Nanosecond: true} {
		if got := held.Precedes(held.Date.Add(offset)); got != want {
			t.Errorf("%v later: got %t, want %t", offset, got, want)
		}
	}
	if !(trading.Position{}).Precedes(time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("the zero position: got that it does not precede a trade, want that it precedes every trade")
	}
}

func traded(side trading.Side, shares int64, price money.Price, minute int) trading.Trade {
	return trading.Trade{
		Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD", Product: trading.StockTrade},
		Shares:     trading.Shares(shares),
		Side:       side,
		Price:      price,
		Date:       day.Add(time.Duration(minute) * time.Minute),
	}
}

func sound(trades []trading.Trade) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		for _, t := range trades {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func parsed(t *testing.T, s string) money.Price {
	t.Helper()
	p, err := money.ParsePrice(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func abs(n int64) int64 { return max(n, -n) }
