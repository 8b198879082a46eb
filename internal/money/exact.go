package money

import "math/big"

// Exact is an amount as it was computed, of any size and with the 26 decimals of an
// Average: it is rounded once, when it is printed. It knows how far the averages that it
// was computed from may be off. The zero value is 0.
type Exact struct {
	v   *big.Int // in units of 10^-26, and never changed; nil is 0
	off *big.Int // the exact amount is no further from v than this; like v
}

var (
	exactPerSum    = big.NewInt(rests) // 26 decimals, less 8
	mostAdded      = new(big.Int).Div(exactPerAmount, big.NewInt(4))
	exactPerAmount = new(big.Int).Exp(big.NewInt(10), big.NewInt(26-4), nil) // 26 decimals, less 4
)

// Exact is the sum as an exact amount.
func (s Sum) Exact() Exact {
	v := s.v.big()
	return Exact{v: v.Mul(v, exactPerSum)}
}

// Times is what n units cost at the average, which was made by so many blends; n is
// negative for units owed.
func (a Average) Times(n, blends int64) Exact {
	v, units := big.NewInt(int64(a.Price)), big.NewInt(n)
	v.Mul(v, exactPerSum).Add(v, big.NewInt(a.Rest)).Mul(v, units)
	off := big.NewInt(blends)
	off.Mul(off, units.Abs(units)).Add(off, big.NewInt(1))
	return Exact{v: v, off: off.Rsh(off, 1)}
}

// Plus returns e + o.
func (e Exact) Plus(o Exact) Exact {
	return Exact{added(e.v, o.v), added(e.off, o.off)}
}

// Minus returns e - o.
func (e Exact) Minus(o Exact) Exact {
	return Exact{new(big.Int).Sub(orNone(e.v), orNone(o.v)), added(e.off, o.off)}
}

// Abs returns |e|.
func (e Exact) Abs() Exact { return Exact{new(big.Int).Abs(orNone(e.v)), e.off} }

// Sign returns -1, 0 or 1.
func (e Exact) Sign() int { return orNone(e.v).Sign() }

// PercentOf returns e / |whole| x 100 with two decimals, half away from zero. The whole
// must not be 0, and e no 2^100 times as large.
func (e Exact) PercentOf(whole Exact) Percent { return percentOf(orNone(e.v), orNone(whole.v)) }

func added(a, b *big.Int) *big.Int {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(big.Int).Add(a, b)
}

func orNone(v *big.Int) *big.Int {
	if v == nil {
		return new(big.Int)
	}
	return v
}

// AppendTo appends the canonical decimal of Rounded.
func (e Exact) AppendTo(b []byte) []byte { return appendBig(b, e.amount(), amountUnits) }

// Rounded returns the amount as it is printed. A printed total is the sum of amounts that were
// rounded so, each by itself.
func (e Exact) Rounded() Exact {
	v := e.amount()
	return Exact{v: v.Mul(v, exactPerAmount)}
}

// amount returns the amount in units of 0.0001, rounded half away from zero. Where the exact amount may be a half, it is taken for that, but nothing is rounded up by more
// than three quarters of the last decimal.
//
// It differs from exact arithmetic only where the exact amount lies less than twice what
// it may be off below a half, which is blends * units * 10^-26 for units at an average.
func (e Exact) amount() *big.Int {
	v := orNone(e.v)
	rounded, off := new(big.Int).Abs(v), orNone(e.off)
	if off.Cmp(mostAdded) > 0 {
		off = mostAdded
	}
	roundBig(rounded.Add(rounded, off), exactPerAmount)
	if v.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return rounded
}

func (e Exact) String() string { return string(e.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (e Exact) MarshalJSON() ([]byte, error) { return e.AppendTo(nil), nil }
