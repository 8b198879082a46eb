package tables

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scales are the suffixes that mean one power of ten.
var scales = map[string]int{"k": 3, "mn": 6, "mio": 6, "mm": 6, "bn": 9, "mrd": 9}

// words are the currencies that people write neither by a code nor by a sign of Unicode.
var words = map[string]bool{"kr": true, "kr.": true, "fr.": true, "sfr.": true, "zł": true, "kč": true, "ft": true, "lei": true}

// beside reads what stands behind the digits: a suffix, a currency, or both.
func (n *Number) beside(s string) NumberProblem {
	suffix, rest := cutSuffix(s)
	if suffix != "" {
		if n.Scale != 0 || n.M {
			return NotANumber
		}
		n.Scale, n.M = scales[suffix], suffix == "m"
	}
	if rest == "" {
		return ""
	}
	return n.currency(rest)
}

// cutSuffix cuts a suffix, in any case, off the front. A currency may follow at once, as in
// 5k€ and 5MEUR.
func cutSuffix(s string) (suffix, rest string) {
	letters := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if letters < 0 {
		letters = len(s)
	}
	known := func(name string) bool { return name == "m" || scales[name] != 0 }
	if name := strings.ToLower(s[:letters]); known(name) {
		return name, trim(strings.TrimPrefix(s[letters:], "."))
	}
	if letters != 1 && isCurrency(s) { // MXN and MX$, but M$ is a million dollars
		return "", s
	}
	if name := strings.ToLower(s[:min(1, len(s))]); known(name) && isCurrency(s[1:]) {
		return name, s[1:]
	}
	return "", s
}

// currency keeps the currency beside the digits. There may be one.
func (n *Number) currency(s string) NumberProblem {
	switch {
	case strings.EqualFold(strings.TrimSuffix(s, "."), "cr"), strings.EqualFold(strings.TrimSuffix(s, "."), "dr"):
		return CreditDebit
	case strings.ContainsAny(s, "%\u2030"):
		return Percentage
	case n.Currency != "" || !isCurrency(s):
		return NotANumber
	}
	n.Currency = s
	return ""
}

// isCurrency reports whether a text has the form of a currency: a sign, with up to three
// letters before it, such as US$; three letters, the first two of them capitals, such as EUR
// and GBp; or a word such as kr. Which currency it is, the caller knows.
func isCurrency(s string) bool {
	if words[strings.ToLower(s)] {
		return true
	}
	last, width := utf8.DecodeLastRuneInString(s)
	letters := s
	signed := unicode.Is(unicode.Sc, last)
	if signed {
		letters = s[:len(s)-width]
	}
	for i := range len(letters) {
		capital := 'A' <= letters[i] && letters[i] <= 'Z'
		small := 'a' <= letters[i] && letters[i] <= 'z' && i == 2 && !signed
		if !capital && !small {
			return false
		}
	}
	return signed && len(letters) <= 3 || len(letters) == 3
}
