package tables

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Range is merged cells of a sheet, with its first and last rows and columns, from 1.
type Range struct {
	FirstRow, LastRow       int
	FirstColumn, LastColumn int
}

// sheetReader reads the rows of a sheet.
type sheetReader struct {
	book   *workbook
	markup *markup
	limits Limits
	sheet  string

	state  sheetState
	row    int // the last one
	cells  []Cell
	merged []Range
}

type sheetState uint8

const (
	beforeRows sheetState = iota
	inRows
	behindRows
	behindSheet
)

// maxRow is the last row of a sheet, and maxMerged bounds the ranges that are kept.
const (
	maxRow    = 1 << 20
	maxMerged = 1_000_000
)

func (r *sheetReader) read() (Record, error) {
	for {
		token, err := r.markup.next()
		if errors.Is(err, io.EOF) && r.state != behindSheet {
			return Record{}, r.markup.broken()
		}
		if err != nil {
			return Record{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case r.state == beforeRows && t.Name.Local == "sheetData":
				r.state = inRows
			case r.state == inRows && t.Name.Local == "row":
				return r.readRow(t)
			case t.Name.Local == "mergeCell":
				if err := r.merge(attribute(t, "ref")); err != nil {
					return Record{}, err
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "sheetData":
				r.state = behindRows
			case "worksheet":
				r.state = behindSheet
			}
		}
	}
}

func (r *sheetReader) readRow(start xml.StartElement) (Record, error) {
	row := r.row + 1
	if s := attribute(start, "r"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n <= r.row || n > maxRow {
			return Record{}, r.wrong("has a row %q behind row %d", s, r.row)
		}
		row = n
	}
	if row > maxRow {
		return Record{}, r.wrong("has more than %s rows", grouped(maxRow))
	}
	r.row, r.cells = row, r.cells[:0]
	column, bytes := 0, 0
	for {
		token, err := r.markup.inside()
		if err != nil {
			return Record{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "c" {
				if err := r.markup.skip(); err != nil {
					return Record{}, err
				}
				continue
			}
			if column, err = r.column(t, column); err != nil {
				return Record{}, err
			}
			c, err := r.readCell(t)
			if err != nil {
				return Record{}, err
			}
			if bytes += len(c.Value) + len(c.Shown); bytes > 2*r.limits.Record {
				return Record{}, refuse(TooLarge, "Row %d has more than %s. Shorten it.", row, bytesOf(int64(r.limits.Record))).at(row)
			}
			if err := r.keep(column, c); err != nil {
				return Record{}, err
			}
		case xml.EndElement:
			return Record{Line: row, Cells: r.cells}, nil
		}
	}
}

// wrong says what is wrong with the sheet behind its last row.
func (r *sheetReader) wrong(format string, args ...any) error {
	e := refuse(Malformed, "The sheet "+strconv.Quote(r.sheet)+" "+strings.ReplaceAll(format, "%%", "%")+". Open it in a spreadsheet program and save it again.", args...)
	return e.at(r.row)
}

// column returns the column of a cell: the one behind the last, or that of its reference.
func (r *sheetReader) column(t xml.StartElement, last int) (int, error) {
	ref := attribute(t, "r")
	if ref == "" {
		return last + 1, nil
	}
	row, column, ok := readRef(ref)
	if !ok || row != r.row || column <= last {
		return 0, r.wrong("has a cell %q out of place in row %d", ref, r.row)
	}
	return column, nil
}

// keep puts a cell into its column. Empty cells behind the last filled one are not kept.
func (r *sheetReader) keep(column int, c Cell) error {
	if c.Type == EmptyCell {
		return nil
	}
	if column > r.limits.Columns {
		return refuse(TooLarge, "Row %d has more than %s columns. Take columns out.", r.row, grouped(r.limits.Columns)).at(r.row)
	}
	for len(r.cells) < column-1 {
		r.cells = append(r.cells, Cell{})
	}
	r.cells = append(r.cells, c)
	return nil
}

// content is what the elements of a cell say.
type content struct {
	value, inline string
	valued        bool
	formula       bool
}

// readCell reads a cell to its end.
func (r *sheetReader) readCell(start xml.StartElement) (Cell, error) {
	var c content
	for {
		token, err := r.markup.inside()
		if err != nil {
			return Cell{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				c.value, err = r.markup.text()
				c.valued = true
			case "f":
				c.formula = true
				err = r.markup.skip()
			case "is":
				c.inline, err = r.markup.rich("is")
			default:
				err = r.markup.skip()
			}
		case xml.EndElement:
			return r.typed(start, c)
		}
		if err != nil {
			return Cell{}, err
		}
	}
}

// typed gives a cell its type and value.
func (r *sheetReader) typed(start xml.StartElement, c content) (Cell, error) {
	cell := Cell{Formula: c.formula}
	kind := attribute(start, "t")
	switch kind {
	case "inlineStr":
		cell.Value = c.inline
	case "str":
		cell.Value = unescape(c.value)
	case "s":
		if !c.valued {
			return Cell{}, nil
		}
		i, err := strconv.Atoi(strings.TrimSpace(c.value))
		text, ok, readErr := r.book.shared.at(i)
		if readErr != nil {
			return Cell{}, readErr
		}
		if err != nil || !ok {
			return Cell{}, r.wrong("has a cell in row %d with a text %q that the workbook lacks", r.row, c.value)
		}
		cell.Value = text
	default:
		return r.valued(start, c, kind), nil
	}
	if utf8.RuneCountInString(cell.Value) > r.limits.Characters {
		return Cell{}, refuse(TooLarge, "A cell of row %d has more than %s characters. Shorten it.", r.row, grouped(r.limits.Characters)).at(r.row)
	}
	switch {
	case cell.Value != "":
		cell.Type = TextCell
	case c.formula && !c.valued && kind != "inlineStr":
		cell.Type = UncalculatedCell
	}
	return cell, nil
}

// valued gives a cell that is no text its type and value.
func (r *sheetReader) valued(start xml.StartElement, c content, kind string) Cell {
	value := strings.TrimSpace(c.value)
	cell := Cell{Formula: c.formula, Value: value}
	if value == "" {
		if c.formula {
			cell.Type = UncalculatedCell
		}
		return cell
	}
	switch kind {
	case "b":
		cell.Type, cell.Value = BooleanCell, strconv.FormatBool(value == "1" || value == "true")
		if value != "0" && value != "1" && value != "true" && value != "false" {
			return cell.broken(value)
		}
	case "e":
		cell.Type = ErrorCell
	case "d":
		d, err := ParseDate(value, DateRules{})
		if err != nil {
			return cell.broken(value)
		}
		cell.Type, cell.Time, cell.Shown = DateCell, d.Time, value
	default:
		return r.number(start, cell)
	}
	return cell
}

// number gives a number its format.
func (r *sheetReader) number(start xml.StartElement, cell Cell) Cell {
	if !isNumeral(cell.Value) {
		return cell.broken(cell.Value)
	}
	var f format
	if s := attribute(start, "s"); s != "" {
		if style, err := strconv.Atoi(s); err == nil && style >= 0 && style < len(r.book.formats) {
			f = r.book.formats[style]
		}
	}
	cell.Value = decimal(strings.TrimPrefix(cell.Value, "+"))
	cell.Type, cell.Percent, cell.Shown = NumberCell, f.percent, f.shown(cell.Value)
	if !f.date {
		return cell
	}
	var ok bool
	if at, is := serialClock(cell.Value); is && !r.book.since1904 {
		return Cell{Type: TextCell, Value: at, Formula: cell.Formula}
	}
	if cell.Time, ok = serialTime(cell.Value, r.book.since1904); !ok {
		cell.Type, cell.Problem = BrokenCell, "has the format of a date and a number that is none"
		return cell
	}
	cell.Type, cell.Shown = DateCell, cell.Time.Format(time.RFC3339)
	if day, midnight := strings.CutSuffix(cell.Shown, "T00:00:00Z"); midnight {
		cell.Shown = day
	}
	return cell
}

func (c Cell) broken(value string) Cell {
	c.Type, c.Value, c.Problem = BrokenCell, value, "has a value that is not of its type"
	return c
}

// isNumeral reports whether a text is a number as a sheet stores it.
func isNumeral(s string) bool {
	rest, exponent, ok := cutExponent(strings.TrimLeft(s, "+-"))
	if !ok || exponent == nil && strings.ContainsAny(rest, "eE") {
		return false
	}
	whole, decimals, _ := strings.Cut(rest, ".")
	return len(s)-len(strings.TrimLeft(s, "+-")) <= 1 && whole+decimals != "" && allDigits(whole) && allDigits(decimals)
}

// merge keeps a range of merged cells.
func (r *sheetReader) merge(ref string) error {
	first, last, _ := strings.Cut(ref, ":")
	if last == "" {
		last = first
	}
	var m Range
	var ok, too bool
	m.FirstRow, m.FirstColumn, ok = readRef(first)
	m.LastRow, m.LastColumn, too = readRef(last)
	if !ok || !too || len(r.merged) >= maxMerged {
		return r.wrong("has merged cells %q that are no range, or too many of them", ref)
	}
	r.merged = append(r.merged, m)
	return nil
}

// readRef reads a reference such as B3.
func readRef(ref string) (row, column int, ok bool) {
	i := 0
	for ; i < len(ref) && 'A' <= ref[i] && ref[i] <= 'Z' && i < 5; i++ {
		column = column*26 + int(ref[i]-'A') + 1
	}
	row, err := strconv.Atoi(ref[i:])
	return row, column, err == nil && i > 0 && row > 0 && row <= maxRow && isDigit(rune(ref[i]))
}

// unescape turns the escapes of a sheet's texts, as _x000D_ for CR, into their characters.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if escape := s[i:min(i+7, len(s))]; len(escape) == 7 && escape[:2] == "_x" && escape[6] == '_' {
			if code, err := strconv.ParseUint(escape[2:6], 16, 16); err == nil && utf8.ValidRune(rune(code)) {
				b.WriteRune(rune(code))
				i += 6
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
