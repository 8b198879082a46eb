package api

import (
	"iter"
	"net/url"
	"slices"

	"daybook/internal/fault"
	"daybook/internal/field"
)

// form is the fields of a request, from a JSON object or a query, and the errors in them. Reading goes
// on after a wrong field, so that a client learns of all at once.
type form struct {
	fields []formField
	ofBody bool   // they are from a JSON object, in which a name that is read must come once
	twice  string // such a name that came more than once; "" if none did
	wrong  fault.Fields
	read   map[string]bool // the names that were read; nil where nobody asks
}

type formField struct {
	name  string
	value field.Value
}

// queryForm is the form of a request's query. An empty parameter counts as absent. A malformed query
// is an error, so that no filter is lost unnoticed.
func queryForm(c *request) *form {
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	f := valuesForm(query)
	if err != nil {
		f.wrong.Add("query", "must be URL-encoded: %v", err)
	}
	return f
}

func valuesForm(query url.Values) *form {
	f := &form{}
	for name, values := range query {
		for _, v := range values {
			if v != "" {
				f.set(name, field.Value{Kind: field.Untyped, Text: v})
			}
		}
	}
	return f
}

func (f *form) set(name string, v field.Value) { f.fields = append(f.fields, formField{name, v}) }

// named yields the values of a field. Only a query can have several. Null counts as absent.
func (f *form) named(name string) iter.Seq[field.Value] {
	if f.read != nil {
		f.read[name] = true
	}
	return func(yield func(field.Value) bool) {
		times := 0
		for _, sent := range f.fields {
			if sent.name != name {
				continue
			}
			times++
			if times > 1 && f.ofBody {
				f.twice = name
				return
			}
			if sent.value.Kind != 'n' && !yield(sent.value) {
				return
			}
		}
	}
}

// Get returns a field if it is present. A field that is given twice is an error.
func (f *form) Get(name string) (v field.Value, found bool) {
	times := 0
	for given := range f.named(name) {
		if times == 0 {
			v = given
		}
		times++
	}
	if times > 1 {
		f.wrong.Add(name, "must be given once, not %d times", times)
	}
	return v, times > 0
}

// inner is the form in a field that holds an object; empty if the field is absent. Errors: invalidJSON.
func (f *form) inner(name string) (*form, error) {
	v, found := f.Get(name)
	if !found {
		return &form{}, nil
	}
	if v.Kind != '{' {
		f.wrong.Add(name, "must be an object, got %s", v)
		return &form{}, nil
	}
	inside, err := parseBody([]byte(v.Text))
	return inside.object, err
}

// alias reads a field under a second name. Both names at once are an error, because they could differ.
func (f *form) alias(name, second string) {
	v, found := f.Get(second)
	if !found {
		return
	}
	if _, both := f.Get(name); both {
		f.wrong.Add(second, "must not be given beside %s", name)
		return
	}
	f.fields = slices.DeleteFunc(f.fields, func(sent formField) bool { return sent.name == name }) // it is null
	f.set(name, v)
}

// err is Invalid with all wrong fields, or nil if there are none. Errors as repeated.
func (f *form) err() error {
	if err := f.repeated(); err != nil {
		return err
	}
	return f.wrong.Err()
}

// repeated is the error of a body in which a name that was read came more than once. Errors: invalidJSON.
func (f *form) repeated() error {
	if f.twice == "" {
		return nil
	}
	return fault.New(invalidJSON, "the body has the field %q more than once; send it once", f.twice)
}

// required reads a field that must be present.
func required[T any](f *form, name string, read field.Reader[T]) T {
	v, found := f.Get(name)
	if !found {
		f.wrong.Add(name, "must be given")
		var none T
		return none
	}
	return readField(f, name, v, read)
}

// optional reads a field that has a default.
func optional[T any](f *form, name string, fallback T, read field.Reader[T]) T {
	v, found := f.Get(name)
	if !found {
		return fallback
	}
	return readField(f, name, v, read)
}

// maybe reads a field that may be absent; then it is nil.
func maybe[T any](f *form, name string, read field.Reader[T]) *T {
	v, found := f.Get(name)
	if !found {
		return nil
	}
	t := readField(f, name, v, read)
	return &t
}

func readField[T any](f *form, name string, v field.Value, read field.Reader[T]) T {
	t, err := read(v)
	f.wrong.Check(name, err)
	return t
}
