package money

import "fmt"

// Average is an average price with 26 decimals: the 8 of Price and 18 more in Rest, so
// that each fits a 64-bit column. It is never negative.
//
// Each Blend rounds the last decimal, and carries on what its average was off before,
// never enlarged. So after b blends an average is off by b/2 units of that decimal at most.
type Average struct {
	Price Price // the first 8 decimals, cut off
	Rest  int64 // decimals 9 to 26, 0 to 10^18 - 1
}

// rests is how many units of Rest make one of Price.
const rests = 1_000_000_000_000_000_000

// AverageAt is the average of units that were all taken at one price.
func AverageAt(p Price) Average { return Average{Price: p} }

// Blend returns the average price of n units at a and m units at p: exactly
// (n a + m p) / (n + m), half away from zero at the 26th decimal. n >= 0, m > 0. Figures
// that cannot be, as a damaged file may hold, give some average.
//
// It is a long division with the two digits Price and Rest: what remains of the first is
// brought down to the second, so that no step needs more than 128 bits.
func (a Average) Blend(n int64, p Price, m int64) Average {
	held, taken := uint64(n), uint64(m)
	units := held + taken
	price, left := product(held, uint64(a.Price)).plus(product(taken, uint64(p))).over(units)
	rest, left := product(left, rests).plus(product(held, uint64(a.Rest))).over(units)
	if left >= units-left {
		rest++
	}
	price += rest / rests
	return Average{Price: Price(price), Rest: int64(rest % rests)}
}

// Rounded is the published price of an average that was made by so many blends: 8
// decimals, half away from zero. An average that may be off from an exact half is taken
// for the half, so that exact halves go up however often they were rounded.
//
// It differs from exact arithmetic only where the exact average lies less than
// blends * 10^-26 below a half. The average of n units is a half, or 10^-8 / 2n or more
// away from it: so it is exact as long as n * blends is less than 5 * 10^17. Where units are
// given away and others are taken later, n is the product of the units held before each of
// these changes and at the end.
func (a Average) Rounded(blends int64) Price {
	if 2*uint64(a.Rest)+uint64(blends) >= rests {
		return a.Price + 1
	}
	return a.Price
}

// String is the average with all its decimals.
func (a Average) String() string {
	return fmt.Sprintf("%d.%08d%018d", a.Price/priceUnits, a.Price%priceUnits, a.Rest)
}
