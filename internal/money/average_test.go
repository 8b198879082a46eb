package money_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

func TestBlend(t *testing.T) {
	for _, c := range []struct {
		n    int64
		a    money.Average
		m    int64
		p    money.Price
		want string
	}{
		{0, money.Average{}, 5, 9500000000, "95.00000000000000000000000000"},
		{100, money.AverageAt(9500000000), 200, 10500000000, "101.66666666666666666666666667"},
		{2, money.AverageAt(1), 1, 2, "0.00000001333333333333333333"},
		{1, money.AverageAt(0), 3, 0, "0.00000000000000000000000000"},
		{1, money.Average{Price: 0, Rest: 1}, 1, 0, "0.00000000000000000000000001"}, // half, away from zero
		{math.MaxInt64, money.AverageAt(1), math.MaxInt64, 3, "0.00000002000000000000000000"},
		{math.MaxInt64, money.AverageAt(999_999_999_999_999_999), 1, 0, "9999999999.99999998891579782751449557"},
	} {
		if got := c.a.Blend(c.n, c.p, c.m).String(); got != c.want {
			t.Errorf("%d at %s and %d at %s: got %s, want %s", c.n, c.a, c.m, c.p, got, c.want)
		}
	}
}

func TestBlendAgreesWithExactArithmetic(t *testing.T) {
	prices := rapid.OneOf(rapid.Int64Range(0, 999_999_999_999_999_999), rapid.Int64Range(0, 1000))
	units := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(1, 1000))
	rapid.Check(t, func(t *rapid.T) {
		a := money.Average{
			Price: money.Price(prices.Draw(t, "average")),
			Rest:  rapid.Int64Range(0, 999_999_999_999_999_999).Draw(t, "rest"),
		}
		n, m := units.Draw(t, "n"), units.Draw(t, "m")
		p := money.Price(prices.Draw(t, "price"))
		blendAgrees(t, a, n, p, m)
	})
}

func FuzzBlend(f *testing.F) {
	f.Add(uint64(9_500_000_000), uint64(0), uint64(100), uint64(10_500_000_000), uint64(200))
	f.Add(uint64(0), uint64(1), uint64(1), uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, average, rest, n, price, m uint64) {
		a := money.Average{Price: money.Price(average % 1e18), Rest: int64(rest % 1e18)}
		blendAgrees(t, a, int64(n>>1), money.Price(price%1e18), max(1, int64(m>>1)))
	})
}

func blendAgrees(t interface{ Fatalf(string, ...any) }, a money.Average, n int64, p money.Price, m int64) {
	got := a.Blend(n, p, m)
	held, taken := new(big.Rat).SetInt64(n), new(big.Rat).SetInt64(m)
	cost := new(big.Rat).Mul(held, carried(a))
	cost.Add(cost, new(big.Rat).Mul(taken, big.NewRat(int64(p), 100_000_000)))
	want := cost.Quo(cost, held.Add(held, taken)).FloatString(26)
	if carried(got).FloatString(26) != want || got.String() != want {
		t.Fatalf("%d at %s and %d at %s: got %s, want %s", n, a, m, p, got, want)
	}
	if got.Rest < 0 || got.Rest > 999_999_999_999_999_999 {
		t.Fatalf("%d at %s and %d at %s: got rest %d, want 18 digits", n, a, m, p, got.Rest)
	}
}

// carried is the exact value of an average.
func carried(a money.Average) *big.Rat {
	v := new(big.Rat).SetInt64(int64(a.Price))
	v.Add(v, big.NewRat(a.Rest, 1_000_000_000_000_000_000))
	return v.Mul(v, big.NewRat(1, 100_000_000))
}

func TestRounded(t *testing.T) {
	for _, c := range []struct {
		rest int64
		want money.Price
	}{
		{0, 7}, {1, 7}, {400_000_000_000_000_000, 7},
		{499_999_999_999_999_499, 7}, // no half: a lot of 10^15 units can come this close
		{499_999_999_999_999_999, 8}, // what rounding left of an exact half
		{500_000_000_000_000_000, 8}, {999_999_999_999_999_999, 8},
	} {
		if got := (money.Average{Price: 7, Rest: c.rest}).Rounded(); got != c.want {
			t.Errorf("7 and %d: got %d, want %d", c.rest, got, c.want)
		}
	}
}

func ExampleAverage_Blend() {
	fmt.Println(money.AverageAt(9_500_000_000).Blend(100, 10_500_000_000, 200).Rounded())
	// Output: 101.66666667
}
