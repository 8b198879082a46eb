package money

import "strconv"

// appendScaled appends v / units, a power of ten, without exponent or trailing zeros.
func appendScaled(b []byte, v int64, units uint64) []byte {
	magnitude := uint64(v)
	if v < 0 {
		b = append(b, '-')
		magnitude = -magnitude
	}
	b = strconv.AppendUint(b, magnitude/units, 10)
	return appendFraction(b, magnitude%units, units)
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
