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
		{0, money.Average{}, 5, 9500000000, "95.00000000000000000000000000000000000000000000"},
		{100, money.AverageAt(9500000000), 200, 10500000000, "101.66666666666666666666666666666666666666666667"},
		{2, money.AverageAt(1), 1, 2, "0.00000001333333333333333333333333333333333333"},
		{1, money.AverageAt(0), 3, 0, "0.00000000000000000000000000000000000000000000"},
		{1, money.Average{Finer: 1}, 1, 0, "0.00000000000000000000000000000000000000000001"}, // half, away from zero
		{math.MaxInt64, money.AverageAt(1), math.MaxInt64, 3, "0.00000002000000000000000000000000000000000000"},
		{math.MaxInt64, money.AverageAt(999_999_999_999_999_999), 1, 0, "9999999999.99999998891579782751449556707674937161556272"},
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
			Finer: rapid.Int64Range(0, 999_999_999_999_999_999).Draw(t, "finer"),
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
		a := money.Average{Price: money.Price(average % 1e18), Rest: int64(rest % 1e18), Finer: int64(rest / 2 % 1e18)}
		blendAgrees(t, a, int64(n>>1), money.Price(price%1e18), max(1, int64(m>>1)))
	})
}

// Figures that cannot be give an average that a row can hold.
func TestBlendOfFiguresThatCannotBe(t *testing.T) {
	any64 := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		a := money.Average{Price: money.Price(any64.Draw(t, "average")), Rest: any64.Draw(t, "rest"), Finer: any64.Draw(t, "finer")}
		got := a.Blend(any64.Draw(t, "n"), money.Price(any64.Draw(t, "price")), any64.Draw(t, "m"))
		if max(got.Rest, got.Finer) > 999_999_999_999_999_999 || min(got.Rest, got.Finer) < 0 {
			t.Fatalf("got rests %d and %d, want 18 digits", got.Rest, got.Finer)
		}
	})
}

func blendAgrees(t interface{ Fatalf(string, ...any) }, a money.Average, n int64, p money.Price, m int64) {
	got := a.Blend(n, p, m)
	held, taken := new(big.Rat).SetInt64(n), new(big.Rat).SetInt64(m)
	cost := new(big.Rat).Mul(held, carried(a))
	cost.Add(cost, new(big.Rat).Mul(taken, big.NewRat(int64(p), 100_000_000)))
	want := cost.Quo(cost, held.Add(held, taken)).FloatString(44)
	if carried(got).FloatString(44) != want || got.String() != want {
		t.Fatalf("%d at %s and %d at %s: got %s, want %s", n, a, m, p, got, want)
	}
	if max(got.Rest, got.Finer) > 999_999_999_999_999_999 || min(got.Rest, got.Finer) < 0 {
		t.Fatalf("%d at %s and %d at %s: got rests %d and %d, want 18 digits", n, a, m, p, got.Rest, got.Finer)
	}
}

// carried is the exact value of an average.
func carried(a money.Average) *big.Rat {
	v := new(big.Rat).SetInt64(int64(a.Price))
	const rests = 1_000_000_000_000_000_000
	finer := big.NewRat(a.Finer, rests)
	rest := finer.Add(finer, new(big.Rat).SetInt64(a.Rest))
	v.Add(v, rest.Quo(rest, new(big.Rat).SetInt64(rests)))
	return v.Mul(v, big.NewRat(1, 100_000_000))
}

func TestRounded(t *testing.T) {
	for _, c := range []struct {
		rest, finer int64
		want        money.Price
	}{
		{0, 0, 7}, {0, 1, 7}, {400_000_000_000_000_000, 999_999_999_999_999_999, 7},
		{499_999_999_999_999_999, 0, 7},
		{499_999_999_999_999_999, 999_999_999_999_499_999, 7}, // no half, as close as it may be
		{499_999_999_999_999_999, 999_999_999_999_999_999, 8}, // what rounding left of an exact half
		{500_000_000_000_000_000, 0, 8}, {999_999_999_999_999_999, 999_999_999_999_999_999, 8},
	} {
		if got := (money.Average{Price: 7, Rest: c.rest, Finer: c.finer}).Rounded(); got != c.want {
			t.Errorf("7 and %d and %d: got %d, want %d", c.rest, c.finer, got, c.want)
		}
	}
}

func ExampleAverage_Blend() {
	fmt.Println(money.AverageAt(9_500_000_000).Blend(100, 10_500_000_000, 200).Rounded())
	// Output: 101.66666667
}
