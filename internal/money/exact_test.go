package money_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

func TestExact(t *testing.T) {
	third := money.AverageAt(0).Blend(1, 1, 2) // 0.00000000666...
	for _, c := range []struct {
		got  money.Exact
		want string
	}{
		{money.Exact{}, "0"},
		{money.Exact{}.Plus(money.Exact{}).Minus(money.Exact{}).Abs(), "0"},
		{money.AverageAt(10_300_000_000).Times(-250, 0), "-25750"},
		{money.AverageAt(10_300_000_000).Times(-250, 0).Abs(), "25750"},
		{money.AverageAt(5_000).Times(1, 0), "0.0001"}, // half, away from zero
		{money.AverageAt(5_000).Times(-1, 0), "-0.0001"},
		{money.AverageAt(4_999).Times(-1, 0), "0"},
		{third.Times(7_500, 1), "0.0001"},   // what is left of an exact half: 0.00005
		{third.Times(-7_500, 1), "-0.0001"}, //
		{third.Times(7_499, 1), "0"},        // none
		{money.Average{Rest: 1}.Times(5e18, 1), "0"},
		{money.AverageAt(999_999_999_999_999_999).Times(math.MaxInt64, 0), "92233720368547757977766279631.4522"},
		{money.AverageAt(999_999_999_999_999_999).Times(-math.MaxInt64, 0), "-92233720368547757977766279631.4522"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if got, want := c.got.Sign() < 0, strings.HasPrefix(c.want, "-"); got != want && c.want != "0" {
			t.Errorf("%s: got sign %d", c.want, c.got.Sign())
		}
	}
}

func TestExactPercentOf(t *testing.T) {
	at := func(units int64) money.Exact { return money.AverageAt(1).Times(units, 0) }
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{1, 3, "33.33"}, {2, 3, "66.67"}, {3, 3, "100"}, {0, 3, "0"}, {1, 20_000, "0.01"}, {-1, -20_000, "-0.01"}} {
		if got := at(c.part).PercentOf(at(c.whole)).String(); got != c.want {
			t.Errorf("%d of %d: got %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}

// An outlay is exact however much was paid, and equal when it was paid in another order.
func TestOutlayAgreesWithExactArithmetic(t *testing.T) {
	units := rapid.OneOf(rapid.Int64Range(-math.MaxInt64, math.MaxInt64), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{-math.MaxInt64, math.MaxInt64}))
	prices := rapid.OneOf(rapid.Int64Range(0, 999_999_999_999_999_999), rapid.Int64Range(0, 3), rapid.Just[int64](999_999_999_999_999_999))
	rapid.Check(t, func(t *rapid.T) {
		type lot struct{ n, p int64 }
		var lots []lot
		var got money.Outlay
		want := new(big.Int)
		for range rapid.IntRange(0, 60).Draw(t, "lots") {
			one := lot{units.Draw(t, "units"), prices.Draw(t, "price")}
			lots = append(lots, one)
			got = got.Plus(one.n, money.Price(one.p))
			want.Add(want, new(big.Int).Mul(big.NewInt(one.n), big.NewInt(one.p)))
		}
		if printed := got.Exact().String(); printed != printed4(want) {
			t.Fatalf("got %s, want %s", printed, printed4(want))
		}
		var backwards money.Outlay
		for i := range lots {
			one := lots[len(lots)-1-i]
			backwards = backwards.Plus(one.n, money.Price(one.p))
		}
		if backwards != got {
			t.Fatalf("got %v, and %v when paid backwards", got, backwards)
		}
	})
}

// printed4 is a number of price units as an amount.
func printed4(v *big.Int) string {
	return printed(new(big.Rat).SetFrac(v, big.NewInt(100_000_000)), 4)
}
