// Package text holds the rules for texts from people and feeds: trimmed, valid UTF-8, bounded,
// without control characters. A text without a visible character is empty. A text that is compared,
// such as a code, a symbol or a source, is also in Unicode's form NFC and has no invisible
// character.
//
// It must not know the domains, which share it. Its errors continue the name of the wrong field:
// "must not be empty".
package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The longest texts, in characters.
const (
	MaxCode = 64
	MaxName = 255
	MaxNote = 4000

	MaxReason = 500
)

// Code is a code or symbol: 1 to 64 characters on one line, in NFC.
type Code string

// ParseCode reads a code.
func ParseCode(raw string) (Code, error) {
	s, err := compared(raw, MaxCode)
	if err == nil && s == "" {
		err = errEmpty
	}
	return Code(s), err
}

// Upper returns the code in capitals.
func (c Code) Upper() Code { return Code(norm.NFC.String(strings.ToUpper(string(c)))) }

// Source is the name of the system that a figure came from, or empty: up to 255
// characters on one line, in NFC.
type Source string

// ParseSource reads a source.
func ParseSource(raw string) (Source, error) {
	s, err := compared(raw, MaxName)
	return Source(s), err
}

// Name is a name: 1 to 255 characters on one line.
type Name string

// ParseName reads a name.
func ParseName(raw string) (Name, error) {
	s, err := read(raw, MaxName, "")
	if err == nil && s == "" {
		err = errEmpty
	}
	return Name(s), err
}

// Label is a name that may be empty: up to 255 characters on one line.
type Label string

// ParseLabel reads a label.
func ParseLabel(raw string) (Label, error) {
	s, err := read(raw, MaxName, "")
	return Label(s), err
}

// Note is free text: up to 4000 characters, newlines and tabs allowed.
type Note string

// ParseNote reads a note. A Windows line end becomes a newline.
func ParseNote(raw string) (Note, error) {
	s, err := read(strings.ReplaceAll(raw, "\r\n", "\n"), MaxNote, "\n\t")
	return Note(s), err
}

// Reason says why a change was made, or is empty: up to 500 characters on one line.
type Reason string

// ParseReason reads a reason.
func ParseReason(raw string) (Reason, error) {
	s, err := read(raw, MaxReason, "")
	return Reason(s), err
}

// OneOf reads one of the values without regard to case.
func OneOf[T ~string](raw string, values ...T) (T, error) {
	names := make([]string, len(values))
	for i, v := range values {
		if strings.EqualFold(strings.TrimSpace(raw), string(v)) {
			return v, nil
		}
		names[i] = string(v)
	}
	return "", fmt.Errorf("must be one of %s, got %q", strings.Join(names, ", "), Shorten(raw))
}

// Shorten returns s in a length that fits an error message.
func Shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

var errEmpty = errors.New("must not be empty")

// compared reads what is compared with others of its kind: two that differ only in
// characters that do not show, or in how letters are composed, are the same. Letters and
// spaces of different kinds stay different.
func compared(raw string, most int) (string, error) {
	// NFC makes one character of a few, never of so many, so a long text need not be composed.
	const composed = 8
	if n := utf8.RuneCountInString(strings.TrimSpace(raw)); n > composed*most {
		return "", fmt.Errorf("must have at most %d characters, got %d", most, n)
	}
	s, err := bounded(norm.NFC.String(raw), most, "")
	if err != nil {
		return "", err
	}
	for _, r := range s {
		if isUnshown(r) || r == blankBraille {
			return "", fmt.Errorf("must not contain invisible characters, got %U", r)
		}
	}
	return unlessBlank(s), nil
}

// unshown are the characters that show nothing by themselves: those that Unicode calls
// Default_Ignorable_Code_Point, by its derivation in UAX #44, DerivedCoreProperties, but
// with every format character and the two separators of lines. All bidirectional
// controls are format characters. A Prepended_Concatenation_Mark is one that shows.
var unshown = []*unicode.RangeTable{
	unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zl, unicode.Zp,
}

// blankBraille shows nothing, but is a symbol to Unicode.
const blankBraille = '\u2800'

func isUnshown(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unshown...) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// unlessBlank returns a text, or nothing where none of its characters can be seen.
func unlessBlank(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !isUnshown(r) && r != blankBraille }) {
		return s
	}
	return ""
}

// read reads what is shown and not compared.
func read(raw string, most int, allowed string) (string, error) {
	s, err := bounded(raw, most, allowed)
	return unlessBlank(s), err
}

func bounded(raw string, most int, allowed string) (string, error) {
	s := strings.TrimSpace(raw)
	if !utf8.ValidString(s) {
		return "", errors.New("must be valid UTF-8")
	}
	if n := utf8.RuneCountInString(s); n > most {
		return "", fmt.Errorf("must have at most %d characters, got %d", most, n)
	}
	for _, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune(allowed, r) {
			return "", fmt.Errorf("must not contain control characters, got %U", r)
		}
	}
	return s, nil
}
