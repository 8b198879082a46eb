package tables

import (
	"strings"
	"time"
)

// Type says what a cell holds, as its format says it. A text that looks like a number is
// a text: Cell.Number and Cell.Date read it, under rules that the caller has decided.
type Type uint8

// The types. A cell that is absent, null or blank is an EmptyCell.
const (
	EmptyCell        Type = iota
	TextCell              // Value is the text
	NumberCell            // Value is the number as an exact decimal with a point, such as -1234.5
	DateCell              // Time is the instant, as if the sheet's clock were UTC; Value is as the sheet keeps it
	BooleanCell           // Value is true or false
	ErrorCell             // Value is the error of a formula, such as #REF!
	UncalculatedCell      // a formula without a kept result
	BrokenCell            // Value is what could be read of it; Problem says why it is no value
)

// Cell is one cell of a record. Its column is its place in Record.Cells, from 1.
type Cell struct {
	Type    Type
	Percent bool   // the number format of a sheet shows the number as a percentage
	Formula bool   // the value is the kept result of a formula
	Value   string // see Type
	// Shown is a number or date as its sheet shows it where it stands for a code: the number
	// 420 in the format 0000 is "0420", and 6100 is "6100" in any format. It has at most the 15
	// significant digits that a sheet shows, where Value may have 17.
	Shown   string
	Problem string    // continues "the cell": "has bytes that are not UTF-8"
	Time    time.Time // of a DateCell, in UTC
}

// Record is one row of a table. Its cells are those of the columns 1, 2, 3 and so on; the
// columns beyond them are empty. A blank row has no cells.
type Record struct {
	Line  int // the physical line where the record begins, or the row of a sheet, from 1
	Cells []Cell
}

// Cell returns the cell of a column, from 1. A column beyond the record's cells is empty.
func (r Record) Cell(column int) Cell {
	if column < 1 || column > len(r.Cells) {
		return Cell{}
	}
	return r.Cells[column-1]
}

// Blank reports whether no cell of the record is filled. A text of white space fills none.
func (r Record) Blank() bool {
	for _, c := range r.Cells {
		if c.filled() {
			return false
		}
	}
	return true
}

func (c Cell) filled() bool {
	return c.Type != EmptyCell && (c.Type != TextCell || trim(c.Value) != "")
}

// instant is the instant of a DateCell in RFC 3339.
func (c Cell) instant() string { return c.Time.UTC().Format(time.RFC3339Nano) }

// Text returns the cell as a code or a text: a number or a date as its sheet shows it, and any
// other value as it is.
func (c Cell) Text() string {
	if c.Shown != "" {
		return c.Shown
	}
	return c.Value
}

// Number returns the cell as a number. Only a text is read under the mark: a number of a sheet
// or of JSON is its number whatever mark the file has. The error is a *NumberError.
func (c Cell) Number(mark Mark) (Number, error) {
	switch {
	case c.Type == TextCell:
		return ParseNumber(c.Value, mark)
	case c.Type == NumberCell && c.Percent:
		return Number{}, &NumberError{Problem: Percentage, Text: c.Value, Mark: mark}
	case c.Type == NumberCell && strings.ContainsAny(c.Value, "eE"):
		return Number{}, &NumberError{Problem: OutOfRange, Text: c.Value, Mark: mark}
	case c.Type == NumberCell:
		_, decimals, _ := strings.Cut(c.Value, ".")
		return Number{Value: c.Value, Decimals: len(decimals)}, nil
	case c.Type == ErrorCell:
		return Number{}, &NumberError{Problem: NotAvailable, Text: c.Value, Mark: mark}
	}
	return Number{}, &NumberError{Problem: NotANumber, Text: c.Text(), Mark: mark}
}

// Date returns the cell as a date. The clock of a sheet has no zone: the rules say which is
// meant. The error is a *DateError.
func (c Cell) Date(rules DateRules) (Date, error) {
	switch {
	case c.Type == TextCell:
		return ParseDate(c.Value, rules)
	case c.Type == DateCell && !isNumeral(c.Value): // a text of ISO 8601, which may have a zone
		return ParseDate(c.Value, rules)
	case c.Type == DateCell:
		day := c.Time.Truncate(24 * time.Hour)
		if day.Equal(c.Time) {
			return Date{Time: day}, nil
		}
		d, problem := clock{since: c.Time.Sub(day)}.on(day, rules.Location)
		if problem != "" {
			return Date{}, &DateError{Problem: problem, Text: c.Shown, Location: rules.Location}
		}
		return d, nil
	}
	return Date{}, &DateError{Problem: NotADate, Text: c.Text()}
}
