package money

import (
	"fmt"
	"regexp"
	"unicode"

	"daybook/internal/text"
)

// Currency is a currency code in capitals.
type Currency string

// ParseCurrency reads a currency code: text of 1 to 64 characters, upper-cased.
// The error continues the field's name. A code that is not Plain is valid only if it is
// registered, which the store knows. A letter outside ASCII with a capital in ASCII, like ſ, is
// refused, so that "uſd" is not taken for USD. Two capitals and a small letter are refused too: market
// data writes a hundredth of a currency so, and GBp taken for GBP would make a price a hundred times too high.
func ParseCurrency(raw string) (Currency, error) {
	code, err := text.ParseCode(raw)
	if err != nil {
		return "", err
	}
	if minor.MatchString(string(code)) {
		return "", fmt.Errorf("must not be a minor unit; %s", remedy(code))
	}
	upper := code.Upper()
	if asciiIn(upper) > asciiIn(code) {
		return "", fmt.Errorf("must not have a letter whose capital is one of A to Z, got %q; write %q if you mean that", code, upper)
	}
	return Currency(upper), nil
}

var minor = regexp.MustCompile(`^[A-Z]{2}[a-z]$`)

// remedy says what a minor unit is, and what to send in its place.
func remedy(code text.Code) string {
	switch code {
	case "GBp":
		return "GBp is pence: send GBX, or pounds as GBP"
	case "ZAc":
		return "ZAc is cents: send ZAC, or rand as ZAR"
	case "ILa":
		return "ILa is agorot: send ILA, or shekels as ILS"
	}
	return fmt.Sprintf("a small letter at the end, as in %s, means that: send %s if you mean the currency, or convert the figure", code, code.Upper())
}

func asciiIn(code text.Code) (n int) {
	for _, letter := range code {
		if letter <= unicode.MaxASCII {
			n++
		}
	}
	return n
}

// Plain reports whether c is 3 to 10 letters A-Z or digits, the shape that needs no
// registration (interface.md, "Currencies and companies").
func (c Currency) Plain() bool {
	if len(c) < 3 || len(c) > 10 {
		return false
	}
	for i := range len(c) {
		if (c[i] < 'A' || c[i] > 'Z') && (c[i] < '0' || c[i] > '9') {
			return false
		}
	}
	return true
}
