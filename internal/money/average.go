package money

import (
	"fmt"
	"math/big"
)

// Average is an average price carried with 26 decimals: the first 8 as a Price, the
// other 18 in Rest (0 to 10^18 - 1), so that both fit a 64-bit column. It is never
// negative.
//
// The contract asks for 18 decimals so that the 8 published ones equal exact
// arithmetic. Eight more, three of them guard digits, keep that true where 18 do not:
// at exact halves after many steps, and in lots of a billion units.
type Average struct {
	Price Price
	Rest  int64
}

// rests is how many units of Rest make one unit of Price.
const rests = 1_000_000_000_000_000_000

// AverageAt is the average of units that were all taken at one price.
func AverageAt(p Price) Average { return Average{Price: p} }

// Blend returns the average price of n units at a and m units at p: exactly
// (n a + m p) / (n + m), half away from zero at the 26th decimal. n >= 0, m > 0.
func (a Average) Blend(n int64, p Price, m int64) Average {
	if n == 0 || a == AverageAt(p) {
		return AverageAt(p)
	}
	var cost, units, term big.Int
	cost.Mul(big.NewInt(int64(a.Price)), big.NewInt(rests))
	cost.Add(&cost, big.NewInt(a.Rest))
	cost.Mul(&cost, units.SetInt64(n))
	term.Mul(big.NewInt(int64(p)), big.NewInt(rests))
	cost.Add(&cost, term.Mul(&term, big.NewInt(m)))
	roundBig(&cost, units.Add(&units, big.NewInt(m)))
	var rest big.Int
	cost.QuoRem(&cost, big.NewInt(rests), &rest)
	return Average{Price: Price(cost.Int64()), Rest: rest.Int64()}
}

// Rounded is the published price: 8 decimals, half away from zero. What repeated
// rounding left in the guard digits must not turn an exact half downward, so they are
// rounded away first.
func (a Average) Rounded() Price {
	const guards = 1000
	if (a.Rest+guards/2)/guards >= rests/guards/2 {
		return a.Price + 1
	}
	return a.Price
}

// String is the average with all its decimals.
func (a Average) String() string {
	return fmt.Sprintf("%d.%08d%018d", a.Price/priceUnits, a.Price%priceUnits, a.Rest)
}
