package trading_test

import (
	"math"
	"strings"
	"testing"

	"daybook/internal/trading"
)

func TestNumbersInTheirRanges(t *testing.T) {
	for name, c := range map[string]struct {
		parse     func(int64) (int64, error)
		good, bad []int64
	}{
		"shares": {
			func(n int64) (int64, error) { v, err := trading.NewShares(n); return int64(v), err },
			[]int64{1, 2, math.MaxInt64}, []int64{0, -1, math.MinInt64},
		},
		"product": {
			func(n int64) (int64, error) { v, err := trading.NewProduct(n); return int64(v), err },
			[]int64{0, 1, 2, 3, 4}, []int64{-1, 5, 256, 1 << 32, math.MinInt64, math.MaxInt64},
		},
		"shares outstanding": {
			func(n int64) (int64, error) { v, err := trading.NewOutstanding(n); return int64(v), err },
			[]int64{0, 1, math.MaxInt64}, []int64{-1, math.MinInt64},
		},
	} {
		for _, n := range c.good {
			if got, err := c.parse(n); err != nil || got != n {
				t.Errorf("%s %d: got %d, %v, want it unchanged", name, n, got, err)
			}
		}
		for _, n := range c.bad {
			if got, err := c.parse(n); err == nil || !strings.HasPrefix(err.Error(), "must be ") {
				t.Errorf("%s %d: got %d, %v, want an error that continues a field's name", name, n, got, err)
			}
		}
	}
}

func TestParsePrice(t *testing.T) {
	for raw, want := range map[string]string{
		"0": "0", "-0": "0", "12.50": "12.5", "9999999999.99999999": "9999999999.99999999",
		"-0.00000001": "", "-1": "", "10000000000": "", "": "", "free": "",
	} {
		got, err := trading.ParsePrice(raw)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%q: got %s, %v, want %q", raw, got, err, want)
		}
	}
}

func TestParseComputedPrice(t *testing.T) {
	for raw, want := range map[string]string{
		"101.66666666666667": "101.66666667", "12.50": "12.5", "-4.440892098500626e-16": "0",
		"-0.30000000000000004": "", "-1": "", "1.123456789": "",
	} {
		got, err := trading.ParseComputedPrice(raw)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%s: got %s, %v, want %q", raw, got, err, want)
		}
	}
}

func TestParseSymbol(t *testing.T) {
	for raw, want := range map[string]trading.Symbol{
		" AAPL ": "AAPL", "aapl": "aapl", "EUR/USD": "EUR/USD", "": "", "A\nB": "", strings.Repeat("x", 65): "",
		"CAFE\u0301": "CAFÉ", "A\u200bB": "", "\u202eLPAA": "", "AAPL\u200e": "",
	} {
		got, err := trading.ParseSymbol(raw)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
	}
}

func TestSides(t *testing.T) {
	for flag, want := range map[bool]trading.Side{true: trading.Buy, false: trading.Sell} {
		if got := trading.SideOf(flag); got != want || got.Flag() != flag {
			t.Errorf("%t: got %d, which is %t, want %d", flag, got, got.Flag(), want)
		}
	}
}
