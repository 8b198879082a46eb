package tables

import (
	"strings"
	"unicode/utf8"
)

// Guard makes a text harmless that a spreadsheet program would take for a formula: after any
// apostrophes it begins with one of = + - @, their wide forms, a tab, CR or LF. It puts one
// apostrophe in front. Unguard(Guard(s)) is s, for any s.
func Guard(s string) string {
	if startsFormula(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

// Unguard takes off the apostrophe that Guard put in front.
func Unguard(s string) string {
	if rest := strings.TrimLeft(s, "'"); len(rest) < len(s) && startsFormula(rest) {
		return s[1:]
	}
	return s
}

func startsFormula(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '=', '+', '-', '@', '\t', '\r', '\n', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20':
		return true
	}
	return false
}
