package exchange

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/tables"
	"daybook/internal/text"
)

// Format is a format of files that are written.
type Format string

// The formats.
const (
	CSV    Format = "csv"
	XLSX   Format = "xlsx"
	NDJSON Format = "ndjson"
	JSON   Format = "json"
)

// ParseFormat reads the name of a format. The error continues the field's name.
func ParseFormat(raw string) (Format, error) { return text.OneOf(raw, CSV, XLSX, NDJSON, JSON) }

// Form is how a file is written. All but the format is about CSV.
type Form struct {
	Format Format
	Locale string // "" for a comma between cells and decimal points; de, fr and sv for semicolons, decimal commas and a mark of UTF-8
	BOM    bool   // begins with the mark of UTF-8, without which Excel shows other letters
	Raw    bool   // leaves texts that look like formulas as they are
}

// ParseLocale reads the language whose CSV is written. The error continues the field's name.
func ParseLocale(raw string) (string, error) { return text.OneOf(raw, "en", "de", "fr", "sv") }

// commas reports whether numbers have a decimal comma.
func (f Form) commas() bool { return f.Locale != "" && f.Locale != "en" }

// Writer writes records in one format.
type Writer interface {
	Write(record Record) error
	// Close ends the file. It does not close the writer below.
	Close() error
}

// NewWriter begins a file with the header of its columns. The title names the sheet of a workbook.
func NewWriter(to io.Writer, title string, columns []Field, f Form) (Writer, error) {
	cells := cellWriter{columns: columns, types: make([]tables.Type, len(columns)), cells: make([]tables.Cell, len(columns))}
	for i, c := range columns {
		cells.types[i] = cellTypes[c.Value]
	}
	switch f.Format {
	case CSV:
		o := tables.CSVOptions{BOM: f.BOM, Raw: f.Raw}
		if f.commas() {
			o.Delimiter, o.BOM, cells.commas = ';', true, true
		}
		cells.to = tables.NewCSVWriter(to, o)
		return &cells, cells.to.Write(namesAsCells(columns))
	case XLSX:
		names := make([]string, len(columns))
		for i, c := range columns {
			names[i] = c.Name
		}
		sheet, err := tables.NewXLSXWriter(to, names, tables.XLSXOptions{Sheet: title})
		cells.to, cells.instants = sheet, true
		return &cells, err
	}
	return newJSONWriter(to, columns, f.Format == JSON), nil
}

func namesAsCells(columns []Field) []tables.Cell {
	cells := make([]tables.Cell, len(columns))
	for i, c := range columns {
		cells[i] = tables.Cell{Type: tables.TextCell, Value: c.Name}
	}
	return cells
}

// cellWriter writes records as the cells of a table.
type cellWriter struct {
	columns []Field
	types   []tables.Type // of the columns
	cells   []tables.Cell
	to      interface {
		Write(cells []tables.Cell) error
		Close() error
	}
	commas   bool // numbers have a decimal comma
	instants bool // a date needs its instant
}

var cellTypes = map[Value]tables.Type{
	Text: tables.TextCell, Code: tables.TextCell, Decimal: tables.NumberCell, Integer: tables.NumberCell, Flag: tables.BooleanCell,
	Date: tables.DateCell, Side: tables.TextCell, Product: tables.TextCell, Object: tables.TextCell,
}

func (w *cellWriter) Write(record Record) error {
	for i, value := range record {
		cell := &w.cells[i]
		if *cell = (tables.Cell{}); value == "" {
			continue
		}
		of := w.columns[i].Value
		cell.Type, cell.Value = w.types[i], value
		switch {
		case of == Decimal && w.commas:
			cell.Value = strings.Replace(value, ".", ",", 1)
		case of == Date && w.instants:
			instant, err := time.Parse(time.RFC3339Nano, value)
			if err != nil {
				return err
			}
			cell.Time = instant.UTC()
		}
	}
	return w.to.Write(w.cells)
}

func (w *cellWriter) Close() error { return w.to.Close() }

// jsonWriter writes records as the objects that bulk paths take, one a line.
type jsonWriter struct {
	to      io.Writer
	columns []Field
	names   []string // with the quotes and the colon
	array   bool
	begun   bool
	buffer  []byte
}

func newJSONWriter(to io.Writer, columns []Field, array bool) *jsonWriter {
	w := &jsonWriter{to: to, columns: columns, array: array}
	for _, c := range columns {
		name := c.Name
		if c.Value == Side { // interface.md has it as a flag
			name = "type"
		}
		w.names = append(w.names, strconv.Quote(name)+":")
	}
	return w
}

// passed is how many bytes are collected before they are written.
const passed = 64 << 10

func (w *jsonWriter) Write(record Record) (err error) {
	if w.array {
		w.buffer = append(w.buffer, map[bool]string{false: "[\n", true: ",\n"}[w.begun]...)
	}
	w.begun = true
	for i, value := range record {
		w.buffer = append(w.buffer, map[bool]byte{false: ',', true: '{'}[i == 0])
		w.buffer = append(w.buffer, w.names[i]...)
		if w.buffer, err = appendJSON(w.buffer, w.columns[i].Value, value); err != nil {
			return err
		}
	}
	w.buffer = append(w.buffer, '}')
	if !w.array {
		w.buffer = append(w.buffer, '\n')
	}
	if len(w.buffer) < passed {
		return nil
	}
	return w.flush()
}

func appendJSON(b []byte, of Value, value string) ([]byte, error) {
	switch {
	case of == Text:
		return jsontext.AppendQuote(b, value)
	case value == "":
		return append(b, "null"...), nil
	case of == Code:
		return jsontext.AppendQuote(b, value)
	case of == Date:
		return append(append(append(b, '"'), value...), '"'), nil
	case of == Side:
		return strconv.AppendBool(b, value == sideNames[true]), nil
	case of == Product:
		return strconv.AppendInt(b, int64(slices.Index(productNames, value)), 10), nil
	}
	return append(b, value...), nil
}

func (w *jsonWriter) Close() error {
	if w.array {
		w.buffer = append(w.buffer, map[bool]string{false: "[]\n", true: "\n]\n"}[w.begun]...)
	}
	return w.flush()
}

func (w *jsonWriter) flush() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

// SheetRows is the most records that a workbook has room for.
const SheetRows = tables.XLSXRows

// TooManyRows reports whether a file could not be written because a sheet has room for fewer records.
func TooManyRows(err error) bool {
	e, is := errors.AsType[*tables.Error](err)
	return is && e.Reason == tables.TooManyRows
}
