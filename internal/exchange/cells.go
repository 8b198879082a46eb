package exchange

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"daybook/internal/tables"
	"daybook/internal/text"
)

// rules say how the cells of a file are written, as the map and the evidence decided it.
type rules struct {
	mark     tables.Mark
	markOpen bool // nobody has decided the mark yet
	markBare bool // no cell of the file has a mark
	dates    tables.DateRules
	scale    int // the power of ten of the amounts
}

// reading is one row while it is read.
type reading struct {
	*check
	record      tables.Record
	currency    string // of the row, once it is read
	minor       bool   // its prices are in a hundredth of the currency
	accountType string // of the account that the row names
	id          int64  // of the stored record that the row names, 0 for none
	stored      Record // that record
	nth         string // which of several companies with one name the row names
	pending     bool   // a question is open about one of its cells
	found       []Finding
}

// add adds what is wrong or doubtful about a field.
func (r *reading) add(severity, code, field string, position int, cell tables.Cell, format string, args ...any) *Finding {
	f := Finding{Line: r.record.Line, Field: field, Severity: severity, Code: code, Message: fmt.Sprintf(format, args...)}
	if position > 0 {
		f.Column, f.Value = r.h.label(position), text.Shorten(cell.Text())
	}
	f.Accepted = severity == doubtful && slices.Contains(r.m.Accept, code)
	r.found = append(r.found, f)
	return &r.found[len(r.found)-1]
}

// inMap is the advice to say something in the map, where there is one.
func (r *reading) inMap(advice string) string {
	if r.exact {
		return ""
	}
	return advice
}

func (r *reading) isWrong() bool {
	return slices.ContainsFunc(r.found, func(f Finding) bool { return f.Severity == wrong })
}

// faulty reports whether something was found about a field, so that it is no news that it has no value.
func (r *reading) faulty(field string) bool {
	return slices.ContainsFunc(r.found, func(f Finding) bool {
		return f.Field == field || f.Field != "" && f.Field == ids[field] || field == colAmount && slices.Contains(amounts, f.Field) || field == colPrice && f.Field == fieldGross
	})
}

// cell returns the cell of a field: of its column, or the constant of the map, with the words of the map.
func (r *reading) cell(field string) (cell tables.Cell, position int) {
	cell, position = r.rawCell(field)
	if constant, set := r.m.Set[field]; set && position == 0 {
		cell = tables.Cell{Type: tables.TextCell, Value: string(constant)}
	}
	if word, found := r.word(field, cell); found && word != nil {
		cell = tables.Cell{Type: tables.TextCell, Value: *word}
	}
	return cell, position
}

// word is what the map says that a cell stands for; nil skips the row.
func (r *reading) word(field string, cell tables.Cell) (word *string, found bool) {
	if len(r.words[field]) == 0 || cell.Type == tables.EmptyCell {
		return nil, false
	}
	word, found = r.words[field][folded(cell.Text())]
	return word, found
}

func folded(s string) string { return strings.ToLower(oneLine(s)) }

// usable reports whether a cell holds a value, and says why if it is broken.
func (r *reading) usable(field string, position int, cell tables.Cell) bool {
	switch cell.Type {
	case tables.EmptyCell:
		return false
	case tables.BrokenCell:
		switch {
		case cell.Problem != tables.ProblemEncoding:
			r.add(wrong, codeNotAText, field, position, cell, "The cell %s. Mend it in the file.", cell.Problem)
		case r.m.Read.Encoding != "":
			r.add(wrong, codeEncoding, field, position, cell, "The text is not in the encoding %s. Save the file in it%s.", r.m.Read.Encoding, r.inMap(", or say another encoding"))
		default:
			r.pending = true
		}
		return false
	case tables.UncalculatedCell:
		r.add(wrong, codeNoValue, field, position, cell, "The cell has a formula without a result. Open the workbook, calculate it and save it again.")
		return false
	case tables.ErrorCell:
		r.add(wrong, codeNotANumber, field, position, cell, "The cell has the error %s. Mend the formula.", cell.Value)
		return false
	}
	return strings.TrimSpace(cell.Text()) != ""
}

// text reads a text. The apostrophe is taken off that an export puts before what looks like a formula.
func (r *reading) text(field string) (string, int, tables.Cell) {
	cell, position := r.cell(field)
	if !r.usable(field, position, cell) {
		return "", position, cell
	}
	s := cell.Text()
	if r.file.Format == tables.CSV && cell.Type == tables.TextCell {
		s = tables.Unguard(s)
	}
	return s, position, cell
}

