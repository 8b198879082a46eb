package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/sorted"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// readHeader reads the names of the columns of a CSV file.
func (r *reader[R]) readHeader(row *row, records *tables.Reader) error {
	header, err := records.Read()
	for err == nil && header.Blank() {
		header, err = records.Read()
	}
	if err != nil {
		return refusal(err)
	}
	names := make([]string, len(header.Cells))
	for i, c := range header.Cells {
		names[i] = strings.ToLower(strings.TrimSpace(c.Text()))
		if names[i] != "" && slices.Index(names, names[i]) < i {
			return fault.New(Unreadable, "two columns are called %s; give each column one name", text.Shorten(names[i]))
		}
	}
	row.csv, row.Record = true, header
	row.name(names)
	r.checkNames(row)
	if r.result.Total > 0 {
		r.result.Counts.Wrong = 1
	}
	return r.result.Refused()
}

// checkNames adds a finding for each column that no field has, once.
func (r *reader[R]) checkNames(row *row) {
	for _, name := range row.columns {
		said := func(f bulk.Finding) bool { return f.Field == name && f.Code == bulk.UnknownColumn }
		if !r.knows(name) && !slices.ContainsFunc(r.result.Findings, said) {
			r.result.Add(bulk.Finding{Line: row.Line, Field: name, Code: bulk.UnknownColumn, Message: "no field has this name; correct it, or leave the column out"})
		}
	}
}

// knows reports whether a field has a name. The id of a record is passed over.
func (r *reader[R]) knows(name string) bool {
	return slices.ContainsFunc(r.kind.Fields, func(f field.Field[R]) bool { return f.Name == name }) ||
		slices.ContainsFunc(r.kind.References, func(ref Reference) bool { return ref.Code == name }) ||
		slices.ContainsFunc(r.kind.Spellings, func(s Spelling) bool { return s.Column == name })
}

// checkCells adds a finding for each cell that holds no value, or that has no column.
func (r *reader[R]) checkCells(row *row) {
	for i, c := range row.Cells {
		switch {
		case c.Type == tables.EmptyCell:
		case i >= len(row.columns) || row.columns[i] == "":
			r.result.Add(bulk.Finding{Line: row.Line, Value: text.Shorten(c.Text()), Code: bulk.FieldCount, Message: "this cell has no column in the header"})
			return
		case c.Type == tables.BrokenCell:
			r.result.Add(bulk.Finding{Line: row.Line, Field: row.columns[i], Value: text.Shorten(c.Text()), Code: bulk.BadEncoding, Message: row.columns[i] + " " + c.Problem})
		}
	}
}

// note adds the findings of the fields of a row.
func (r *reader[R]) note(row *row) {
	for _, f := range row.unresolved {
		r.result.Add(f)
	}
	for _, wrong := range row.wrong {
		v, found := row.value(wrong.Field)
		r.result.Add(bulk.Finding{Line: row.Line, Field: wrong.Field, Value: text.Shorten(v.Text), Code: codeOf(wrong.Message, found), Message: wrong.Field + " " + wrong.Message})
	}
	row.unresolved, row.wrong = row.unresolved[:0], row.wrong[:0]
}

// codeOf is the code of a rule that a value breaks. The rules say it only in words.
func codeOf(message string, found bool) bulk.Code {
	if !found && message == "must be given" {
		return bulk.Missing
	}
	for _, rule := range []struct {
		begins string
		code   bulk.Code
	}{
		{"must be a number", bulk.NotANumber},
		{"must be a whole number", bulk.NotANumber},
		{"must be a date", bulk.NotADate},
		{"must be one of", bulk.UnknownWord},
		{"must be true or false", bulk.UnknownWord},
		{"must have at most", bulk.OutOfRange},
		{"must be within", bulk.OutOfRange},
		{"must be 0 ", bulk.OutOfRange},
		{"must be 1 ", bulk.OutOfRange},
		{"must be 1900", bulk.OutOfRange},
		{"must be in the years", bulk.OutOfRange},
	} {
		if strings.HasPrefix(message, rule.begins) {
			return rule.code
		}
	}
	return bulk.InvalidValue
}

// checkGroup looks at rows with equal keys.
func (r *reader[R]) checkGroup(group []sorted.Entry) {
	last := group[len(group)-1].Line
	switch r.options.Duplicates {
	case bulk.LastDuplicate:
		r.skipped += int64(len(group) - 1)
	case bulk.SumDuplicates:
		if _, err := r.joined(group); err != nil {
			code := bulk.OutOfRange
			if errors.Is(err, ErrOtherCurrency) {
				code = bulk.CurrencyMismatch
			}
			r.result.Counts.Wrong++
			r.result.Add(bulk.Finding{Line: last, Code: code, Message: err.Error()})
		}
	default:
		for i := 1; i < len(group); i++ {
			r.result.Counts.Wrong++
			r.result.Add(bulk.Finding{Line: group[i].Line, Code: bulk.DuplicateInFile, Message: fmt.Sprintf("line %d has the same key", group[i-1].Line)})
		}
	}
}

// joined returns the record of rows with equal keys: the last, with the sum of their amounts where that is wanted.
func (r *reader[R]) joined(group []sorted.Entry) (record R, err error) {
	from := len(group) - 1
	if r.options.Duplicates == bulk.SumDuplicates {
		from = 0
	}
	for i, e := range group[from:] {
		var one R
		if !r.kind.Fields.Scan(e.Written, &one) {
			return one, fmt.Errorf("line %d was changed on the disk", e.Line)
		}
		if i > 0 {
			err = cmp.Or(err, r.kind.Join(&one, &record))
		}
		record = one
	}
	return record, err
}
