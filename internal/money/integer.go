package money

import (
	"fmt"
	"math"
	"strings"

	"daybook/internal/text"
)

// ParseInteger reads a whole number in the range of an int64, in any notation a
// decimal may have: 3, 3.0, 3e2. The error continues the field's name.
func ParseInteger(raw string) (int64, error) {
	s := strings.TrimSpace(raw)
	n, err := readNumeral(s)
	if err != nil || n.count > max(n.point, 0) {
		return 0, fmt.Errorf("must be a whole number, got %q", text.Shorten(s))
	}
	if n.count == 0 {
		return 0, nil // whatever its exponent
	}
	const digits = 19 // of the largest int64
	if n.point > digits {
		return 0, outOfRange(s)
	}
	var v uint64 // 19 digits fit
	for i := range max(n.point, 0) {
		v *= 10
		if i < n.count {
			v += uint64(n.digits[i] - '0')
		}
	}
	switch {
	case n.negative && v <= -math.MinInt64:
		return int64(-v), nil
	case !n.negative && v <= math.MaxInt64:
		return int64(v), nil
	}
	return 0, outOfRange(s)
}

func outOfRange(s string) error {
	return fmt.Errorf("must be within -2^63 and 2^63-1, got %s", text.Shorten(s))
}
