package text

import (
	"regexp"
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

// plainWord matches a word that needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// ShellWord returns a word with quotes for a shell, if it needs them.
func ShellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
