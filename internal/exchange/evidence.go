package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// numeric are the fields whose cells take part in the question of the decimal mark.
var numeric = []string{colAmount, fieldPeriod, fieldTotal, fieldDebit, fieldCredit, colPrice, fieldGross, colShares, "shares_outstanding"}

// minorUnits are hundredths of a currency.
var minorUnits = map[string]string{"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS", "ILa": "ILS"}

// thousands are words above a header, or in its brackets, that say the unit of the amounts.
var thousands = []struct {
	words []string
	scale int64
}{
	{[]string{"in thousands", "in tausend", "en milliers", "i tusental", "teur", "t€", "k€", "keur"}, 1e3},
	{[]string{"in millions", "in millionen", "en millions", "i miljoner", "mio eur", "meur", "m€", "mn eur"}, 1e6},
}

// evidence is what the cells of a file tell about the ways in which they are written.
type evidence struct {
	marks           tables.MarkEvidence
	dates           tables.DateEvidence
	suffixM, dashes tables.Spots
	minor           tables.Spots
	months          tables.Spots    // in the place of a year or a period
	currencies      map[string]bool // of the cells that the mark is asked for
	scale           int64           // that words above the table propose
	fits            fits
}

// collect adds the cells of a row.
func (e *evidence) collect(record tables.Record, c *columns) {
	before := e.marks.Either.Count
	defer func() {
		if e.marks.Either.Count > before {
			e.fits.add(record, c)
		}
	}()
	for _, column := range c.list {
		cell := record.Cell(column.position)
		if column.Field == colYear || column.Field == colPeriod {
			e.fiscal(record.Line, column, cell, c.yearAlone())
		}
		if cell.Type != tables.TextCell {
			continue
		}
		spot := tables.Spot{Line: record.Line, Column: column.position, Text: cell.Value}
		switch {
		case slices.Contains(numeric, column.Field):
			either := e.marks.Either.Count
			e.marks.Add(record.Line, column.position, cell.Value)
			if currency, found := c.at(colCurrency); found && e.marks.Either.Count > either {
				e.currencies[strings.ToUpper(record.Cell(currency.position).Text())] = true
			}
			e.number(spot)
		case column.Field == colDate:
			e.dates.Add(record.Line, column.position, cell.Value)
		case column.Field == colCurrency || column.Field == colTraded:
			if minorUnits[strings.TrimSpace(cell.Value)] != "" {
				e.minor.Add(spot)
			}
		}
	}
}

// number adds a number with m behind it, or a dash in the place of one.
func (e *evidence) number(spot tables.Spot) {
	for _, mark := range []tables.Mark{tables.Point, tables.Comma} {
		n, err := tables.ParseNumber(spot.Text, mark)
		if refused, is := errors.AsType[*tables.NumberError](err); is && refused.Problem == tables.LoneDash {
			e.dashes.Add(spot)
			return
		}
		if n.M {
			e.suffixM.Add(spot)
			return
		}
	}
}

// above looks for a word that proposes a scale.
func (e *evidence) above(written string) {
	written = " " + strings.Join(strings.FieldsFunc(strings.ToLower(written), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.Sc, r)
	}), " ") + " "
	for _, unit := range thousands {
		if e.scale == 0 && slices.ContainsFunc(unit.words, func(word string) bool { return strings.Contains(written, " "+word+" ") }) {
			e.scale = unit.scale
		}
	}
}

