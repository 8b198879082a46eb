package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zones, on a machine that has none

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// Map says how the columns and cells of a file become records. The answers to questions are its fields.
type Map struct {
	Name    string              `json:"name,omitzero"`
	Kind    string              `json:"kind"`
	Form    string              `json:"form,omitzero"` // long or wide; "" takes wide where the header has periods and no amount
	Source  string              `json:"source,omitzero"`
	Read    Reading             `json:"read,omitzero"`
	Columns []Column            `json:"columns,omitzero"`
	Set     map[string]Constant `json:"set,omitzero"`    // the value of a field in every row
	Values  map[string]Words    `json:"values,omitzero"` // by field, what a cell stands for
	Numbers Numbers             `json:"numbers,omitzero"`
	Dates   Dates               `json:"dates,omitzero"`

	Empty      string   `json:"empty,omitzero"`      // keep or clear
	Existing   string   `json:"existing,omitzero"`   // replace, refuse, skip or add
	Duplicates string   `json:"duplicates,omitzero"` // refuse, last or sum
	Match      string   `json:"match,omitzero"`      // id
	FillDown   string   `json:"fill_down,omitzero"`  // repeat or empty
	Total      string   `json:"total,omitzero"`      // check or ignore
	SignRule   string   `json:"sign_rule,omitzero"`  // by_type, debit_credit or credit_debit
	MinorUnit  string   `json:"minor_unit,omitzero"` // divide or refuse
	RowOrder   string   `json:"row_order,omitzero"`  // newest_first or as_written
	Accept     []string `json:"accept,omitzero"`     // codes of doubts that are taken for good
}

// Reading says how the bytes of the file become a table.
type Reading struct {
	Encoding  string `json:"encoding,omitzero"`
	Delimiter string `json:"delimiter,omitzero"`
	Sheet     string `json:"sheet,omitzero"`
	HeaderRow *int   `json:"header_row,omitzero"` // the line of the header; 0 for a file without one
}

// Column gives a column of the file a field of the record.
type Column struct {
	Field    string `json:"field"`
	Header   string `json:"header"`            // finds the column
	Position int    `json:"position,omitzero"` // finds a column with a blank header, and one of several with the same
	By       string `json:"by,omitzero"`       // how a reference is meant: code, or name
	Period   int    `json:"period,omitzero"`   // of a column in the wide form; 0 takes what its header says
}

// Words are what cells stand for, without regard to case. Null skips the row.
type Words map[string]*string

// Numbers says how numbers are written.
type Numbers struct {
	Decimal   string   `json:"decimal,omitzero"`    // . or ,
	OtherMark string   `json:"other_mark,omitzero"` // wrong, or decimal: a number with the other mark is read with it
	Scale     int64    `json:"scale,omitzero"`      // the unit of the amounts: 1000 in a file in thousands
	Round     Constant `json:"round,omitzero"`      // decimals: 2, 4, or 8 of prices; or refuse
	SuffixM   string   `json:"suffix_m,omitzero"`   // thousand or million
	Dash      string   `json:"dash,omitzero"`       // zero or empty
}

// Dates says how dates are written.
type Dates struct {
	Order      string `json:"order,omitzero"`       // dmy or mdy
	Century    int    `json:"century,omitzero"`     // the first of the hundred years of a year with two digits
	Timezone   string `json:"timezone,omitzero"`    // of a time without a zone, as Europe/Madrid; UTC by default
	YearStarts int    `json:"year_starts,omitzero"` // the month in which the fiscal year begins
}

// Constant is a value that a map may say as a string, a number or a flag.
type Constant string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *Constant) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	token, err := d.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '{', '[':
		return errors.New("must be a text or a number")
	case 'n':
		*c = ""
	default:
		*c = Constant(token.String())
	}
	return nil
}

// mostColumns is the most columns of a map, as of a file.
const mostColumns = 1000

// maxMap is the most bytes of a map.
const maxMap = 1 << 20

