package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form, in NFC, in which two codes are equal that differ only in case,
// or in how their letters are composed (Unicode Standard, D145, with simple case
// mappings). SQLite's NOCASE folds ASCII only.
func (c Code) Fold() string {
	s := strings.ToLower(strings.ToUpper(norm.NFD.String(string(c))))
	return norm.NFC.String(withoutDots(s))
}

// withoutDots drops the dot above from every i: the small letter of "\u0130", the capital
// I with a dot, is i in some mappings and i with a dot in others.
func withoutDots(s string) string {
	const dot = '\u0307'
	if !strings.ContainsRune(s, dot) {
		return s
	}
	var b strings.Builder
	ofI := false // the letter that the marks are on
	for at, r := range s {
		switch {
		case ofI && r == dot:
			continue
		case norm.NFD.PropertiesString(s[at:]).CCC() == 0:
			ofI = r == 'i'
		}
		b.WriteRune(r)
	}
	return b.String()
}
