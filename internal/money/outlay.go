package money

import (
	"math/big"
	"math/bits"
)

// Outlay is an exact sum of prices times units: what was paid, less what was got. It is
// a two's complement integer of 192 bits in units of 0.00000001, in three words that
// each fit a 64-bit column; it takes 2^68 trades of whatever size to leave its range.
// The zero value is 0.
type Outlay struct {
	High   int64
	Middle int64 // as the bits of an unsigned one, like Low
	Low    int64
}

// Plus returns the outlay after n more units at p each; n is negative for units sold.
// Figures that cannot be, as a damaged file may hold, give some outlay.
func (o Outlay) Plus(n int64, p Price) Outlay {
	units := uint64(n)
	if n < 0 {
		units = -units
	}
	middle, low := bits.Mul64(units, uint64(p))
	if n < 0 {
		return o.less(middle, low)
	}
	low, carry := bits.Add64(uint64(o.Low), low, 0)
	middle, carry = bits.Add64(uint64(o.Middle), middle, carry)
	return Outlay{High: o.High + int64(carry), Middle: int64(middle), Low: int64(low)}
}

func (o Outlay) less(middle, low uint64) Outlay {
	low, borrow := bits.Sub64(uint64(o.Low), low, 0)
	middle, borrow = bits.Sub64(uint64(o.Middle), middle, borrow)
	return Outlay{High: o.High - int64(borrow), Middle: int64(middle), Low: int64(low)}
}

// Exact is the outlay as an amount.
func (o Outlay) Exact() Exact {
	v := big.NewInt(o.High)
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(uint64(o.Middle)))
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(uint64(o.Low)))
	return Exact{v: v.Mul(v, exactPerPrice)}
}
