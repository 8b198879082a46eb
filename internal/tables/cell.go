package tables

import "time"

// Type says what a cell holds, as its format says it. A text that looks like a number is
// a text: ParseNumber and ParseDate read it, under rules that the caller has decided.
type Type uint8

// The types. A cell that is absent, null or blank is an EmptyCell.
const (
	EmptyCell        Type = iota
	TextCell              // Value is the text
	NumberCell            // Value is the number as an exact decimal with a point, such as -1234.5
	DateCell              // Time is the instant, as if the sheet's clock were UTC; Value is the serial number
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
	// 420 in the format 0000 is "0420", and 6100 is "6100" in any format.
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

// text is the instant of a DateCell in RFC 3339.
func (c Cell) text() string { return c.Time.UTC().Format(time.RFC3339Nano) }
