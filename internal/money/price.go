package money

const (
	priceDecimals = 8
	priceIntegers = 10
	priceUnits    = 100_000_000 // of a Price in one unit of currency
)

// Price is a price for one unit, in units of 0.00000001 of its currency.
type Price int64

// ParsePrice reads a decimal of at most 10 digits before the point and 8 after it.
// The error continues the field's name.
func ParsePrice(s string) (Price, error) {
	v, err := parse(s, priceIntegers, priceDecimals)
	return Price(v), err
}

// ParseComputedPrice is ParsePrice of a number that a client may have computed in floats:
// of 15 or more significant digits, it is rounded to 8 decimals, half away from zero.
func ParseComputedPrice(s string) (Price, error) {
	v, err := parseComputed(s, priceIntegers, priceDecimals)
	return Price(v), err
}

// AppendTo appends the canonical decimal: "103", "0.00000001".
func (p Price) AppendTo(b []byte) []byte { return appendScaled(b, int64(p), priceUnits) }

func (p Price) String() string { return string(p.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (p Price) MarshalJSON() ([]byte, error) { return p.AppendTo(nil), nil }
