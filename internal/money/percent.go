package money

import (
	"cmp"
	"math/big"
)

const (
	percentDecimals = 4
	percentUnits    = 10_000 // of a Percent in one percent
)

// Percent is a percentage in units of 0.0001 percent. It is wider than 64 bits
// because 0.0001 budgeted and 14 digits spent is a percentage too.
type Percent struct{ v int128 }

// ParsePercent reads a decimal of at most 14 digits before the point and 4 after it, as a
// number that may have been computed in floats: of 15 or more significant digits, it is
// rounded to 4 decimals. The error continues the field's name.
func ParsePercent(s string) (Percent, error) {
	v, err := parseComputed(s, amountIntegers, percentDecimals)
	return Percent{wide(v)}, err
}

// WholePercent returns n percent.
func WholePercent(n int64) Percent { return Percent{wide(n * percentUnits)} }

// PercentOf returns part / |whole| x 100 with two decimals, half away from zero.
// The whole must not be 0.
func PercentOf(part, whole Sum) Percent {
	p, small := part.v.narrow()
	w, fits := whole.v.narrow()
	n, d := product(magnitude(p), 10_000), magnitude(w)
	if !small || !fits || uint64(n.hi) >= d/2 { // a quotient may need more than 63 bits
		return percentOf(part.v.big(), whole.v.big())
	}
	hundredths, left := n.over(d)
	if left >= d-left {
		hundredths++
	}
	v := product(hundredths, 100)
	if p < 0 {
		v = v.negated()
	}
	return Percent{v}
}

func percentOf(part, whole *big.Int) Percent {
	hundredths := new(big.Int).Mul(part, big.NewInt(10_000))
	roundBig(hundredths, new(big.Int).Abs(whole))
	return Percent{fromBig(hundredths.Mul(hundredths, big.NewInt(100)))}
}

// Sign returns -1, 0 or 1.
func (p Percent) Sign() int { return p.v.sign() }

// Exceeds reports whether |p| > threshold.
func (p Percent) Exceeds(threshold Percent) bool {
	a := p.v
	if a.sign() < 0 {
		a = a.negated()
	}
	t := threshold.v
	return cmp.Or(cmp.Compare(a.hi, t.hi), cmp.Compare(a.lo, t.lo)) > 0
}

// AppendTo appends the canonical decimal.
func (p Percent) AppendTo(b []byte) []byte { return p.v.appendScaled(b, percentUnits) }

func (p Percent) String() string { return string(p.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (p Percent) MarshalJSON() ([]byte, error) { return p.AppendTo(nil), nil }

// roundBig sets n to n / d, half away from zero; d > 0.
func roundBig(n, d *big.Int) {
	negative := n.Sign() < 0
	r := new(big.Int)
	n.QuoRem(n.Abs(n), d, r)
	if r.Lsh(r, 1).Cmp(d) >= 0 {
		n.Add(n, big.NewInt(1))
	}
	if negative {
		n.Neg(n)
	}
}
