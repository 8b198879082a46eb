package money

import "math/big"

// Exact is an amount as it was reckoned, of any size and with the 44 decimals that an
// Average has: it is rounded once, when it is printed. The zero value is 0.
type Exact struct{ v *big.Int } // in units of 10^-44, and never changed; nil is 0

var (
	exactRests = big.NewInt(rests)
	// How many units of an Exact make one of a Price.
	exactPerPrice = new(big.Int).Mul(exactRests, exactRests)
	// The last 22 decimals are guard digits: an average that does not end, times the
	// units held, must not turn an exact half downward, so they are rounded away first.
	exactGuards = tenTo(22)
	// How many of what is left make one of an Amount: 44 decimals, less 22, less 4.
	exactPerAmount = tenTo(18)
)

func tenTo(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

// Times is what n units cost at the average; n is negative for units owed.
func (a Average) Times(n int64) Exact {
	v := big.NewInt(int64(a.Price))
	v.Mul(v, exactRests).Add(v, big.NewInt(a.Rest))
	v.Mul(v, exactRests).Add(v, big.NewInt(a.Finer))
	return Exact{v.Mul(v, big.NewInt(n))}
}

// Plus returns e + o.
func (e Exact) Plus(o Exact) Exact { return Exact{new(big.Int).Add(e.big(), o.big())} }

// Minus returns e - o.
func (e Exact) Minus(o Exact) Exact { return Exact{new(big.Int).Sub(e.big(), o.big())} }

// Abs returns |e|.
func (e Exact) Abs() Exact { return Exact{new(big.Int).Abs(e.big())} }

// Sign returns -1, 0 or 1.
func (e Exact) Sign() int { return e.big().Sign() }

// PercentOf returns e / |whole| x 100 with two decimals, half away from zero. The whole
// must not be 0, and e no 2^100 times as large.
func (e Exact) PercentOf(whole Exact) Percent { return percentOf(e.big(), whole.big()) }

func (e Exact) big() *big.Int {
	if e.v == nil {
		return new(big.Int)
	}
	return e.v
}

// AppendTo appends the canonical decimal of the amount, rounded to 4 decimals, half away
// from zero.
func (e Exact) AppendTo(b []byte) []byte {
	v := new(big.Int).Set(e.big())
	roundBig(v, exactGuards)
	roundBig(v, exactPerAmount)
	return appendBig(b, v, amountUnits)
}

func (e Exact) String() string { return string(e.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (e Exact) MarshalJSON() ([]byte, error) { return e.AppendTo(nil), nil }
