// Package money keeps decimals exact: as scaled integers, never as floats. It rounds an input only if it
// has so many digits that a client must have computed it in floats, and prints without exponent or
// trailing zeros.
//
// Amount and Price are what clients send: 64 bits, with 4 and 8 decimals. Average is an
// average of prices, with 26 decimals. Sum adds amounts, or prices times units, in 128 bits.
// Exact combines averages and sums, of any size. Percent compares two of them.
//
// It must not know what its figures are about.
package money

// Digits an Amount may have; 14 + 4 digits stay within an int64, and so does the
// difference of two amounts.
const (
	amountDecimals = 4
	amountUnits    = 10_000 // of an Amount in one unit of currency
	amountIntegers = 14
)

// Amount is a sum of money in units of 0.0001 of its currency.
type Amount int64

// ParseAmount reads a decimal of at most 14 digits before the point and 4 after it.
// The error continues the field's name.
func ParseAmount(s string) (Amount, error) {
	v, err := parse(s, amountIntegers, amountDecimals)
	return Amount(v), err
}

// ParseComputedAmount is ParseAmount of a number that a client may have computed in
// floats: of 15 or more significant digits, it is rounded to 4 decimals, half away from
// zero.
func ParseComputedAmount(s string) (Amount, error) {
	v, err := parseComputed(s, amountIntegers, amountDecimals)
	return Amount(v), err
}

// Units returns a whole number of currency units as an Amount.
func Units(n int64) Amount { return Amount(n * amountUnits) }

// AppendTo appends the canonical decimal: "-12.5", "0", "400855".
func (a Amount) AppendTo(b []byte) []byte { return appendScaled(b, int64(a), amountUnits) }

func (a Amount) String() string { return string(a.AppendTo(nil)) }

// MarshalJSON answers a bare JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return a.AppendTo(nil), nil }
