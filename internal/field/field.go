// Package field says the fields of a record once, as a list:
//
//	var DepartmentFields = field.List[Department]{
//		field.ID("id", func(d *Department) *DepartmentID { return &d.ID }).Assigned(),
//		field.Text("code", ParseDepartmentCode, func(d *Department) *text.Code { return &d.Code }),
//		field.Text("cost_center", text.ParseLabel, func(d *Department) *text.Label { return &d.CostCenter }).Optional(),
//		field.Flag("active", func(d *Department) *bool { return &d.Active }).Default(func(d *Department) { d.Active = true }),
//	}
//
// A field has a name, a kind, the rule of the domain, the place of its value in the record, and a default if a
// client need not send it. All that handles records follows from the list: Read reads a new record, Append
// writes answers and the journal, Scan reads the journal, and a Change sets some of the fields. A field that is
// added to the list is in all of them.
//
// It needs no reflection. It must not know where records come from, nor where they go.
package field

import (
	"bytes"
	"fmt"
	"slices"

	"daybook/internal/fault"
)

// List is the fields of a record, in the order in which they are written.
type List[R any] []Field[R]

// Field is one field of a record R. Its value is a whole number or a text, as a table has it; the kind
// says what it stands for.
type Field[R any] struct {
	Name      string
	opening   string // what stands before its value: ,"name":
	kind      kind
	number    func(*R) int64 // the value, unless the kind is a text
	text      func(*R) string
	setNumber func(*R, int64)
	setText   func(*R, string) error // the error is about a journal that was damaged
	read      func(*R, Value) error  // sets what a client sent, if the rule allows it
	from      source
	otherwise func(*R) // sets the default
	later     bool
	orNull    bool
}

// source is where a new record has the value of a field from.
type source int

const (
	client   source = iota // the client, who must send it
	optional               // the client, or else the default
	store                  // the store
)

// Assigned is the field, set by the store.
func (f Field[R]) Assigned() Field[R] {
	f.from = store
	return f
}

// Optional is the field with the default 0, "", false or never.
func (f Field[R]) Optional() Field[R] { return f.Default(func(*R) {}) }

// Default is the field with a default, which set sets in a record that has none. It may follow from the fields before it.
func (f Field[R]) Default(set func(*R)) Field[R] {
	f.from, f.otherwise = optional, set
	return f
}

// OrNull is the field with null for 0, "" or never, which mean that there is none.
func (f Field[R]) OrNull() Field[R] {
	f.orNull = true
	return f
}

// Later is the field, younger than journals that have records without it. Append leaves it out while it is
// 0, "", false or never, so the record of a value that was stored before keeps its bytes, on which the chain of the
// journal and app verify depend. It comes after all others.
func (f Field[R]) Later() Field[R] {
	f.later = true
	return f
}

// As is the field under another name.
func (f Field[R]) As(name string) Field[R] {
	f.Name, f.opening = name, `,"`+name+`":`
	return f
}

// Named is the list with other names.
func (l List[R]) Named(name func(string) string) List[R] {
	named := make(List[R], len(l))
	for i, f := range l {
		named[i] = f.As(name(f.Name))
	}
	return named
}

// Replace is the list with another field in the place of a named one.
func (l List[R]) Replace(name string, by Field[R]) List[R] {
	replaced := slices.Clone(l)
	replaced[l.index(name)] = by
	return replaced
}

// Select is the named fields of the list, in the order of the names.
func (l List[R]) Select(names ...string) List[R] {
	selected := make(List[R], len(names))
	for i, name := range names {
		selected[i] = l[l.index(name)]
	}
	return selected
}

// index panics for an unknown name, which is a mistake in the program.
func (l List[R]) index(name string) int {
	i := slices.IndexFunc(l, func(f Field[R]) bool { return f.Name == name })
	if i < 0 {
		var record R
		panic(fmt.Sprintf("%T has no field %s", record, name))
	}
	return i
}

// Values are what a client sent.
type Values interface {
	// Get returns the value of a field, if it is there.
	Get(name string) (v Value, found bool)
}

// Read reads a new record. It adds every field that is missing or breaks its rule.
func (l List[R]) Read(from Values, wrong *fault.Fields) (record R) {
	for i := range l {
		f := &l[i]
		if f.from == store {
			continue
		}
		switch v, found := from.Get(f.Name); {
		case found:
			wrong.Check(f.Name, f.read(&record, v))
		case f.from == client:
			wrong.Add(f.Name, "must be given")
		default:
			f.otherwise(&record)
		}
	}
	return record
}

// Append appends a record as a JSON object. The same record has the same bytes in every version of the program. It
// writes the valid part of a text that is not UTF-8, and returns an error.
func (l List[R]) Append(b []byte, record *R) (_ []byte, wrong error) {
	start := len(b)
	for i := range l {
		f := &l[i]
		if f.later && f.none(record) {
			continue
		}
		b = append(b, f.opening...)
		var err error
		if f.orNull && f.none(record) {
			b = append(b, "null"...)
		} else if b, err = f.append(b, record); err != nil {
			wrong = err
		}
	}
	b[start] = '{'
	return append(b, '}'), wrong
}

// Scan reads what Append wrote into an empty record, and reports whether it is such a record. It does not apply
// the rules, which may have become stricter since. A decoder of any JSON takes ten times as long.
func (l List[R]) Scan(written []byte, record *R) bool {
	rest, isObject := bytes.CutPrefix(written, []byte("{"))
	for i := range l {
		f := &l[i]
		opening := f.opening
		if i == 0 {
			opening = opening[1:]
		}
		value, is := bytes.CutPrefix(rest, []byte(opening))
		if !is && f.later {
			continue
		}
		end := endOf(value)
		if !is || end < 1 {
			return false
		}
		if !f.orNull || string(value[:end]) != "null" {
			if f.scan(record, value[:end]) != nil {
				return false
			}
		}
		rest = value[end:]
	}
	return isObject && string(rest) == "}"
}

// endOf returns the position of the end of a value, 0 or less if there is none.
func endOf(value []byte) int {
	if len(value) == 0 || value[0] != '"' {
		return bytes.IndexAny(value, ",}")
	}
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