// decide sets the rules of a reading by the map and the evidence, and returns what is open.
func (e *evidence) decide(s *shape, m *Map, h headed, c *columns, delimiter byte, now time.Time) (rules, []Question) {
	var questions []Question
	r := rules{mark: tables.Point, scale: power(m.Numbers.Scale)}
	ask := func(q *Question) {
		if q != nil {
			questions = append(questions, *q)
		}
	}
	r.dates.Location, _ = m.location()
	r.dates.Century = m.Dates.Century
	switch mark, decided := e.marks.Decided(); {
	case m.Numbers.Decimal != "":
		r.mark = tables.Mark(m.Numbers.Decimal[0])
	case h.exported(s) && delimiter == ',' && e.marks.Comma.Count == 0:
	case h.exported(s) && delimiter == ';' && e.marks.Point.Count == 0:
		r.mark = tables.Comma
	case decided:
		r.mark, r.markBare = mark, e.marks.Point.Count+e.marks.Comma.Count == 0
	default:
		r.markOpen = true
		ask(e.askForMark(h))
	}
	switch order, decided := e.dates.Decided(); {
	case m.Dates.Order == "dmy":
		r.dates.Order = tables.DayFirst
	case m.Dates.Order == "mdy":
		r.dates.Order = tables.MonthFirst
	case decided:
		r.dates.Order = order
	default:
		ask(e.askForOrder(h, r.dates))
	}
	if e.dates.Century.Count > 0 && m.Dates.Century == 0 {
		ask(e.askForCentury(h, now))
	}
	if e.months.Count > 0 && m.Dates.YearStarts == 0 {
		ask(e.askForStart(h))
	}
	if e.suffixM.Count > 0 && m.Numbers.SuffixM == "" {
		ask(spotted(askSuffixM, "The letter m stands behind numbers. Say if it means thousand or million.", e.suffixM, h, "thousand", "million"))
	}
	if e.dashes.Count > 0 && m.Numbers.Dash == "" {
		ask(spotted(askDash, "A dash stands in the place of numbers. Say if it means zero or nothing.", e.dashes, h, "zero", "empty"))
	}
	if e.minor.Count > 0 && m.MinorUnit == "" {
		q := spotted(askMinorUnit, "The file has prices in a hundredth of a currency, such as pence. Say if they are divided by 100 into the currency, or refused.", e.minor, h, "divide", "refuse")
		for _, column := range c.list {
			if column.Field == colCurrency || column.Field == colTraded {
				q.Field = column.Field
			}
		}
		ask(q)
	}
	if e.scale > 0 && m.Numbers.Scale == 0 && s.wide {
		ask(&Question{
			Code: askScale, Message: "Words above the table say that the amounts are in thousands or millions. Say by how much they are multiplied.",
			Proposed: strconv.FormatInt(e.scale, 10), Choices: choices(strconv.FormatInt(e.scale, 10), "1"),
		})
	}
	if (c.has(fieldSign) || c.has(fieldDebit) && c.has(fieldCredit)) && m.SignRule == "" {
		ask(&Question{
			Code: askSignRule, Field: colAmount,
			Message: "The file says debit and credit. Say which sign they have: by the type of the account (a cost is debit minus credit, a revenue is credit minus debit), always debit minus credit, or always credit minus debit.",
			Choices: choices("by_type", "debit_credit", "credit_debit"),
		})
	}
	return r, questions
}

// power is the power of ten of a scale.
func power(scale int64) int { return max(len(strconv.FormatInt(scale, 10))-1, 0) }

// mended are the headers of the last columns of rows that came back to be mended. They have no field.
var mended = []string{"line", "problem"}

// mends reports whether the last columns of a header say that the rows came back to be mended.
func (h headed) mends() bool {
	n := len(h.headers) - len(mended)
	return n > 0 && slices.EqualFunc(h.headers[n:], mended, func(of header, name string) bool { return of.text == name })
}

// exported reports whether a header is exactly that of an export, in the long or the wide form, with ids or without.
func (h headed) exported(s *shape) bool {
	texts := make([]string, len(h.headers))
	for i, header := range h.headers {
		texts[i] = header.text
	}
	if h.mends() {
		texts = texts[:len(texts)-len(mended)]
	}
	if len(texts) > 0 && texts[0] == "id" {
		texts = texts[1:]
	}
	return slices.Equal(texts, s.columns) || s.wide && slices.EqualFunc(wideColumns(kindOf(s.kind)), texts, func(f Field, name string) bool { return f.Name == name })
}

