package money

import (
	"fmt"
	"math/big"
)

// Average is an average price carried with 44 decimals: the first 8 as a Price, then
// twice 18, each 0 to 10^18 - 1, so that all fit 64-bit columns. It is never negative.
//
// The contract asks for 18 decimals so that the 8 published ones equal exact
// arithmetic. More of them keep that true at exact halves after many steps, and for
// lots as large as an int64: of n units, no average but a half lies closer to one than
// 10^-8 / 2n.
type Average struct {
	Price Price
	Rest  int64 // decimals 9 to 26
	Finer int64 // decimals 27 to 44
}

// rests is how many units of Rest make one of Price, and of Finer one of Rest.
const rests = 1_000_000_000_000_000_000

var (
	bigRests   = big.NewInt(rests)
	finerUnits = new(big.Int).Mul(bigRests, bigRests) // of Finer in one unit of Price
)

// AverageAt is the average of units that were all taken at one price.
func AverageAt(p Price) Average { return Average{Price: p} }

// Blend returns the average price of n units at a and m units at p: exactly
// (n a + m p) / (n + m), half away from zero at the 44th decimal. n >= 0, m > 0.
func (a Average) Blend(n int64, p Price, m int64) Average {
	if n == 0 || a == AverageAt(p) {
		return AverageAt(p)
	}
	var cost, units, term big.Int
	cost.Mul(big.NewInt(int64(a.Price)), bigRests)
	cost.Add(&cost, term.SetInt64(a.Rest))
	cost.Mul(&cost, bigRests)
	cost.Add(&cost, term.SetInt64(a.Finer))
	cost.Mul(&cost, units.SetInt64(n))
	term.Mul(big.NewInt(int64(p)), finerUnits)
	cost.Add(&cost, term.Mul(&term, big.NewInt(m)))
	roundBig(&cost, units.Add(&units, big.NewInt(m)))
	var rest, finer big.Int
	cost.QuoRem(&cost, bigRests, &finer)
	cost.QuoRem(&cost, bigRests, &rest)
	return Average{Price: Price(cost.Int64()), Rest: rest.Int64(), Finer: finer.Int64()}
}

// Rounded is the published price: 8 decimals, half away from zero. The last six
// decimals are guard digits: what repeated rounding left in them must not turn an
// exact half downward, so they are rounded away first.
func (a Average) Rounded() Price {
	const half, guards = rests / 2, 1_000_000
	if a.Rest >= half || a.Rest == half-1 && a.Finer >= rests-guards/2 {
		return a.Price + 1
	}
	return a.Price
}

// String is the average with all its decimals.
func (a Average) String() string {
	return fmt.Sprintf("%d.%08d%018d%018d", a.Price/priceUnits, a.Price%priceUnits, a.Rest, a.Finer)
}
