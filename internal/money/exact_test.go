package money_test

import (
	"math"
	"strings"
	"testing"

	"daybook/internal/money"
)

func TestExact(t *testing.T) {
	third := money.AverageAt(0).Blend(2, 1, 1) // 0.00000000333...
	for _, c := range []struct {
		got  money.Exact
		want string
	}{
		{money.Exact{}, "0"},
		{money.Exact{}.Plus(money.Exact{}).Minus(money.Exact{}).Abs(), "0"},
		{money.AverageAt(10_300_000_000).Times(-250, 0), "-25750"},
		{money.AverageAt(10_300_000_000).Times(-250, 0).Abs(), "25750"},
		{money.Price(10_300_000_000).Times(-250).Exact(), "-25750"},
		{money.AverageAt(5_000).Times(1, 0), "0.0001"}, // half, away from zero
		{money.AverageAt(5_000).Times(-1, 0), "-0.0001"},
		{money.AverageAt(4_999).Times(-1, 0), "0"},
		{third.Times(15_000, 1), "0.0001"},   // an exact half, 0.00005, minus its error
		{third.Times(-15_000, 1), "-0.0001"}, // the same below zero
		{third.Times(14_999, 1), "0"},        // less than a half
		{money.Average{Rest: 1}.Times(5e18, 1), "0"},
		{money.Average{}.Times(math.MaxInt64, math.MaxInt64), "0"}, // whatever the possible error is
		{money.AverageAt(999_999_999_999_999_999).Times(math.MaxInt64, 0), "92233720368547757977766279631.4522"},
		{money.AverageAt(999_999_999_999_999_999).Times(-math.MaxInt64, 0), "-92233720368547757977766279631.4522"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if got, want := c.got.Sign() < 0, strings.HasPrefix(c.want, "-"); got != want && c.want != "0" {
			t.Errorf("%s: got sign %d, want the sign of the number", c.want, c.got.Sign())
		}
	}
}

func TestExactPercentOf(t *testing.T) {
	at := func(units int64) money.Exact { return money.Price(1).Times(units).Exact() }
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{1, 3, "33.33"}, {2, 3, "66.67"}, {3, 3, "100"}, {0, 3, "0"}, {1, 20_000, "0.01"}, {-1, -20_000, "-0.01"}} {
		if got := at(c.part).PercentOf(at(c.whole)).String(); got != c.want {
			t.Errorf("%d of %d: got %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}
