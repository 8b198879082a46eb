package money_test

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

func TestSum(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, s summed) {
		if got, want := s.got.String(), printed(s.rat(), 4); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := s.got.Sign(), s.want.Sign(); got != want {
			t.Errorf("%s: got sign %d, want %d", s.got, got, want)
		}
	}
	for _, s := range limits() {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, sums().Draw(t, "sum")) })
}

// TestCostsAgreeWithExactArithmetic: the sum of costs is exact, and the same in another order. Overflows
// reports a sum that needs more than 128 bits.
func TestCostsAgreeWithExactArithmetic(t *testing.T) {
	units := rapid.OneOf(rapid.Int64Range(-math.MaxInt64, math.MaxInt64), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{-math.MaxInt64, math.MaxInt64}))
	prices := rapid.OneOf(rapid.Int64Range(0, 999_999_999_999_999_999), rapid.Int64Range(0, 3), rapid.Just[int64](999_999_999_999_999_999))
	limit := new(big.Int).Lsh(big.NewInt(1), 127)
	rapid.Check(t, func(t *rapid.T) {
		var costs []money.Sum
		var got, backwards money.Sum
		want := new(big.Int)
		for range rapid.IntRange(0, 60).Draw(t, "lots") {
			n, p := units.Draw(t, "units"), prices.Draw(t, "price")
			cost := money.Price(p).Times(n)
			sum := new(big.Int).Add(want, new(big.Int).Mul(big.NewInt(n), big.NewInt(p)))
			inside := sum.Cmp(limit) < 0 && sum.Cmp(new(big.Int).Neg(limit)) >= 0
			if got.Overflows(cost) == inside {
				t.Fatalf("%s and %s: got overflow %t, want %t", got, cost, !inside, inside)
			}
			if inside {
				got, want, costs = got.Plus(cost), sum, append(costs, cost)
			}
		}
		if exact := printed(new(big.Rat).SetFrac(want, big.NewInt(100_000_000)), 8); got.String() != exact {
			t.Fatalf("got %s, want %s", got, exact)
		}
		if exact := printed(new(big.Rat).SetFrac(want, big.NewInt(100_000_000)), 4); got.Exact().String() != exact {
			t.Fatalf("got the amount %s, want %s", got.Exact(), exact)
		}
		for _, cost := range slices.Backward(costs) {
			backwards = backwards.Plus(cost)
		}
		if backwards != got || money.SumOfWords(got.Words()) != got {
			t.Fatalf("got %v, %v backwards, and %v from its words, want the same three times", got, backwards, money.SumOfWords(got.Words()))
		}
	})
	if got, want := money.LargestSum.String(), "1701411834604692317316873037158.84105727"; got != want || !money.LargestSum.Overflows(money.Price(1).Times(1)) {
		t.Errorf("got the largest sum %s, want %s", got, want)
	}
}

// TestWords: the low word of a small sum is the sum itself.
func TestWords(t *testing.T) {
	for _, c := range []struct{ units, high, low int64 }{
		{0, 0, 0}, {3, 0, 3}, {-3, -1, -3}, {math.MaxInt64, 0, math.MaxInt64}, {-math.MaxInt64, -1, -math.MaxInt64},
	} {
		if high, low := money.Price(1).Times(c.units).Words(); high != c.high || low != c.low {
			t.Errorf("%d: got %d and %d, want %d and %d", c.units, high, low, c.high, c.low)
		}
	}
}

func TestPercentOf(t *testing.T) {
	for _, c := range []struct{ part, whole, want string }{
		{"27775", "373080", "7.44"},
		{"-20396", "158940", "-12.83"},
		{"7379", "532020", "1.39"},
		{"1", "3", "33.33"},
		{"2", "3", "66.67"},
		{"-2", "3", "-66.67"},
		{"1", "-3", "33.33"}, // the magnitude of the whole
		{"-1", "-3", "-33.33"},
		{"0", "5", "0"},
		{"0.1", "1600", "0.01"}, // 0.00625 -> 0.01
		{"1", "20000", "0.01"},  // 0.005: half, away from zero
		{"-1", "20000", "-0.01"},
		{"0.9999", "20000", "0"}, // 0.0049995
		{"99999999999999.9999", "0.0001", "99999999999999999900"},
		{"-99999999999999.9999", "0.0001", "-99999999999999999900"},
		{"99999999999999.9999", "99999999999999.9998", "100"},
	} {
		got := money.PercentOf(money.SumOf(parsed(t, c.part)), money.SumOf(parsed(t, c.whole)))
		if got.String() != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}

func TestPercentOfAtTheLimits(t *testing.T) {
	for _, part := range limits() {
		for _, whole := range limits() {
			percentAgrees(t, part, whole)
		}
	}
}

func TestPercentOfAgreesWithExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percentAgrees(t, sums().Draw(t, "part"), sums().Draw(t, "whole"))
	})
}

