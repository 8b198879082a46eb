package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is a text that may come from anywhere, as a line of a terminal or of a log may
// have it: what is not printed is escaped as in Go, so that it neither ends the line nor
// commands the terminal.
func Printable(s string) string {
	var line strings.Builder
	for i, r := range s {
		switch {
		case unicode.IsPrint(r) && (r != utf8.RuneError || strings.HasPrefix(s[i:], "\uFFFD")):
			line.WriteRune(r)
		case r == utf8.RuneError:
			line.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		default:
			quoted := strconv.QuoteRune(r)
			line.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return line.String()
}