// places are the first cells of a kind.
func places(spots tables.Spots, h headed) []Place {
	list := make([]Place, len(spots.First))
	for i, spot := range spots.First {
		list[i] = Place{Line: spot.Line, Column: h.label(spot.Column), Value: spot.Text}
	}
	return list
}

// spotted is a question about cells.
func spotted(code, message string, spots tables.Spots, h headed, values ...string) *Question {
	return &Question{Code: code, Message: message, Choices: choices(values...), Cells: places(spots, h)}
}

// askForMark asks for the decimal mark, with the cells under both.
func (e *evidence) askForMark(h headed) *Question {
	q := spotted(askDecimalMark, "Say if the decimal mark of the file is a point or a comma.", e.marks.Either, h, ".", ",")
	if e.marks.Point.Count > 0 && e.marks.Comma.Count > 0 {
		q.Message += fmt.Sprintf(" %s with a decimal point, and %s with a decimal comma.", cells(e.marks.Point.Count), cells(e.marks.Comma.Count))
		q.Cells = slices.Concat(places(e.marks.Point, h), places(e.marks.Comma, h), q.Cells)
		slices.SortStableFunc(q.Cells, func(a, b Place) int { return a.Line - b.Line })
		q.Cells = q.Cells[:min(len(q.Cells), shownFindings)]
	} else {
		first := e.marks.Either.First[0]
		_, point, comma := tables.ProofOf(first.Text)
		q.Message += fmt.Sprintf(" Line %d has %s, which is %s or %s.", first.Line, text.Printable(text.Shorten(first.Text)), point.Value, comma.Value)
	}
	for _, code := range slices.Sorted(keys(e.currencies)) {
		if n := money.Currency(code).Decimals(); n != 2 {
			q.Message += fmt.Sprintf(" Amounts in %s have %d decimals.", code, n)
		}
	}
	for i, mark := range bothMarks {
		q.Choices[i].Fits = e.fits.decide(i)
		for _, cell := range q.Cells {
			if n, err := tables.ParseNumber(cell.Value, mark); err == nil {
				cell.Value = n.Value
				q.Choices[i].Cells = append(q.Choices[i].Cells, cell)
			}
		}
	}
	return q
}

func cells(n int) string {
	if n == 1 {
		return "1 cell is written"
	}
	return strconv.Itoa(n) + " cells are written"
}

func keys(m map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// askForOrder asks which comes first in a date, with the cells under both.
func (e *evidence) askForOrder(h headed, under tables.DateRules) *Question {
	q := spotted(askDateOrder, "Say if the day or the month comes first in the dates.", e.dates.Either, h, "dmy", "mdy")
	if e.dates.DayFirst.Count > 0 {
		q.Message += fmt.Sprintf(" %d dates can only have the day first, and %d only the month.", e.dates.DayFirst.Count, e.dates.MonthFirst.Count)
		q.Cells = slices.Concat(places(e.dates.DayFirst, h), places(e.dates.MonthFirst, h), q.Cells)
		slices.SortStableFunc(q.Cells, func(a, b Place) int { return a.Line - b.Line })
		q.Cells = q.Cells[:min(len(q.Cells), shownFindings)]
	}
	for i, order := range []tables.Order{tables.DayFirst, tables.MonthFirst} {
		under.Order = order
		for _, cell := range q.Cells {
			if d, err := tables.ParseDate(cell.Value, under); err == nil {
				cell.Value = d.Time.Format(time.DateOnly)
				q.Choices[i].Cells = append(q.Choices[i].Cells, cell)
			}
		}
	}
	return q
}

// askForCentury asks for the hundred years of years with two digits: 1950 to 2049, or those that end now.
func (e *evidence) askForCentury(h headed, now time.Time) *Question {
	past := now.Year() - 99
	q := spotted(askCentury, "", e.dates.Century, h, "1950", strconv.Itoa(past))
	q.Message = fmt.Sprintf("Years have two digits. Say in which hundred years they are: 1950 to 2049, or %d to %d, which has no date to come.", past, now.Year())
	return q
}
