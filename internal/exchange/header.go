package exchange

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"daybook/internal/money"
	"daybook/internal/tables"
)

// header is what the header of one column says.
type header struct {
	text   string // as the file writes it, on one line
	key    string // as normal writes it
	field  string // the field that it names, fieldPeriod, or ""
	period period // with fieldPeriod
	unit   string // what stands in brackets at its end
}

var (
	bracketed  = regexp.MustCompile(`^(.*?)[([]([^()[\]]*)[)\]]$`)
	separators = regexp.MustCompile(`[\s_.-]+`)
)

// normal writes a header in the form in which two headers are compared: in NFKC, in lower case, with one
// space for each run of spaces and of _ - . and without a unit in brackets at its end, which it returns too.
func normal(s string) (key, unit string) {
	s = strings.TrimSpace(norm.NFKC.String(s))
	if m := bracketed.FindStringSubmatch(oneLine(s)); m != nil {
		s, unit = m[1], strings.TrimSpace(m[2])
	}
	return strings.TrimSpace(separators.ReplaceAllString(strings.ToLower(s), " ")), unit
}

// oneLine is a text with one space for each run of white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// read reads the header of a column.
func (n names) read(c tables.Cell) header {
	h := header{text: oneLine(c.Text())}
	h.key, h.unit = normal(c.Text())
	if field, named := n.fields[h.key]; named {
		h.field = field
		return h
	}
	if n.periods {
		if p, is := periodOf(c); is {
			h.field, h.period = fieldPeriod, p
		}
	}
	return h
}

// currency is the currency that the unit of a header names: EUR of Amount (EUR). It is "" where there is none.
func (h header) currency() string {
	code, err := money.ParseCurrency(h.unit)
	if err != nil || !code.ISO() {
		return ""
	}
	return string(code)
}