func FuzzPercentOf(f *testing.F) {
	f.Add(int64(1), int64(3))
	f.Add(int64(-1), int64(20_000))
	f.Add(int64(999_999_999_999_999_999), int64(-1))
	f.Fuzz(func(t *testing.T, part, whole int64) {
		percentAgrees(t,
			summed{money.SumOf(money.Amount(part)), big.NewInt(part)},
			summed{money.SumOf(money.Amount(whole)), big.NewInt(whole)})
	})
}

func percentAgrees(t interface{ Fatalf(string, ...any) }, part, whole summed) {
	if whole.want.Sign() == 0 {
		return
	}
	ratio := new(big.Rat).Quo(part.rat(), new(big.Rat).Abs(whole.rat()))
	want := printed(ratio.Mul(ratio, big.NewRat(100, 1)), 2)
	got := money.PercentOf(part.got, whole.got)
	if got.String() != want {
		t.Fatalf("%s of %s: got %s percent, want %s", part.want, whole.want, got, want)
	}
	if got.Sign() != rat(want).Sign() {
		t.Fatalf("%s of %s: got sign %d of %s", part.want, whole.want, got.Sign(), want)
	}
}

// TestExceeds: a percentage exceeds a threshold if its printed absolute value is larger.
func TestExceeds(t *testing.T) {
	for _, c := range []struct {
		part, whole, threshold string
		want                   bool
	}{
		{"10", "100", "10", false}, // strictly
		{"-10", "100", "10", false},
		{"10.01", "100", "10", true},
		{"-10.01", "100", "10", true},
		{"10.004", "100", "10", false}, // the printed value counts
		{"10.005", "100", "10", true},
		{"0", "100", "0", false},
		{"0.01", "100", "0", true},
		{"99999999999999.9999", "0.0001", "99999999999999.9999", true},
		{"-99999999999999.9999", "0.0001", "99999999999999.9999", true},
		{"5", "100", "99999999999999.9999", false},
	} {
		threshold, err := money.ParsePercent(c.threshold)
		if err != nil {
			t.Fatal(err)
		}
		p := money.PercentOf(money.SumOf(parsed(t, c.part)), money.SumOf(parsed(t, c.whole)))
		if got := p.Exceeds(threshold); got != c.want {
			t.Errorf("%s exceeds %s: got %t, want %t", p, threshold, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		whole := sums().Filter(func(s summed) bool { return s.want.Sign() != 0 }).Draw(t, "whole")
		p := money.PercentOf(sums().Draw(t, "part").got, whole.got)
		threshold := money.PercentOf(sums().Draw(t, "threshold").got, whole.got)
		magnitude := rat(p.String())
		want := magnitude.Abs(magnitude).Cmp(rat(threshold.String())) > 0
		if got := p.Exceeds(threshold); got != want {
			t.Errorf("%s exceeds %s: got %t, want %t", p, threshold, got, want)
		}
	})
}

func TestParsePercent(t *testing.T) {
	for text, want := range map[string]string{"10": "10", "0": "0", "12.3456": "12.3456", "-5": "-5", "1e1": "10", "": "", "ten": "", "0.00001": ""} {
		got, err := money.ParsePercent(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%q: got %s, %v, want %q", text, got, err, want)
		}
	}
	for _, n := range []int64{-100, 0, 100} {
		if got, want := money.WholePercent(n).Sign(), cmp.Compare(n, 0); got != want {
			t.Errorf("%d percent: got sign %d, want %d", n, got, want)
		}
	}
}

func parsed(t *testing.T, s string) money.Amount {
	t.Helper()
	a, err := money.ParseAmount(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
