package tables

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader reads objects: one after the other, or the elements of one array.
type jsonReader struct {
	from    *countedLines
	decoder *jsontext.Decoder
	inArray bool
	started bool
	limits  Limits

	columns map[string]int // from 0
	order   []string
	cells   []Cell
}

func newJSON(from io.Reader, f Format, l Limits) *jsonReader {
	r := &jsonReader{
		from:    &countedLines{from: bufio.NewReaderSize(from, 64<<10), most: l.Record, line: 1},
		inArray: f == JSON, limits: l, columns: map[string]int{},
	}
	r.decoder = jsontext.NewDecoder(r.from, jsontext.AllowInvalidUTF8(true))
	r.from.consumed = r.decoder.InputOffset
	return r
}

func (r *jsonReader) names() []string { return r.order }

func (r *jsonReader) read() (Record, error) {
	if r.inArray && !r.started {
		if _, err := r.decoder.ReadToken(); err != nil {
			return Record{}, r.explain(err)
		}
	}
	r.started = true
	token, err := r.decoder.ReadToken()
	if err != nil {
		return Record{}, r.explain(err)
	}
	start := r.decoder.InputOffset() - 1
	line := r.from.lineOf(start)
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return r.members(start, line)
	case jsontext.KindEndArray:
		return Record{}, r.end()
	}
	return Record{}, refuse(Malformed, "Line %d has a value that is no object. Each record must be an object such as {\"amount\":1}.", line).at(line)
}

// end looks at what follows the array.
func (r *jsonReader) end() error {
	_, err := r.decoder.ReadToken()
	if err == nil {
		line := r.from.lineOf(r.decoder.InputOffset())
		return refuse(Malformed, "Line %d goes on behind the end of the array. Put all records into one array.", line).at(line)
	}
	return r.explain(err)
}

// members reads the members of an object into the cells of their columns.
func (r *jsonReader) members(start int64, line int) (Record, error) {
	r.cells = r.cells[:0]
	for {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return Record{}, r.explain(err)
		}
		if name.Kind() == jsontext.KindEndObject {
			return Record{Line: line, Cells: r.cells}, nil
		}
		column, err := r.column(name.String(), line)
		if err != nil {
			return Record{}, err
		}
		value, err := r.decoder.ReadValue()
		if err != nil {
			return Record{}, r.explain(err)
		}
		for len(r.cells) <= column {
			r.cells = append(r.cells, Cell{})
		}
		if r.cells[column] = jsonCell(value); utf8.RuneCountInString(r.cells[column].Value) > r.limits.Characters {
			return Record{}, refuse(TooLarge, "A text of the record on line %d has more than %s characters. Shorten it.", line, grouped(r.limits.Characters)).at(line)
		}
		if r.decoder.InputOffset()-start > int64(r.limits.Record) {
			return Record{}, refuse(TooLarge, "The record on line %d has more than %s. Shorten it.", line, bytesOf(int64(r.limits.Record))).at(line)
		}
	}
}

// column returns the column of a name, a new one where the name is new.
func (r *jsonReader) column(name string, line int) (int, error) {
	column, known := r.columns[name]
	if known {
		return column, nil
	}
	if len(r.order) >= r.limits.Columns || len(name) > r.limits.Characters {
		return 0, refuse(TooLarge, "Line %d has more than %s names, or too long a name. Give each record the same few names.", line, grouped(r.limits.Columns)).at(line)
	}
	column = len(r.order)
	name = strings.Clone(name)
	r.columns[name], r.order = column, append(r.order, name)
	return column, nil
}

// jsonCell returns a value as a cell.
func jsonCell(v jsontext.Value) Cell {
	switch v.Kind() {
	case jsontext.KindNull:
		return Cell{}
	case jsontext.KindTrue, jsontext.KindFalse:
		return Cell{Type: BooleanCell, Value: string(v)}
	case jsontext.KindNumber:
		return Cell{Type: NumberCell, Value: decimal(string(v)), Shown: decimal(string(v))}
	case jsontext.KindString:
		valid := utf8.Valid(v)
		text, err := jsontext.AppendUnquote(nil, v)
		switch {
		case !valid:
			return Cell{Type: BrokenCell, Value: string(text), Problem: ProblemEncoding}
		case err != nil:
			return Cell{Type: BrokenCell, Value: string(text), Problem: "has an escape that is no character"}
		case len(text) == 0:
			return Cell{}
		}
		return Cell{Type: TextCell, Value: string(text)}
	}
	return Cell{Type: BrokenCell, Value: string(v), Problem: "is a list or an object, not one value"}
}

// decimal returns a number of JSON or of a sheet without an exponent, where that is not too
// long. The number is in JSON's form.
func decimal(s string) string {
	mantissa, exponent, found := strings.Cut(strings.ToLower(s), "e")
	power := 0
	if found {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil || power > maxExponent || power < -maxExponent {
			return s
		}
	}
	return Shift(mantissa, power)
}

// explain says where the JSON is wrong.
func (r *jsonReader) explain(err error) error {
	if e, ours := errors.AsType[*Error](err); ours {
		return e
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		line := r.from.lineOf(syntax.ByteOffset)
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			return refuse(Malformed, "Line %d has the name %s twice in one record. Take one out.", line, syntax.JSONPointer.LastToken()).at(line)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return refuse(Malformed, "The file ends on line %d in the middle of a record. Get the whole file.", line).at(line)
		}
		return refuse(Malformed, "Line %d is not JSON: %v. Correct it there.", line, syntax.Err).at(line)
	}
	return err
}

// countedLines is a reader that knows on which line an offset is. It refuses to read on where
// more was read than consumed than a record may have.
type countedLines struct {
	from     io.Reader
	consumed func() int64
	most     int

	read    int64
	line    int     // of the offsets before the first of ends
	ends    []int64 // the offsets behind the line ends that nobody asked about yet; that of a CRLF is between the two
	afterCR bool
}

func (c *countedLines) Read(p []byte) (int, error) {
	if c.read-c.consumed() > int64(c.most) {
		line := c.lineOf(c.consumed())
		return 0, refuse(TooLarge, "The record on line %d has more than %s. Shorten it.", line, bytesOf(int64(c.most))).at(line)
	}
	n, err := c.from.Read(p)
	for i, b := range p[:n] {
		switch {
		case b == '\n' && c.afterCR: // the end that the CR has
		case b == '\n' || b == '\r':
			c.ends = append(c.ends, c.read+int64(i)+1)
		}
		c.afterCR = b == '\r'
	}
	c.read += int64(n)
	return n, err
}

// lineOf returns the line of an offset. Offsets must not go back.
func (c *countedLines) lineOf(offset int64) int {
	passed := 0
	for passed < len(c.ends) && c.ends[passed] <= offset {
		passed++
	}
	c.line += passed
	c.ends = append(c.ends[:0], c.ends[passed:]...)
	return c.line
}
