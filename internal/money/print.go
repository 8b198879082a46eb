package money

import (
	"math/big"
	"strconv"
)

// appendScaled appends v / units, a power of ten, without exponent or trailing zeros.
func appendScaled(b []byte, v int64, units uint64) []byte {
	if v < 0 {
		b = append(b, '-')
	}
	n := magnitude(v)
	b = strconv.AppendUint(b, n/units, 10)
	return appendFraction(b, n%units, units)
}

// appendBig is appendScaled of an integer of any size, which it leaves as something else.
func appendBig(b []byte, v *big.Int, units uint64) []byte {
	if v.Sign() < 0 {
		b = append(b, '-')
		v.Neg(v)
	}
	var fraction big.Int
	v.QuoRem(v, new(big.Int).SetUint64(units), &fraction)
	return appendFraction(v.Append(b, 10), fraction.Uint64(), units)
}

// appendFraction appends a point and the decimals of n / units, which is less than 1;
// nothing for 0.
func appendFraction(b []byte, n, units uint64) []byte {
	if n == 0 {
		return b
	}
	point := len(b)
	b = strconv.AppendUint(b, units+n, 10) // a 1, and every decimal
	b[point] = '.'
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}
