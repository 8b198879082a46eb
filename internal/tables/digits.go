package tables

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxExponent bounds an exponent, so that a short text does not become a long number.
const maxExponent = 400

// cutExponent cuts an exponent, as E+05, off the end. It reports false for one out of range.
func cutExponent(s string) (rest string, exponent *int, ok bool) {
	i := strings.LastIndexAny(s, "eE")
	if i <= 0 || i == len(s)-1 {
		return s, nil, true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(s[i+1:], "+"), "-")
	if strings.Trim(digits, "0123456789") != "" || digits == "" || len(s[i+1:])-len(digits) > 1 {
		return s, nil, true
	}
	e, err := strconv.Atoi(s[i+1:])
	if err != nil || e > maxExponent || e < -maxExponent {
		return s, nil, false
	}
	return s[:i], &e, true
}

// digits reads digits with groups, a mark and decimals, and returns those before and behind the
// mark. A number with an exponent has no groups.
func digits(s string, mark Mark, exponent bool) (whole, decimals string, ok bool) {
	whole, decimals, marked := strings.Cut(s, string(rune(mark)))
	if !allDigits(decimals) {
		return "", "", false
	}
	if whole == "" {
		return "", decimals, marked && decimals != ""
	}
	if exponent {
		return whole, decimals, allDigits(whole)
	}
	whole, ok = ungroup(whole, mark)
	return whole, decimals, ok
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// ungroup takes the separators out of 1.234.567 or 12,34,567. One number has one separator.
// The last group has three digits, the first is not a lone 0, and those between have three
// digits, or all two as in India.
func ungroup(s string, mark Mark) (string, bool) {
	i := strings.IndexFunc(s, func(r rune) bool { return !isDigit(r) })
	if i < 0 {
		return s, true
	}
	separator, width := utf8.DecodeRuneInString(s[i:])
	if separator != rune(mark.other()) && !strings.ContainsRune(spaces+quoteMarks, separator) {
		return "", false
	}
	groups := strings.Split(s, s[i:i+width])
	last := len(groups) - 1
	between := 3
	if last > 1 && len(groups[1]) == 2 {
		between = 2
	}
	for at, group := range groups {
		switch {
		case !allDigits(group):
			return "", false
		case at == 0 && (group == "" || group == "0" || len(group) > between):
			return "", false
		case at == last && len(group) != 3:
			return "", false
		case at > 0 && at < last && len(group) != between:
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// plain is whole.decimals times a power of ten, as a decimal without zeros at its ends.
func plain(negative bool, whole, decimals string, power int) string {
	all, point := whole+decimals, len(whole)+power
	if point < 0 {
		all, point = strings.Repeat("0", -point)+all, 0
	}
	if point > len(all) {
		all += strings.Repeat("0", point-len(all))
	}
	whole, decimals = strings.TrimLeft(all[:point], "0"), strings.TrimRight(all[point:], "0")
	if whole == "" {
		whole = "0"
	}
	if decimals != "" {
		whole += "." + decimals
	}
	if negative && whole != "0" {
		return "-" + whole
	}
	return whole
}

// Shift multiplies a Number's Value, or that of a NumberCell, by a power of ten.
func Shift(value string, power int) string {
	magnitude, negative := strings.CutPrefix(value, "-")
	whole, decimals, _ := strings.Cut(magnitude, ".")
	return plain(negative, whole, decimals, power)
}

// Mangled reports whether a text is what a spreadsheet program makes of a long number that was
// a code, such as 1.23E+11. The code is lost.
func Mangled(s string) bool {
	mantissa, exponent, found := strings.Cut(trim(s), "E+")
	if !found || len(exponent) < 2 || len(exponent) > 3 || !allDigits(exponent) || mantissa == "" {
		return false
	}
	decimals := mantissa[1:]
	if decimals != "" && (decimals[0] != '.' && decimals[0] != ',' || len(decimals) == 1) {
		return false
	}
	return isDigit(rune(mantissa[0])) && (decimals == "" || allDigits(decimals[1:]))
}
