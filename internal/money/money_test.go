package money_test

import (
	"math"
	"math/big"
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

var (
	canonical = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$`)
	number    = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)

// isCanonical reports whether s is a decimal in the form that the interface prints.
func isCanonical(s string) bool { return s != "-0" && canonical.MatchString(s) }

// rat returns the exact value of a decimal.
func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("not a number: " + s)
	}
	return r
}

// printed returns r rounded half away from zero, in the form that the interface prints.
func printed(r *big.Rat, decimals int) string {
	s := r.FloatString(decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

func pow10(n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).Inv(pow10(-n))
	}
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
}

// amounts draws any possible amount, and its limits often.
func amounts() *rapid.Generator[money.Amount] {
	const most = 999_999_999_999_999_999
	return rapid.Custom(func(t *rapid.T) money.Amount {
		return money.Amount(rapid.OneOf(
			rapid.Int64Range(-most, most),
			rapid.Int64Range(-10_000_000, 10_000_000),
			rapid.SampledFrom([]int64{-most, most, 0, 1, -1}),
		).Draw(t, "amount"))
	})
}

// sums draws a sum with its exact value, within 64 bits or far beyond.
func sums() *rapid.Generator[summed] {
	return rapid.Custom(func(t *rapid.T) summed {
		s := summed{want: new(big.Int)}
		for _, a := range rapid.SliceOfN(amounts(), 0, 5).Draw(t, "amounts") {
			times := rapid.SampledFrom([]int{1, 1, 1, 10, 1000}).Draw(t, "times")
			for range times {
				s.got.Add(a)
			}
			s.want.Add(s.want, new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(times))))
		}
		return s
	})
}

type summed struct {
	got  money.Sum
	want *big.Int // in units of 0.0001
}

func (s summed) rat() *big.Rat { return new(big.Rat).SetFrac(s.want, big.NewInt(10_000)) }

// limits returns sums at the limits of 64 bits, where arithmetic could overflow.
func limits() []summed {
	var all []summed
	for _, v := range []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, 1 << 62, -1 << 62, 1<<62/10_000 + 1, -1, 1} {
		s := summed{got: money.SumOf(money.Amount(v)), want: big.NewInt(v)}
		all = append(all, s)
		for _, more := range []int64{1, -1, math.MaxInt64, math.MinInt64} {
			next := summed{got: s.got, want: new(big.Int).Add(s.want, big.NewInt(more))}
			next.got.Add(money.Amount(more))
			all = append(all, next)
		}
	}
	return all
}
