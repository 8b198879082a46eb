package soak_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// fields are the fields of a body that the walk sends. A json.RawMessage is sent unchanged.
type fields map[string]any

// body writes the fields as JSON. If wrapped, it is sometimes an array of one object.
func (f fields) body(t *rapid.T, wrapped bool) string {
	body := string(marshalled(t, map[string]any(f)))
	if wrapped && rapid.IntRange(0, 4).Draw(t, "wrapped") == 0 {
		return "[" + body + "]"
	}
	return body
}

// wrong removes some of the required fields or gives them a wrong type, one time in ten. It returns
// the names of those fields.
func (f fields) wrong(t *rapid.T, required ...string) (names []string) {
	if rapid.IntRange(0, 9).Draw(t, "wrong") > 0 {
		return nil
	}
	n := rapid.IntRange(1, len(required)).Draw(t, "how many")
	names = slices.Clone(rapid.Permutation(required).Draw(t, "which")[:n])
	for _, name := range names {
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			delete(f, name)
		case 1:
			f[name] = nil
		default:
			f[name] = []int{1}
		}
	}
	return names
}

// maybe sets an optional field two times in three, and reports whether it did.
func (f fields) maybe(t *rapid.T, name string, value any) bool {
	if rapid.IntRange(0, 2).Draw(t, name+" is given") == 0 {
		return false
	}
	f[name] = value
	return true
}

// decimal is an exact decimal number: units times 10^-places.
type decimal struct {
	units  int64
	places int
}

// rat is the decimal as a fraction.
func (d decimal) rat() *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(d.units), powerOfTen(d.places))
}

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// MarshalJSON writes the decimal as the interface answers it.
func (d decimal) MarshalJSON() ([]byte, error) { return []byte(plain(d.rat(), d.places)), nil }

// plain writes a fraction with at most that many decimals, rounded half away from zero, without
// zeros at its end.
func plain(r *big.Rat, places int) string {
	s := r.FloatString(places)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// sent draws one of the ways to send the decimal: a number or a string, with or without zeros at its
// end.
func (d decimal) sent(t *rapid.T) json.RawMessage {
	s := plain(d.rat(), d.places)
	switch rapid.IntRange(0, 3).Draw(t, "spelling") {
	case 0:
		s = d.rat().FloatString(d.places)
	case 1:
		s = `"` + s + `"`
	}
	return json.RawMessage(s)
}

// whole draws one of the ways to send an integer.
func whole(t *rapid.T, n int64) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%d", "%d.0", `"%d"`}).Draw(t, "spelling"), n))
}

// The largest amount and price.
const mostUnits = 999_999_999_999_999_999

// drawAmount draws an amount. Many are small, so that sums of zero and rounding of halves occur.
func drawAmount(t *rapid.T) decimal {
	return decimal{rapid.OneOf(
		rapid.Int64Range(-30, 30),
		rapid.Int64Range(-5_000_000, 5_000_000),
		rapid.Int64Range(-mostUnits, mostUnits),
		rapid.SampledFrom([]int64{0, 10_000, -10_000, mostUnits, -mostUnits}),
	).Draw(t, "amount"), 4}
}

// drawPrice draws a price, which is not negative.
func drawPrice(t *rapid.T) decimal {
	return decimal{rapid.OneOf(
		rapid.Int64Range(0, 9),
		rapid.Int64Range(0, 500_00000000),
		rapid.SampledFrom([]int64{0, 1, 100_00000000, mostUnits}),
	).Draw(t, "price"), 8}
}

// spaced draws white space before a text, which the server must ignore.
func spaced(t *rapid.T, s string) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\t"}).Draw(t, "space") + s
}
