package money

import (
	"fmt"
	"unicode"

	"daybook/internal/text"
)

// Currency is a currency code in capitals.
type Currency string

// ParseCurrency reads a currency code: text of 1 to 64 characters, upper-cased.
// The error continues the field's name. A code that is not Plain is valid only if it is
// registered, which the store knows. A letter outside ASCII with a capital in ASCII, like ſ, is
// refused, so that "uſd" is not taken for USD.
func ParseCurrency(raw string) (Currency, error) {
	code, err := text.ParseCode(raw)
	if err != nil {
		return "", err
	}
	upper := code.Upper()
	if asciiIn(upper) > asciiIn(code) {
		return "", fmt.Errorf("must not have a letter whose capital is one of A to Z, got %q; write %q if you mean that", code, upper)
	}
	return Currency(upper), nil
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
