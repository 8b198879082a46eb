package tables

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// csvReader reads CSV as RFC 4180 says it, with any delimiter and CRLF, LF or CR at the end of
// a line. encoding/csv cannot: it takes a quote inside an unquoted cell for an error, a CR for
// text, changes line breaks inside a cell, skips blank lines, and reads on in an open quote
// until memory is full.
type csvReader struct {
	from      *bufio.Reader
	delimiter byte
	broken    func([]byte) bool // reports bytes that break the encoding
	limits    Limits

	line     int    // the physical line of the next byte
	afterCR  bool   // the last byte was a CR, whose LF does not count again
	record   []byte // the text of the record's cells, one after the other
	ends     []int  // where each cell ends in record
	flaws    []flaw
	cells    []Cell
	finished bool
}

// flaw is a cell that is no value.
type flaw struct {
	cell    int
	problem string
}

// ending says what ended a cell.
type ending uint8

const (
	atDelimiter ending = iota
	atLineEnd
	atFileEnd
)

// ProblemEncoding is the Problem of a BrokenCell whose bytes are not in the encoding under which the file was read.
const ProblemEncoding = "has bytes that are not in the file's encoding"

const (
	problemAfterQuote = "has text after its closing quote"
)

func newCSV(from io.Reader, e Encoding, delimiter byte, l Limits) *csvReader {
	broken := func(cell []byte) bool { return !utf8.Valid(cell) }
	if e != UTF8 {
		broken = func(cell []byte) bool { return strings.ContainsRune(string(cell), utf8.RuneError) }
	}
	return &csvReader{from: bufio.NewReaderSize(from, 64<<10), delimiter: delimiter, broken: broken, limits: l, line: 1}
}

func (r *csvReader) read() (Record, error) {
	if r.finished {
		return Record{}, io.EOF
	}
	r.record, r.ends, r.flaws = r.record[:0], r.ends[:0], r.flaws[:0]
	first := r.line
	for {
		start := len(r.record)
		quoted, end, err := r.cell()
		if err != nil {
			return Record{}, err
		}
		r.finished = end == atFileEnd
		if alone := len(r.ends) == 0 && end != atDelimiter; alone && start == len(r.record) && !quoted {
			if r.finished {
				return Record{}, io.EOF
			}
			return Record{Line: first}, nil
		}
		if err := r.keep(start); err != nil {
			return Record{}, err
		}
		if end != atDelimiter {
			return r.build(first), nil
		}
	}
}

// keep ends the cell that begins at start.
func (r *csvReader) keep(start int) error {
	cell := r.record[start:]
	if len(r.ends) >= r.limits.Columns {
		if len(cell) == 0 {
			return nil
		}
		return refuse(TooLarge, "Line %d has more than %s columns. Check the delimiter, or take columns out.", r.line, grouped(r.limits.Columns)).at(r.line)
	}
	if len(cell) > r.limits.Characters && utf8.RuneCount(cell) > r.limits.Characters {
		return refuse(TooLarge, "A cell that ends on line %d has more than %s characters. Shorten it.", r.line, grouped(r.limits.Characters)).at(r.line)
	}
	if r.broken(cell) {
		r.flaws = append(r.flaws, flaw{len(r.ends), ProblemEncoding})
	}
	r.ends = append(r.ends, len(r.record))
	return nil
}

// build makes the record of the cells that were kept. Their values share one string.
func (r *csvReader) build(line int) Record {
	text, start := string(r.record), 0
	r.cells = r.cells[:0]
	for _, end := range r.ends {
		c := Cell{Value: text[start:end]}
		if start < end {
			c.Type = TextCell
		}
		r.cells = append(r.cells, c)
		start = end
	}
	for _, f := range r.flaws {
		if f.cell < len(r.cells) {
			c := &r.cells[f.cell]
			c.Type, c.Problem, c.Value = BrokenCell, f.problem, shown(c.Value)
		}
	}
	return Record{Line: line, Cells: r.cells}
}

// endOfFile is what next returns in the place of a byte behind the last one.
const endOfFile = -1

// cell reads one cell to the end of r.record, and what ends it.
func (r *csvReader) cell() (quoted bool, end ending, err error) {
	c, err := r.next()
	if err == nil && c == '"' {
		quoted = true
		if c, err = r.quoted(); err == nil && !r.closes(c) {
			r.flaws = append(r.flaws, flaw{len(r.ends), problemAfterQuote})
		}
	}
	for ; err == nil; c, err = r.next() {
		if r.closes(c) {
			end, err = r.ending(c)
			return quoted, end, err
		}
		if len(r.record) >= r.limits.Record {
			return quoted, 0, refuse(TooLarge, "The record that ends on line %d has more than %s. Shorten it.", r.line, bytesOf(int64(r.limits.Record))).at(r.line)
		}
		r.record = append(r.record, byte(c))
	}
	return quoted, 0, err
}

// quoted reads the text of a quoted cell to the end of r.record, and returns the byte behind
// the closing quote.
func (r *csvReader) quoted() (int, error) {
	open := r.line
	for {
		c, err := r.next()
		if err != nil {
			return 0, err
		}
		if c == endOfFile {
			return 0, refuse(Malformed, "The quote that opens on line %d is never closed. Close it, or take it out.", open).at(open)
		}
		if c == '"' {
			if c, err = r.next(); err != nil || c != '"' {
				return c, err
			}
		}
		if len(r.record) >= r.limits.Record {
			return 0, refuse(Malformed, "The quote that opens on line %d is not closed within %s. Close it, or take it out.", open, bytesOf(int64(r.limits.Record))).at(open)
		}
		r.record = append(r.record, byte(c))
	}
}

// closes reports whether a byte outside quotes ends a cell.
func (r *csvReader) closes(c int) bool {
	return c == int(r.delimiter) || c == '\n' || c == '\r' || c == endOfFile
}

// ending says what the byte at the end of a cell ends. It takes the LF of a CRLF too.
func (r *csvReader) ending(c int) (ending, error) {
	switch c {
	case int(r.delimiter):
		return atDelimiter, nil
	case endOfFile:
		return atFileEnd, nil
	case '\r':
		switch following, err := r.from.Peek(1); {
		case err == nil && following[0] == '\n':
			_, err = r.next()
			return atLineEnd, err
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		}
	}
	return atLineEnd, nil
}

// next returns the next byte, and counts the lines.
func (r *csvReader) next() (int, error) {
	b, err := r.from.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		return endOfFile, nil
	case err != nil:
		return 0, err
	case b == 0:
		return 0, refuse(Malformed, "Line %d has a zero byte, which no text has. Save the file again as CSV UTF-8.", r.line).at(r.line)
	case b == '\r' || b == '\n' && !r.afterCR:
		r.line++
	}
	r.afterCR = b == '\r'
	return int(b), nil
}
