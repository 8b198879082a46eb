package exchange

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"daybook/internal/tables"
	"daybook/internal/text"
)

// Read reads a file whose columns have the names that they have in an interface, with decimal points and dates of ISO
// 8601: nothing in it can mean two things. What Check asks about is a finding of a row here. The records are not
// compared with those that are stored, so that each is new. A trade may lack its date.
//
// Of the map, Read takes Duplicates only. The error is that of a file that cannot be read as a table (*tables.Error), or
// of the store.
func Read(ctx context.Context, source Source) error {
	s := *shapes[source.Kind]
	s.required = slices.DeleteFunc(slices.Clone(s.required), func(column string) bool { return column == colDate })
	k := &check{
		Source: source, ctx: ctx, file: source.File, s: &s, survey: &survey{}, exact: true,
		m:       &Map{Kind: source.Kind, Duplicates: source.Map.Duplicates, MinorUnit: "refuse", Read: Reading{Encoding: string(tables.UTF8)}},
		dialect: tables.Dialect{Delimiter: ','},
	}
	refused, err := k.header()
	if err != nil || refused {
		return err
	}
	if err := k.prepare(); err != nil {
		return err
	}
	return k.read()
}

// header reads the first row of a CSV file as its header. It reports whether a column has no field, which is a finding.
// The names of JSON are read with its records.
func (k *check) header() (refused bool, err error) {
	switch k.file.Format {
	case tables.XLSX:
		return false, &tables.Error{Reason: tables.NotATable, Message: "The file is a workbook. Save its sheet as CSV."}
	case tables.CSV:
	default:
		k.h.named = true
		return false, nil
	}
	rows, err := k.file.Records(k.dialect)
	if err != nil {
		return false, err
	}
	err = each(rows, func(record tables.Record) error {
		k.h.line = record.Line
		names := make([]string, len(record.Cells))
		for i, cell := range record.Cells {
			names[i] = cell.Text()
		}
		k.name(record.Line, names)
		return io.EOF // only the header
	})
	if err != nil {
		return false, err
	}
	for i, one := range k.h.headers {
		if one.key != "" && slices.ContainsFunc(k.h.headers[:i], func(other header) bool { return other.key == one.key }) {
			return false, &tables.Error{Reason: tables.Malformed, Line: k.h.line, Message: fmt.Sprintf("Two columns are called %s. Give each column one name.", text.Printable(text.Shorten(one.key)))}
		}
	}
	if len(k.unknown) == 0 {
		return false, nil
	}
	r := &reading{check: k, record: tables.Record{Line: k.h.line}}
	r.unknownNames()
	return true, k.Each(Row{Line: k.h.line, Result: ResultWrong, Findings: r.found})
}

// name gives the columns of names their fields, those of JSON when a record has new ones.
func (k *check) name(line int, names []string) {
	for i := len(k.h.headers); i < len(names); i++ {
		h := header{text: names[i], key: strings.ToLower(strings.TrimSpace(names[i]))}
		field, known := k.s.exactField(h.key)
		switch {
		case known && field != "":
			k.c.list = append(k.c.list, column{Column: Column{Field: field}, position: i + 1})
		case !known && (h.key != "" || k.h.named):
			if k.unknown == nil {
				k.unknown = map[int]int{}
			}
			k.unknown[i+1] = line
		}
		k.h.headers = append(k.h.headers, h)
	}
}

// exactField is the field with a name. The id of a record is known, but has no field.
func (s *shape) exactField(name string) (field string, known bool) {
	switch {
	case name == "id":
		return "", true
	case name == "type" && s.holds[colSide] == Side:
		return colSide, true
	case slices.Contains(s.columns, name) || slices.Contains(s.extra, name) && slices.Contains(exactExtra, name):
		return name, true
	}
	return "", false
}

// exactExtra are the fields that an interface has beside those of the columns.
var exactExtra = []string{fieldDepartmentID, fieldAccountID, fieldCompanyID, fieldCurrencyID, fieldExternal}

// exactRow reads a row.
func (k *check) exactRow(record tables.Record) error {
	k.current = reading{check: k, record: record} // each row in the same memory, as there may be a million
	r := &k.current
	if k.stage == hashing {
		if k.keyOnly == nil {
			k.keyOnly = make(Record, len(k.s.columns))
		}
		clear(k.keyOnly)
		k.gather(record.Line, r.exactFields(k.s.same, k.keyOnly)) // whether the row is wrong counts later
		return nil
	}
	r.unknownNames()
	r.exactWidth()
	v := r.exactFields(k.s.columns, make(Record, len(k.s.columns)))
	r.missing(v)
	return k.finish(r, []values{v})
}

// exactFields reads some fields of a row into a record, each by the rule of its column.
func (r *reading) exactFields(of []string, into Record) values {
	v := values{Record: into, at: r.places}
	for _, column := range of {
		i := r.places[column]
		switch holds := r.s.holds[column]; {
		case r.s.refs[column] != "":
			v.Record[i] = r.reference(column)
		case column == r.s.currency:
			v.Record[i] = r.money(column)
		case holds == Side:
			v.Record[i] = r.meaning(column, sides)
		case holds == Product:
			v.Record[i] = r.meaning(column, products)
		case holds == Flag:
			v.Record[i] = r.meaning(column, flags)
		default:
			v.Record[i] = r.plainText(column)
		}
		if v.Record[i] == "" && slices.Contains(r.s.key, column) && !slices.Contains(r.s.required, column) {
			v.Record[i] = r.s.defaults(v)[column]
		}
	}
	return v
}

// unknownNames adds the columns without a field that are first named in the row.
func (r *reading) unknownNames() {
	for position := range r.h.headers {
		if line, unknown := r.unknown[position+1]; unknown && line == r.record.Line {
			name := r.h.at(position + 1).text
			r.add(wrong, codeUnknownColumn, name, 0, tables.Cell{}, "No field of %s is called %s. Correct the name, or leave the column out.", r.s.kind, text.Printable(text.Shorten(name)))
		}
	}
}

// exactWidth adds the first filled cell that has no column in the header.
func (r *reading) exactWidth() {
	if r.h.named {
		return
	}
	for i, cell := range r.record.Cells {
		if r.h.at(i+1).key == "" && cell.Type != tables.EmptyCell {
			r.add(wrong, codeFieldCount, "", i+1, cell, "This cell has no column in the header. Check the quotes and the commas of this line.")
			return
		}
	}
}

// new is a record that is compared with no stored one.
func (k *check) new(r *reading, v values) (row Row, is bool, err error) {
	if is, err := k.unique(r, v); err != nil || !is {
		return row, false, err
	}
	row = Row{Line: r.record.Line, Result: ResultNew, After: v.Record, Nth: k.occurrence(v)}
	if slices.Contains(k.s.extra, fieldExternal) {
		row.ExternalID, _, _ = r.text(fieldExternal)
	}
	return row, true, nil
}
