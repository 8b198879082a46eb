package tables

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/internal/text"
)

// Mark is the character before the decimals of a number.
type Mark byte

// The marks.
const (
	Point Mark = '.'
	Comma Mark = ','
)

func (m Mark) other() Mark { return Point + Comma - m }

func (m Mark) String() string {
	if m == Comma {
		return "decimal comma"
	}
	return "decimal point"
}

// Number is a number that a text says.
type Number struct {
	Value    string // exact, as -1234.5: no zeros at its ends, no exponent, no minus before 0
	Decimals int    // as many as the text shows, also where they are zeros
	Currency string // the sign or code beside the number as written, such as $ or GBp, or ""
	Scale    int    // the power of ten of k, mn or bn, which Value contains: 0, 3, 6 or 9
	M        bool   // m follows, a thousand or a million: Value is without it, see Shift
	Exponent bool   // written with an exponent, as 1.2E+05: doubtful, because programs do that to codes
}

// NumberProblem says why a text is no number under a mark.
type NumberProblem string

// The problems.
const (
	NotANumber   NumberProblem = "not a number"
	OtherMark    NumberProblem = "other mark"    // a number only under the other mark: Reads says which
	TwoSigns     NumberProblem = "two signs"     // as (-5)
	Percentage   NumberProblem = "percentage"    // 5% is 5 or 0.05
	CreditDebit  NumberProblem = "credit, debit" // CR or DR beside the number
	NotAvailable NumberProblem = "not available" // n/a, NaN, null, #REF!
	LoneDash     NumberProblem = "lone dash"     // zero or nothing, which the caller decides
	OutOfRange   NumberProblem = "out of range"  // an exponent beyond 400
)

// NumberError is what ParseNumber returns for a text that is no number.
type NumberError struct {
	Problem NumberProblem
	Text    string
	Mark    Mark   // under which the text was read
	Reads   Number // with OtherMark, the number under the other mark
}

// Error continues the name of a cell: "must be a number, got abc".
func (e *NumberError) Error() string {
	got := text.Printable(text.Shorten(e.Text))
	switch e.Problem {
	case OtherMark:
		return fmt.Sprintf("has a %s where the file has a %s: %s", e.Mark.other(), e.Mark, got)
	case TwoSigns:
		return "must have one sign or one pair of parentheses, got " + got
	case Percentage:
		return "must not be a percentage, got " + got
	case CreditDebit:
		return "must say credit or debit by its sign or by a column, got " + got
	case LoneDash:
		return "is a lone dash: say whether that is zero or empty"
	case OutOfRange:
		return "is too large or too small: " + got
	}
	return "must be a number, got " + got
}

// The characters of numbers.
const (
	minuses    = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFF0D"
	spaces     = " \u00A0\u2009\u202F"
	quoteMarks = "'\u2019"
	invisible  = "\u200B\u200E\u200F\u061C\uFEFF\u2060"
)

// trim takes white space and invisible characters off both ends.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r > unicode.MaxLatin1 && strings.ContainsRune(invisible, r)
	})
}

// ParseNumber reads a number whose decimals follow the given mark. Groups of digits are
// separated by the other mark, a space or an apostrophe, three digits each or as in India. The
// sign is a minus on either side, or parentheses. A currency may stand on either side, and k,
// mn, mio, mm, bn or mrd behind the digits. The error is a *NumberError.
func ParseNumber(s string, mark Mark) (Number, error) {
	n, problem := parseNumber(s, mark)
	if problem == "" {
		return n, nil
	}
	e := &NumberError{Problem: problem, Text: s, Mark: mark}
	if problem == NotANumber {
		if reads, other := parseNumber(s, mark.other()); other == "" {
			e.Problem, e.Reads = OtherMark, reads
		}
	}
	return Number{}, e
}

func parseNumber(s string, mark Mark) (Number, NumberProblem) {
	s = trim(s)
	if problem := word(s); problem != "" {
		return Number{}, problem
	}
	n, rest, negative, problem := strip(s)
	if problem != "" {
		return Number{}, problem
	}
	rest, exponent, ok := cutExponent(rest)
	if !ok {
		return Number{}, OutOfRange
	}
	n.Exponent = exponent != nil
	whole, decimals, ok := digits(rest, mark, n.Exponent)
	if !ok {
		return Number{}, NotANumber
	}
	n.Decimals = len(decimals)
	power := n.Scale
	if exponent != nil {
		power += *exponent
	}
	n.Value = plain(negative, whole, decimals, power)
	return n, ""
}

// word recognises what stands in a column of numbers and is none.
func word(s string) NumberProblem {
	switch lower := strings.ToLower(s); {
	case s == "":
		return NotANumber
	case s[0] == '#', lower == "n/a", lower == "na", lower == "n.a.", lower == "nan", lower == "null", lower == "none", lower == "inf", lower == "infinity":
		return NotAvailable
	}
	return ""
}

// strip takes the sign, the currency and the suffix off both ends, in any order.
func strip(s string) (n Number, rest string, negative bool, problem NumberProblem) {
	signs, dash := 0, false
	for {
		s = trim(s)
		first, width := utf8.DecodeRuneInString(s)
		last, tail := utf8.DecodeLastRuneInString(s)
		switch {
		case s == "" && dash && signs == 1:
			return n, s, negative, LoneDash
		case s == "":
			return n, s, negative, NotANumber
		case first == '(' && last == ')':
			s, negative, signs = s[1:len(s)-1], true, signs+1
		case strings.ContainsRune(minuses, first):
			s, negative, dash, signs = s[width:], true, true, signs+1
		case first == '+':
			s, signs = s[1:], signs+1
		case strings.ContainsRune(minuses, last):
			s, negative, dash, signs = s[:len(s)-tail], true, true, signs+1
		case isDigit(first) || first == '.' || first == ',' || first == '(':
			var beside string
			s, beside = cutTail(s)
			switch {
			case beside != "":
				problem = n.beside(beside)
			case signs > 1:
				problem = TwoSigns
			default:
				return n, s, negative, ""
			}
		default:
			var beside string
			s, beside = cutHead(s)
			problem = n.currency(beside)
		}
		if problem != "" {
			return n, s, negative, problem
		}
	}
}

// cutTail cuts what stands behind the digits, the sign and the mark: 5. is 5.
func cutTail(s string) (rest, beside string) {
	i := strings.LastIndexFunc(s, func(r rune) bool { return isDigit(r) || r == ')' || strings.ContainsRune(minuses, r) })
	if i < 0 {
		return s, ""
	}
	_, width := utf8.DecodeRuneInString(s[i:])
	i += width
	if i < len(s) && (s[i] == '.' || s[i] == ',') {
		i++
	}
	return s[:i], trim(s[i:])
}

// cutHead cuts what stands before the digits, the sign and the mark.
func cutHead(s string) (rest, beside string) {
	i := strings.IndexFunc(s, func(r rune) bool { return isDigit(r) || r == '(' || strings.ContainsRune(minuses, r) })
	switch {
	case i < 0:
		return "", s
	case i > 0 && (s[i-1] == '.' || s[i-1] == ',') && !words[strings.ToLower(trim(s[:i]))]: // $.50, but Fr.50
		i--
	}
	return s[i:], trim(s[:i])
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
