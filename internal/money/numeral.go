package money

import (
	"errors"
	"fmt"
	"strings"

	"daybook/internal/text"
)

// numeral is a decimal number as it was written: 0.d1d2d3... x 10^point, without
// leading or trailing zeros. Only the first 20 significant digits are kept; count
// tells how many there were.
type numeral struct {
	negative bool
	digits   [20]byte
	count    int
	point    int
}

// An exponent beyond this is out of every range here; the bound keeps the sum of
// exponent and digits far from overflow.
const hugeExponent = 1 << 30

var errNumeral = errors.New("must be a number")

// readNumeral reads [sign] digits [. digits] [e [sign] digits] with a digit on at
// least one side of the point, in any length, without allocating.
func readNumeral(s string) (numeral, error) {
	var n numeral
	s, n.negative = cutSign(s)
	mantissa, exponent, hasExponent := cutExponent(s)
	digits, pointSeen, zeros := 0, false, 0
	for i := range len(mantissa) {
		c := mantissa[i]
		switch {
		case c == '.' && !pointSeen:
			pointSeen = true
			continue
		case c < '0' || c > '9':
			return numeral{}, errNumeral
		}
		digits++
		switch {
		case c == '0' && n.count == 0: // a leading zero only shifts the point
			if pointSeen {
				n.point--
			}
			continue
		case c == '0':
			zeros++
		default:
			n.push(c, &zeros)
		}
		if !pointSeen {
			n.point++
		}
	}
	if digits == 0 {
		return numeral{}, errNumeral
	}
	if hasExponent {
		e, ok := readExponent(exponent)
		if !ok {
			return numeral{}, errNumeral
		}
		n.point += e
	}
	return n, nil
}

// push appends the zeros that turned out not to be trailing, then c.
func (n *numeral) push(c byte, zeros *int) {
	for ; *zeros > 0; *zeros-- {
		n.keep('0')
	}
	n.keep(c)
}

func (n *numeral) keep(c byte) {
	if n.count < len(n.digits) {
		n.digits[n.count] = c
	}
	n.count++
}

func cutSign(s string) (string, bool) {
	switch {
	case strings.HasPrefix(s, "-"):
		return s[1:], true
	case strings.HasPrefix(s, "+"):
		return s[1:], false
	}
	return s, false
}

func cutExponent(s string) (mantissa, exponent string, found bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func readExponent(s string) (int, bool) {
	s, negative := cutSign(s)
	if s == "" {
		return 0, false
	}
	e := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		e = min(e*10+int(s[i]-'0'), hugeExponent)
	}
	if negative {
		e = -e
	}
	return e, true
}

// fits reports whether n has at most the given digits before and after the point.
func (n *numeral) fits(before, after int) bool {
	return n.count == 0 || n.point <= before && n.count-n.point <= after
}

// round rounds n to the given decimals, half away from zero. Its digits before the point
// and the decimals must be fewer than the digits that a numeral keeps.
func (n *numeral) round(decimals int) {
	kept := n.point + decimals
	switch {
	case kept >= n.count:
		return
	case kept < 0: // less than a tenth of the last decimal
		n.count = 0
		return
	}
	up := n.digits[kept] >= '5'
	n.count = kept
	for i := kept - 1; up && i >= 0; i-- {
		if n.digits[i] != '9' {
			n.digits[i]++
			up = false
			break
		}
		n.digits[i] = '0'
	}
	if up { // 99...9 became 100...0
		n.digits[0] = '1'
		n.count = 1
		n.point++
	}
	for n.count > 0 && n.digits[n.count-1] == '0' {
		n.count--
	}
}

// scaled returns n as an integer count of 10^-after; n must fit.
func (n *numeral) scaled(after int) int64 {
	if n.count == 0 {
		return 0
	}
	var v int64
	for _, c := range n.digits[:n.count] {
		v = v*10 + int64(c-'0')
	}
	for i := n.count - n.point; i < after; i++ {
		v *= 10
	}
	if n.negative {
		return -v
	}
	return v
}

// A binary float carries 15 significant digits of any decimal faithfully. A number of
// fewer digits was meant as it is; one of so many is what arithmetic in floats left.
const faithful = 15

// parse reads a number that has at most the given digits before and after the point as
// an integer count of 10^-after. A number that does not fit is refused, never rounded.
func parse(raw string, before, after int) (int64, error) {
	n, err := numeralOf(raw)
	if err != nil {
		return 0, err
	}
	return n.within(raw, before, after)
}

// parseComputed is parse of a number that a client may have computed in floats: the
// decimals of one with 15 or more significant digits are rounded, half away from zero.
// Zeros at its ends are not significant, nor is its exponent: 1.50, 1.5 and 15e-1 are the
// same number.
func parseComputed(raw string, before, after int) (int64, error) {
	n, err := numeralOf(raw)
	if err != nil {
		return 0, err
	}
	if n.count >= faithful && n.point <= before {
		n.round(after)
	}
	return n.within(raw, before, after)
}

func numeralOf(raw string) (numeral, error) {
	s := strings.TrimSpace(raw)
	n, err := readNumeral(s)
	if err != nil {
		return n, fmt.Errorf("%w, got %q", err, text.Shorten(s))
	}
	return n, nil
}

// within is the count of 10^-after, of a numeral that was read from raw.
func (n *numeral) within(raw string, before, after int) (int64, error) {
	if !n.fits(before, after) {
		return 0, fmt.Errorf("must have at most %d digits before and %d after the decimal point, got %s",
			before, after, text.Shorten(strings.TrimSpace(raw)))
	}
	return n.scaled(after), nil
}