// ParseMap reads a map of a kind. The error names each place that is wrong.
func ParseMap(written []byte, kind string) (Map, error) {
	m, err := decodeMap(written)
	if err != nil {
		return Map{}, err
	}
	s, known := shapes[kind]
	if !known {
		return Map{}, unknownKind(kind)
	}
	err = m.check(s.matched(&m))
	return m, err
}

// decodeMap reads the JSON of a map.
func decodeMap(written []byte) (m Map, err error) {
	if len(written) > maxMap {
		return m, fault.New(fault.Invalid, "The map has %d bytes, and at most %d are read.", len(written), maxMap)
	}
	err = json.Unmarshal(written, &m, json.RejectUnknownMembers(true))
	if err == nil {
		return m, nil
	}
	place, offset, cause := jsontext.Pointer(""), int64(0), err
	if e, is := errors.AsType[*json.SemanticError](err); is {
		place, offset, cause = e.JSONPointer, e.ByteOffset, e.Err
		if errors.Is(err, json.ErrUnknownName) {
			cause = errors.New("is no member of a map")
		} else if cause == nil {
			cause = errors.New("has the wrong type")
			switch got := string(e.JSONValue); {
			case place == "":
				cause = errors.New("must be a JSON object")
			case got != "":
				cause = fmt.Errorf("has the wrong type, got %s", text.Shorten(got))
			}
		}
	} else if e, is := errors.AsType[*jsontext.SyntacticError](err); is {
		place, offset, cause = e.JSONPointer, e.ByteOffset, fmt.Errorf("is no valid JSON: %w", e.Err)
	}
	where := dotted(place)
	if where == "" {
		where = "map"
	}
	var wrong fault.Fields
	wrong.Add(where, "%v (byte %d of the map)", cause, offset)
	return m, wrong.Err()
}

