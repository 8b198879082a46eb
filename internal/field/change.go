package field

import (
	"strings"

	"daybook/internal/fault"
)

// Part is some fields of a record. The zero Part has none.
type Part[R any] struct {
	record R
	fields List[R]
}

// Change sets the fields To of a record. Was are the values that the writer saw.
type Change[R any] struct{ To, Was Part[R] }

// Part is the named fields of a record.
func (l List[R]) Part(record R, names ...string) Part[R] {
	return Part[R]{record: record, fields: l.Select(names...)}
}

// ReadPart reads the fields that a client sent. It adds every one that breaks its rule.
func (l List[R]) ReadPart(from Values, wrong *fault.Fields) (part Part[R]) {
	for _, f := range l {
		if f.from == store {
			continue
		}
		if v, found := from.Get(f.Name); found {
			wrong.Check(f.Name, f.read(&part.record, v))
			part.fields = append(part.fields, f)
		}
	}
	return part
}

// Check is Invalid when a change sets no field.
func (l List[R]) Check(change Change[R]) error {
	if len(change.To.fields) > 0 {
		return nil
	}
	var names []string
	for _, f := range l {
		if f.from != store {
			names = append(names, f.Name)
		}
	}
	var fields fault.Fields
	fields.Add(names[0], "must be given, or %s", strings.Join(names[1:], " or "))
	return fields.Err()
}

// Apply returns the record after the change. ChangedSince, without the newest entry: it does not have the
// values that the writer saw.
func (c Change[R]) Apply(record R) (R, error) {
	var others fault.Fields
	for _, f := range c.Was.fields {
		if !f.same(&c.Was.record, &record) {
			is, printed := f.value(&record)
			others = append(others, fault.Detail{Field: f.Name, Message: "is now " + printed, Is: is})
		}
	}
	for _, f := range c.To.fields {
		f.copy(&record, &c.To.record)
	}
	return record, others.As(fault.ChangedSince)
}
