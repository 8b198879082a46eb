package money

import "strconv"

// appendScaled appends v x 10^-decimals without exponent or trailing zeros.
func appendScaled(b []byte, v int64, decimals int) []byte {
	magnitude := uint64(v)
	if v < 0 {
		b = append(b, '-')
		magnitude = -magnitude
	}
	var digits [24]byte
	return appendPoint(b, strconv.AppendUint(digits[:0], magnitude, 10), decimals)
}

// appendPoint appends a run of digits with the point set before the last decimals
// of them.
func appendPoint(b, digits []byte, decimals int) []byte {
	whole := len(digits) - decimals
	if whole <= 0 {
		b = append(b, '0')
	} else {
		b = append(b, digits[:whole]...)
	}
	last := len(digits)
	for last > max(whole, 0) && digits[last-1] == '0' {
		last--
	}
	if last <= max(whole, 0) {
		return b
	}
	b = append(b, '.')
	for range -whole {
		b = append(b, '0')
	}
	return append(b, digits[max(whole, 0):last]...)
}
