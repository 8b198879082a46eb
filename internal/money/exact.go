package money

import "math/big"

// Exact is an amount as it was reckoned, of any size and with the 44 decimals that an
// Average has: it is rounded once, when it is printed. It knows how far the averages that
// it was reckoned from may be off. The zero value is 0.
type Exact struct {
	v   *big.Int // in units of 10^-44, and never changed; nil is 0
	off *big.Int // the exact amount is no further from v than this; like v
}

var (
	exactRests = big.NewInt(rests)
	// How many units of an Exact make one of a Price.
	exactPerPrice = new(big.Int).Mul(exactRests, exactRests)
	// How many make one of an Amount: 44 decimals, less 4.
	exactPerAmount = new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil)
)

// Times is what n units cost at the average, which was made by so many blends; n is
// negative for units owed. Each blend may be off by half of the last decimal, and what it
// blends carries what was off before on, never enlarged.
func (a Average) Times(n, blends int64) Exact {
	v := big.NewInt(int64(a.Price))
	v.Mul(v, exactRests).Add(v, big.NewInt(a.Rest))
	v.Mul(v, exactRests).Add(v, big.NewInt(a.Finer))
	units := big.NewInt(n)
	off := new(big.Int).Mul(big.NewInt(blends), new(big.Int).Abs(units))
	return Exact{v: v.Mul(v, units), off: off.Rsh(off.Add(off, big.NewInt(1)), 1)}
}

// Plus returns e + o.
func (e Exact) Plus(o Exact) Exact {
	return Exact{new(big.Int).Add(orNone(e.v), orNone(o.v)), new(big.Int).Add(orNone(e.off), orNone(o.off))}
}

// Minus returns e - o.
func (e Exact) Minus(o Exact) Exact {
	return Exact{new(big.Int).Sub(orNone(e.v), orNone(o.v)), new(big.Int).Add(orNone(e.off), orNone(o.off))}
}

// Abs returns |e|.
func (e Exact) Abs() Exact { return Exact{new(big.Int).Abs(orNone(e.v)), e.off} }

// Sign returns -1, 0 or 1.
func (e Exact) Sign() int { return orNone(e.v).Sign() }

// PercentOf returns e / |whole| x 100 with two decimals, half away from zero. The whole
// must not be 0, and e no 2^100 times as large.
func (e Exact) PercentOf(whole Exact) Percent { return percentOf(orNone(e.v), orNone(whole.v)) }

func orNone(v *big.Int) *big.Int {
	if v == nil {
		return new(big.Int)
	}
	return v
}

// AppendTo appends the canonical decimal of the amount, rounded to 4 decimals, half away
// from zero. Where the exact amount may be a half, it is taken for that.
func (e Exact) AppendTo(b []byte) []byte {
	v := orNone(e.v)
	rounded := new(big.Int).Abs(v)
	roundBig(rounded.Add(rounded, orNone(e.off)), exactPerAmount)
	if v.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return appendBig(b, rounded, amountUnits)
}

func (e Exact) String() string { return string(e.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (e Exact) MarshalJSON() ([]byte, error) { return e.AppendTo(nil), nil }
