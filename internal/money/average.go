package money

import "fmt"

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

// AverageAt is the average of units that were all taken at one price.
func AverageAt(p Price) Average { return Average{Price: p} }

// Blend returns the average price of n units at a and m units at p: exactly
// (n a + m p) / (n + m), half away from zero at the 44th decimal. n >= 0, m > 0. Figures
// that cannot be, as a damaged file may hold, give some average.
//
// It is a long division whose digits are Price, Rest and Finer: what the units leave of
// one is brought down to the next, so that no step needs more than 128 bits.
func (a Average) Blend(n int64, p Price, m int64) Average {
	held, taken := uint64(n), uint64(m)
	units := held + taken
	price, left := product(held, uint64(a.Price)).plus(product(taken, uint64(p))).over(units)
	rest, left := product(left, rests).plus(product(held, uint64(a.Rest))).over(units)
	finer, left := product(left, rests).plus(product(held, uint64(a.Finer))).over(units)
	if left >= units-left {
		finer++
	}
	rest += finer / rests
	price += rest / rests
	return Average{Price: Price(price), Rest: int64(rest % rests), Finer: int64(finer % rests)}
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
