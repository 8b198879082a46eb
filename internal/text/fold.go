package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form, in NFC, in which two codes are equal that differ only in case, or in how their
// letters are composed (Unicode Standard, D145, with full case folding). No language has a rule of its
// own: the Turkish \u0130 and \u0131 are letters that differ from i. SQLite's NOCASE folds ASCII only.
func (c Code) Fold() string {
	if s := string(c); isASCII(s) {
		return strings.ToLower(s)
	}
	// The package cases swaps capital and small letters of Cherokee, so it is given small ones only.
	small := strings.ToLower(norm.NFD.String(string(c)))
	return norm.NFC.String(cases.Fold().String(small))
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