// number is an exact decimal with a point.
type number struct {
	value    string
	decimals int // as the cell shows them
	filled   bool
}

// number reads the number of a field. A number that is wrong, open or empty is not filled.
func (r *reading) number(field string, position int, cell tables.Cell) number {
	if !r.usable(field, position, cell) {
		return number{}
	}
	n, err := cell.Number(r.mark)
	if refused, is := errors.AsType[*tables.NumberError](err); is {
		n, err = r.refused(field, position, cell, refused)
		if err != nil {
			return number{}
		}
		if n.Value == "" {
			return number{}
		}
	}
	if r.markOpen && cell.Type == tables.TextCell {
		if proof, _, _ := tables.ProofOf(cell.Value); proof != tables.NoMark {
			r.pending = true
		}
	}
	if n.M {
		switch r.m.Numbers.SuffixM {
		case "thousand":
			n.Value = tables.Shift(n.Value, 3)
		case "million":
			n.Value = tables.Shift(n.Value, 6)
		default:
			r.pending = true
		}
	}
	if n.Exponent {
		r.add(doubtful, codeScientific, field, position, cell, "The number is written with an exponent, as programs write a long code. It reads as %s.", n.Value).ReadsAs = Reads(n.Value)
	}
	if n.Currency != "" && !r.fits(n.Currency) {
		r.add(wrong, codeCurrency, field, position, cell, "The number is in %s, but the currency of the row is %s.", n.Currency, r.currency)
		return number{}
	}
	return number{value: n.Value, decimals: n.Decimals, filled: true}
}

// refused reads a text that is no number under the mark, if the map allows it.
func (r *reading) refused(field string, position int, cell tables.Cell, e *tables.NumberError) (tables.Number, error) {
	switch e.Problem {
	case tables.OtherMark:
		switch {
		case r.markOpen:
			r.pending = true
		case r.m.Numbers.OtherMark == "decimal":
			r.add(doubtful, codeOtherMark, field, position, cell, "The number has the other decimal mark than the file. It reads as %s.", e.Reads.Value).ReadsAs = Reads(e.Reads.Value)
			return e.Reads, nil
		default:
			r.add(wrong, codeOtherMark, field, position, cell, "The number has the other decimal mark than the file. Mend it, or set other_mark to decimal to read it as %s.", e.Reads.Value)
		}
		return tables.Number{}, e
	case tables.LoneDash:
		switch r.m.Numbers.Dash {
		case "zero":
			return tables.Number{Value: "0"}, nil
		case "empty":
			return tables.Number{}, nil
		}
		r.pending = true
		return tables.Number{}, e
	}
	code := map[tables.NumberProblem]string{tables.Percentage: codePercent, tables.OutOfRange: codeOutOfRange}[e.Problem]
	if code == "" {
		code = codeNotANumber
	}
	r.add(wrong, code, field, position, cell, "The cell %v.", e)
	return tables.Number{}, e
}

// signs are the currencies of the signs and words beside a number.
var signs = map[string]string{
	"€": "EUR", "£": "GBP", "¥": "JPY CNY", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₪": "ILS", "₫": "VND", "₱": "PHP", "฿": "THB", "₦": "NGN",
	"$":  "USD AUD CAD NZD HKD SGD MXN TWD CLP COP ARS BSD BBD BMD BZD FJD JMD TTD NAD LRD XCD",
	"kr": "SEK NOK DKK ISK", "kr.": "SEK NOK DKK ISK", "fr.": "CHF", "sfr.": "CHF", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON MDL",
}

