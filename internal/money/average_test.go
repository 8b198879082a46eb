package money_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

// TestBlend: the average of two lots is rounded at the 26th decimal, half away from zero.
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
		{1, money.Average{Rest: 1}, 1, 0, "0.00000000000000000000000001"}, // half, away from zero
		{math.MaxInt64, money.AverageAt(1), math.MaxInt64, 3, "0.00000002000000000000000000"},
		{math.MaxInt64, money.AverageAt(999_999_999_999_999_999), 1, 0, "9999999999.99999998891579782751449557"},
		{2, money.Average{Rest: 999_999_999_999_999_999}, 3, 1, "0.00000001000000000000000000"}, // the rest rounds up to a whole
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

// TestBlendOfFiguresThatCannotBe: figures that cannot occur still give an average that a row can store.
func TestBlendOfFiguresThatCannotBe(t *testing.T) {
	any64 := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		a := money.Average{Price: money.Price(any64.Draw(t, "average")), Rest: any64.Draw(t, "rest")}
		got := a.Blend(any64.Draw(t, "n"), money.Price(any64.Draw(t, "price")), any64.Draw(t, "m"))
		if got.Rest > 999_999_999_999_999_999 || got.Rest < 0 {
			t.Fatalf("got the rest %d, want 18 digits", got.Rest)
		}
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
	if got.Rest > 999_999_999_999_999_999 || got.Rest < 0 {
		t.Fatalf("%d at %s and %d at %s: got the rest %d, want 18 digits", n, a, m, p, got.Rest)
	}
}

// carried returns the exact value of an average.
func carried(a money.Average) *big.Rat {
	v := new(big.Rat).SetFrac64(a.Rest, 1_000_000_000_000_000_000)
	v.Add(v, new(big.Rat).SetInt64(int64(a.Price)))
	return v.Mul(v, big.NewRat(1, 100_000_000))
}

// TestRounded: an average that can be an exact half is rounded up. The possible error grows with the
// number of blends.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		rest, blends int64
		want         money.Price
	}{
		{0, 0, 7},
		{499_999_999_999_999_999, 0, 7},
		{499_999_999_999_999_999, 1, 7}, // the error of an exact half is at most half of the last decimal
		{499_999_999_999_999_999, 2, 8}, // the least that two blends can make of an exact half
		{499_999_999_999_500_000, 1_000_000, 8},
		{499_999_999_999_499_999, 1_000_000, 7},
		{500_000_000_000_000_000, 0, 8},
		{999_999_999_999_999_999, 0, 8},
	} {
		if got := (money.Average{Price: 7, Rest: c.rest}).Rounded(c.blends); got != c.want {
			t.Errorf("7 and %d of %d blends: got %d, want %d", c.rest, c.blends, got, c.want)
		}
	}
}

// TestRoundedIsExactOfLots: Rounded is exact for lots of up to its largest number of units. The average
// of these lots is half a unit of the 8th decimal, or as close to that as the average of so many units
// can be.
func TestRoundedIsExactOfLots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blends := rapid.Int64Range(1, 60).Draw(t, "blends")
		most := rapid.SampledFrom([]int64{10, 10_000, 5e8, 5e17 - 1}).Draw(t, "most") / blends
		lots := make([]lot, 0, blends+1)
		var units int64
		for range blends {
			one := lot{
				rapid.Int64Range(1, max(1, (most-1)/blends)).Draw(t, "units"),
				money.Price(rapid.Int64Range(0, 999_999_999_999_999_999).Draw(t, "price")),
			}
			lots = append(lots, one)
			units += one.units
		}
		if more := most - 1 - units; more > 0 && rapid.Bool().Draw(t, "as many as can be") {
			lots[0].units += more
			units += more
		}
		lots = nextToAHalf(lots, units+1, rapid.Int64Range(-3, 3).Draw(t, "off"))
		if got, want := blended(lots).Rounded(blends).String(), printed(averageOf(lots), 8); got != want {
			t.Fatalf("%v: got %s, want %s (%s)", lots, got, want, averageOf(lots).FloatString(40))
		}
	})
}

// TestRoundedOfTheLargestLots: for more units Rounded is not exact. An average that is very close below
// a half is rounded like the half.
func TestRoundedOfTheLargestLots(t *testing.T) {
	for units, want := range map[int64]money.Price{499_999_999_999_999_999: 1, 999_999_999_999_999_999: 1, 1_000_000_000_000_000_001: 2, math.MaxInt64: 2} {
		lots := []lot{{units/2 + 1, 1}, {units / 2, 2}}
		if got := blended(lots).Rounded(1); got != want {
			t.Errorf("%d units at %s: got %d, want %d", units, averageOf(lots).FloatString(30), got, want)
		}
	}
}

type lot struct {
	units int64
	price money.Price
}

// nextToAHalf adds a lot of one unit, so that the average of all units differs from half a unit of the
// 8th decimal by off parts of 10^-8 / 2 units, or by off + 1 parts if off is not possible.
func nextToAHalf(lots []lot, units, off int64) []lot {
	if (units+off)%2 != 0 { // a half is an odd number of such parts
		off++
	}
	paid := new(big.Int)
	for _, one := range lots {
		paid.Add(paid, new(big.Int).Mul(big.NewInt(one.units), big.NewInt(int64(one.price))))
	}
	more := big.NewInt((units + off) / 2) // and any number of times units
	more.Sub(more, paid).Mod(more, big.NewInt(units))
	return append(lots, lot{1, money.Price(more.Int64())})
}

func blended(lots []lot) (a money.Average) {
	var units int64
	for _, one := range lots {
		a = a.Blend(units, one.price, one.units)
		units += one.units
	}
	return a
}

// averageOf returns the average of lots in exact arithmetic.
func averageOf(lots []lot) *big.Rat {
	paid, units := new(big.Int), new(big.Int)
	for _, one := range lots {
		paid.Add(paid, new(big.Int).Mul(big.NewInt(one.units), big.NewInt(int64(one.price))))
		units.Add(units, big.NewInt(one.units))
	}
	return new(big.Rat).SetFrac(paid, units.Mul(units, big.NewInt(100_000_000)))
}

func ExampleAverage_Blend() {
	fmt.Println(money.AverageAt(9_500_000_000).Blend(100, 10_500_000_000, 200).Rounded(1))
	// Output: 101.66666667
}
