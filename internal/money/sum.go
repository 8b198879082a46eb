package money

import "math"

// Sum is an exact sum of amounts, or of prices times units: 128 bits in units of
// 0.00000001. It takes 10^16 amounts, but only 18 of the largest prices times units, to
// leave its range. The zero value is 0.
type Sum struct{ v int128 }

// LargestSum is the largest Sum there is.
var LargestSum = Sum{int128{hi: math.MaxInt64, lo: math.MaxUint64}}

// sumPerAmount is how many units of a Sum make one of an Amount: 8 decimals, less 4.
const sumPerAmount = priceUnits / amountUnits

// SumOf returns the sum of the amounts.
func SumOf(amounts ...Amount) Sum {
	var s Sum
	for _, a := range amounts {
		s.Add(a)
	}
	return s
}

// Times is what n units cost at the price; n is negative for units sold.
func (p Price) Times(n int64) Sum { return Sum{times(n, uint64(p))} }

// SumOfWords returns the sum that has these Words.
func SumOfWords(high, low int64) Sum { return Sum{int128{hi: high, lo: uint64(low)}} }

// Words returns the sum as two 64-bit columns hold it: the two halves of a two's
// complement integer. Within 64 bits low is that integer, and high is 0 or -1.
func (s Sum) Words() (high, low int64) { return s.v.hi, int64(s.v.lo) }

// Add adds an amount.
func (s *Sum) Add(a Amount) { s.v = s.v.plus(times(int64(a), sumPerAmount)) }

// Plus returns s + o.
func (s Sum) Plus(o Sum) Sum { return Sum{s.v.plus(o.v)} }

// Minus returns s - o.
func (s Sum) Minus(o Sum) Sum { return Sum{s.v.plus(o.v.negated())} }

// Overflows reports whether s + o leaves the range of a Sum.
func (s Sum) Overflows(o Sum) bool {
	negative, sum := s.v.hi < 0, s.v.plus(o.v)
	return negative == (o.v.hi < 0) && negative != (sum.hi < 0)
}

// Sign returns -1, 0 or 1.
func (s Sum) Sign() int { return s.v.sign() }

// AppendTo appends the canonical decimal.
func (s Sum) AppendTo(b []byte) []byte { return s.v.appendScaled(b, priceUnits) }

func (s Sum) String() string { return string(s.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (s Sum) MarshalJSON() ([]byte, error) { return s.AppendTo(nil), nil }