// fits reports whether the currency beside a number is that of the row. A letter or two before a sign, as in US$,
// begin the code.
func (r *reading) fits(beside string) bool {
	if r.currency == "" || strings.EqualFold(beside, r.currency) {
		return true
	}
	if of := minorUnits[beside]; of != "" {
		return r.minor && of == r.currency
	}
	sign := strings.TrimLeft(beside, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	country := strings.TrimSuffix(beside, sign)
	codes, known := signs[strings.ToLower(sign)]
	return known && strings.HasPrefix(r.currency, country) && slices.Contains(strings.Fields(codes), r.currency)
}

// fit rounds a number that has more decimals than its field, as the map says. A number of 15 or more digits was
// computed in floats, so the rule of the field rounds it.
func (r *reading) fit(field string, position int, cell tables.Cell, n number, most int) number {
	_, decimals, _ := strings.Cut(n.value, ".")
	if !n.filled || len(decimals) <= most || significant(n.value) >= 15 {
		return n
	}
	return r.round(field, position, cell, n, most)
}

// round rounds a number as the map says, or asks.
func (r *reading) round(field string, position int, cell tables.Cell, n number, most int) number {
	_, decimals, _ := strings.Cut(n.value, ".")
	r.rounding.add(r.h, r.record.Line, position, cell, n.value, most)
	switch r.m.Numbers.Round {
	case "":
		r.pending, n.filled = true, false
	case "refuse":
		r.add(wrong, codeRound, field, position, cell, "The number has %d decimals, and at most %d are kept. Round it in the file.", len(decimals), most)
		n.filled = false
	default:
		n.value = rounded(n.value, min(atoi(string(r.m.Numbers.Round)), most))
	}
	return n
}

// significant is how many significant digits a decimal has.
func significant(value string) int {
	digits := strings.NewReplacer("-", "", ".", "").Replace(value)
	return len(strings.TrimLeft(digits, "0"))
}

// rounded is a decimal with at most so many decimals, half away from zero.
func rounded(value string, decimals int) string {
	exact, ok := new(big.Rat).SetString(value)
	if !ok {
		return value
	}
	return plain(exact.FloatString(decimals))
}

// plain is a decimal without zeros at its end.
func plain(decimal string) string { return tables.Shift(decimal, 0) }

// rounding counts the numbers that have too many decimals, and by how much rounding changes their sum.
type rounding struct {
	count  int
	most   int
	cells  []Place
	change map[string]*big.Rat // by the decimals that are kept
}

func (g *rounding) add(h headed, line, position int, cell tables.Cell, value string, most int) {
	g.count++
	g.most = max(g.most, most)
	if len(g.cells) < shownFindings {
		g.cells = append(g.cells, Place{Line: line, Column: h.label(position), Value: cell.Text()})
	}
	exact, ok := new(big.Rat).SetString(value)
	if !ok {
		return
	}
	if g.change == nil {
		g.change = map[string]*big.Rat{}
	}
	for _, decimals := range []string{"2", "4", "8"} {
		if n := atoi(decimals); n <= most {
			after, _ := new(big.Rat).SetString(rounded(value, n))
			if g.change[decimals] == nil {
				g.change[decimals] = new(big.Rat)
			}
			g.change[decimals].Add(g.change[decimals], after.Sub(after, exact))
		}
	}
}

// ask asks how the numbers are rounded.
func (g *rounding) ask() Question {
	q := Question{Code: askRound, Cells: g.cells}
	q.Message = fmt.Sprintf("%d numbers have more than %d decimals. Say to how many decimals they are rounded, half away from zero.", g.count, g.most)
	for _, decimals := range []string{"2", "4", "8"} {
		if change := g.change[decimals]; change != nil {
			q.Choices = append(q.Choices, Choice{Value: decimals})
			q.Message += fmt.Sprintf(" With %s their sum changes by %s.", decimals, plain(change.FloatString(20)))
		}
	}
	q.Choices = append(q.Choices, Choice{Value: "refuse"})
	return q
}

// date reads an instant as RFC 3339.
func (r *reading) date(field string) string {
	cell, position := r.cell(field)
	if !r.usable(field, position, cell) {
		return ""
	}
	d, err := r.clocked(cell).Date(r.dates)
	if refused, is := errors.AsType[*tables.DateError](err); is {
		if refused.Problem == tables.OrderUnknown || refused.Problem == tables.CenturyUnknown {
			r.pending = true
		} else {
			r.add(wrong, codeNotADate, field, position, cell, "The cell %v.", refused)
		}
		return ""
	}
	if d.Twice {
		r.add(doubtful, codeTwice, field, position, cell, "The clocks were put back, and showed this time twice. The first is taken: %s.", d.Time.Format(time.RFC3339)).ReadsAs = Reads(d.Time.Format(time.RFC3339))
	}
	return d.Time.Format(time.RFC3339Nano)
}

// clocked is a date with the time of day that a column of its own has. A date that has a time needs none.
func (r *reading) clocked(date tables.Cell) tables.Cell {
	clock, _ := r.cell(fieldTime)
	day, at := strings.TrimSpace(date.Text()), strings.TrimSpace(clock.Text())
	if clock.Type == tables.DateCell {
		at = clock.Time.Format("15:04:05.999999999")
	}
	if at == "" || strings.Contains(day, ":") {
		return date
	}
	if digits(at) && (len(at) == len("1530") || len(at) == len("153001")) {
		at = strings.TrimSuffix(at[:2]+":"+at[2:4]+":"+at[4:], ":")
	}
	return tables.Cell{Type: tables.TextCell, Value: day + "T" + at}
}