// dotted writes a place as numbers.decimal.
func dotted(p jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

// check adds every place of a map that breaks a rule.
func (m *Map) check(s *shape) error {
	var wrong fault.Fields
	if m.Kind != s.kind {
		wrong.Add("kind", "must be %s, as the file is read, got %s", s.kind, text.Printable(text.Shorten(m.Kind)))
	}
	for _, word := range []struct{ place, got, of string }{
		{"form", m.Form, "long wide"},
		{"read.encoding", m.Read.Encoding, "utf-8 utf-16le utf-16be windows-1252"},
		{"numbers.decimal", m.Numbers.Decimal, ". ,"},
		{"numbers.other_mark", m.Numbers.OtherMark, "wrong decimal"},
		{"numbers.round", string(m.Numbers.Round), "2 4 8 refuse"},
		{"numbers.suffix_m", m.Numbers.SuffixM, "thousand million"},
		{"numbers.dash", m.Numbers.Dash, "zero empty"},
		{"dates.order", m.Dates.Order, "dmy mdy"},
		{"empty", m.Empty, "keep clear"},
		{"existing", m.Existing, "replace refuse skip add"},
		{"duplicates", m.Duplicates, "refuse last sum"},
		{"match", m.Match, matchID},
		{"fill_down", m.FillDown, "repeat empty"},
		{"total", m.Total, "check ignore"},
		{"sign_rule", m.SignRule, "by_type debit_credit credit_debit"},
		{"minor_unit", m.MinorUnit, "divide refuse"},
		{"row_order", m.RowOrder, "newest_first as_written"},
	} {
		if of := strings.Fields(word.of); word.got != "" && !slices.Contains(of, word.got) {
			wrong.Add(word.place, "must be %s, got %s", strings.Join(of, " or "), text.Printable(text.Shorten(word.got)))
		}
	}
	if len([]rune(m.Name)) > text.MaxCode || strings.Contains(m.Name, "/") {
		wrong.Add("name", "must have at most %d characters and no slash", text.MaxCode)
	}
	if d := m.Read.Delimiter; d != "" && (len(d) != 1 || strings.ContainsAny(d, "\"\r\n")) {
		wrong.Add("read.delimiter", "must be one character, such as ; or a tab")
	}
	if row := m.Read.HeaderRow; row != nil && *row < 0 {
		wrong.Add("read.header_row", "must be a line of the file, or 0 if there is no header, got %d", *row)
	}
	if scale := strconv.FormatInt(m.Numbers.Scale, 10); m.Numbers.Scale != 0 && strings.TrimRight(scale, "0") != "1" || m.Numbers.Scale > 1e9 {
		wrong.Add("numbers.scale", "must be 1, 1000 or another power of ten up to 1000000000, got %d", m.Numbers.Scale)
	}
	if c := m.Dates.Century; c != 0 && (c < 1000 || c > 9900) {
		wrong.Add("dates.century", "must be the first of a hundred years, such as 1950, got %d", c)
	}
	if month := m.Dates.YearStarts; month < 0 || month > 12 {
		wrong.Add("dates.year_starts", "must be a month, 1 to 12, got %d", month)
	}
	if _, err := m.location(); err != nil {
		wrong.Add("dates.timezone", "must be the name of a time zone, such as Europe/Madrid, got %s", text.Printable(text.Shorten(m.Dates.Timezone)))
	}
	m.checkColumns(s, &wrong)
	return wrong.Err()
}

// checkColumns adds what is wrong with the columns, the constants and the words.
func (m *Map) checkColumns(s *shape, wrong *fault.Fields) {
	if len(m.Columns) > mostColumns {
		wrong.Add("columns", "must be at most %d, got %d", mostColumns, len(m.Columns))
		return
	}
	for i, c := range m.Columns {
		place := fmt.Sprintf("columns.%d.", i)
		switch {
		case !s.reads(c.Field):
			wrong.Add(place+"field", "is no field of %s: %s", s.kind, text.Printable(text.Shorten(c.Field)))
		case m.Set[c.Field] != "":
			wrong.Add("set."+c.Field, "is given to a column too")
		}
		if c.Period != 0 && c.Field != fieldPeriod || c.Period < 0 || c.Period > fiscal.Periods {
			wrong.Add(place+"period", "must be 1 to %d, and only of a column with the field period", fiscal.Periods)
		}
		if c.By != "" && c.By != "code" && c.By != "name" {
			wrong.Add(place+"by", "must be code or name, got %s", text.Printable(text.Shorten(c.By)))
		}
		if oneLine(c.Header) == "" && c.Position < 1 {
			wrong.Add(place+"position", "must be given where the header is blank, from 1")
		}
	}
	for field := range m.Set {
		if !s.reads(field) {
			wrong.Add("set."+field, "is no field of %s", s.kind)
		}
	}
	for field := range m.Values {
		if !s.reads(field) {
			wrong.Add("values."+field, "is no field of %s", s.kind)
		}
	}
}

// location is the time zone of times without one.
func (m *Map) location() (*time.Location, error) {
	if m.Dates.Timezone == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(m.Dates.Timezone)
}

// dialect is how the map wants the file read.
func (m *Map) dialect() tables.Dialect {
	d := tables.Dialect{Encoding: tables.Encoding(m.Read.Encoding), Sheet: m.Read.Sheet}
	if m.Read.Delimiter != "" {
		d.Delimiter = m.Read.Delimiter[0]
	}
	return d
}

// Fits reports whether a file has all columns of a map, each by its header, or one with a blank header by its position.
func (m *Map) Fits(columns []Shown) bool {
	for _, want := range m.Columns {
		key, _ := normal(want.Header)
		if !slices.ContainsFunc(columns, func(column Shown) bool {
			of, _ := normal(column.Header)
			return of == key && (key != "" || column.Position == want.Position)
		}) {
			return false
		}
	}
	return len(m.Columns) > 0
}

// Filler repeats the merged cells of a sheet, as a map says that has the positions of its columns. Figures are not
// repeated: they would count twice.
func (m *Map) Filler(merged []tables.Range) *tables.Filler {
	header, positions := 0, []int{}
	if m.Read.HeaderRow != nil {
		header = *m.Read.HeaderRow
	}
	for _, column := range m.Columns {
		if m.FillDown != "empty" && !slices.Contains(numeric, column.Field) {
			positions = append(positions, column.Position)
		}
	}
	return tables.NewFiller(merged, positions, header)
}
