package intake

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// row is a row of a file as the values of a record.
type row struct {
	tables.Record
	columns    []string
	at         map[string]int // the number of a column, from 1
	csv        bool
	references map[string]*Reference // by the column of the id
	spellings  map[string]*Spelling  // by the field
	wrong      fault.Fields
	unresolved []bulk.Finding
}

func newRow(references []Reference, spellings []Spelling) *row {
	r := &row{references: map[string]*Reference{}, spellings: map[string]*Spelling{}}
	for i := range references {
		r.references[references[i].ID] = &references[i]
	}
	for i := range spellings {
		r.spellings[spellings[i].Field] = &spellings[i]
	}
	return r
}

// name sets the names of the columns.
func (r *row) name(columns []string) {
	r.columns, r.at = columns, make(map[string]int, len(columns))
	for i, name := range columns {
		r.at[name] = i + 1
	}
}

// has reports whether a column is filled.
func (r *row) has(column string) bool { return r.Cell(r.at[column]).Type != tables.EmptyCell }

// value returns the value of a column, if it is filled.
func (r *row) value(column string) (v field.Value, found bool) {
	switch c := r.Cell(r.at[column]); c.Type {
	case tables.EmptyCell:
		return v, false
	case tables.NumberCell:
		return field.Value{Kind: '0', Text: c.Value}, true
	case tables.BooleanCell:
		return field.Value{Kind: jsontext.Kind(c.Value[0]), Text: c.Value}, true
	case tables.TextCell:
		if r.csv {
			return field.Value{Kind: field.Untyped, Text: tables.Unguard(c.Value)}, true
		}
		return field.Value{Kind: '"', Text: c.Value}, true
	default:
		return field.Value{Kind: '[', Text: c.Text()}, true
	}
}

// Get implements field.Values.
func (r *row) Get(name string) (v field.Value, found bool) {
	if reference := r.references[name]; reference != nil {
		return r.reference(reference)
	}
	v, found = r.value(name)
	spelling := r.spellings[name]
	if spelling == nil {
		return v, found
	}
	if !found {
		v, found = r.value(spelling.Column)
	}
	if word, is := spelling.Words[strings.ToLower(strings.TrimSpace(v.Text))]; is {
		return word, found
	}
	return v, found
}

// reference returns the id of another record, from its id or its code.
func (r *row) reference(ref *Reference) (field.Value, bool) {
	id, byID := r.value(ref.ID)
	code, byCode := r.value(ref.Code)
	switch {
	case byID && byCode:
		r.refuse(ref.Code, code, bulk.AmbiguousReference, "%s must not be given beside %s", ref.Code, ref.ID)
	case byCode:
		n, known := ref.Codes.find(strings.TrimSpace(code.Text))
		if !known {
			r.refuse(ref.Code, code, bulk.UnknownReference, "there is no %s with the code %s", ref.Code, text.Shorten(code.Text))
		}
		return field.Value{Kind: '0', Text: strconv.FormatInt(n, 10)}, true
	case byID:
		if n, err := field.AnyID[int64]()(id); err == nil && !ref.Codes.has(n) {
			r.refuse(ref.ID, id, bulk.UnknownReference, "there is no record with the %s %d", ref.ID, n)
		}
	}
	return id, byID
}

func (r *row) refuse(column string, v field.Value, code bulk.Code, format string, args ...any) {
	r.unresolved = append(r.unresolved, bulk.Finding{Line: r.Line, Field: column, Value: text.Shorten(v.Text), Code: code, Message: fmt.Sprintf(format, args...)})
}
