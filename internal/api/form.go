package api

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// form is the fields of a request, from a JSON object or a query, and the errors in them. Reading goes
// on after a wrong field, so that a client learns of all at once.
type form struct {
	fields []formField
	ofBody bool   // they are from a JSON object, in which a name that is read must come once
	twice  string // such a name that came more than once; "" if none did
	wrong  fault.Fields
}

type formField struct {
	name  string
	value value
}

// value is a field as it was sent, with all digits of a number.
type value struct {
	kind jsontext.Kind // of the JSON token; 'q' for a query parameter, which has no type
	text string        // of a string its content, else the token
}

// String is the value as an error message repeats it.
func (v value) String() string {
	if v.kind == '"' {
		return strconv.Quote(text.Shorten(v.text))
	}
	return text.Shorten(v.text)
}

const queryKind jsontext.Kind = 'q'

// queryForm is the form of a request's query. An empty parameter counts as absent. A malformed query
// is an error, so that no filter is lost unnoticed.
func queryForm(c *request) *form {
	f := &form{}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		f.wrong.Add("query", "must be URL-encoded: %v", err)
	}
	for name, values := range query {
		for _, v := range values {
			if v != "" {
				f.set(name, value{queryKind, v})
			}
		}
	}
	return f
}

func (f *form) set(name string, v value) { f.fields = append(f.fields, formField{name, v}) }

// named yields the values of a field. Only a query can have several. Null counts as absent.
func (f *form) named(name string) iter.Seq[value] {
	return func(yield func(value) bool) {
		times := 0
		for _, field := range f.fields {
			if field.name != name {
				continue
			}
			times++
			if times > 1 && f.ofBody {
				f.twice = name
				return
			}
			if field.value.kind != 'n' && !yield(field.value) {
				return
			}
		}
	}
}

// get returns a field if it is present. A field that is given twice is an error.
func (f *form) get(name string) (v value, found bool) {
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
	v, found := f.get(name)
	if !found {
		return &form{}, nil
	}
	if v.kind != '{' {
		f.wrong.Add(name, "must be an object, got %s", v)
		return &form{}, nil
	}
	inside, err := parseBody([]byte(v.text))
	return inside.object, err
}

// alias reads a field under a second name. Both names at once are an error, because they could differ.
func (f *form) alias(name, second string) {
	v, found := f.get(second)
	if !found {
		return
	}
	if _, both := f.get(name); both {
		f.wrong.Add(second, "must not be given beside %s", name)
		return
	}
	f.fields = slices.DeleteFunc(f.fields, func(field formField) bool { return field.name == name }) // it is null
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

// reader turns a value into one of the domain, by the domain's rule. Its error continues the field's
// name.
type reader[T any] func(value) (T, error)

// required reads a field that must be present.
func required[T any](f *form, name string, read reader[T]) T {
	v, found := f.get(name)
	if !found {
		f.wrong.Add(name, "must be given")
		var none T
		return none
	}
	return readField(f, name, v, read)
}

// optional reads a field that has a default.
func optional[T any](f *form, name string, fallback T, read reader[T]) T {
	v, found := f.get(name)
	if !found {
		return fallback
	}
	return readField(f, name, v, read)
}

// maybe reads a field that may be absent; then it is nil.
func maybe[T any](f *form, name string, read reader[T]) *T {
	v, found := f.get(name)
	if !found {
		return nil
	}
	t := readField(f, name, v, read)
	return &t
}

func readField[T any](f *form, name string, v value, read reader[T]) T {
	t, err := read(v)
	f.wrong.Check(name, err)
	return t
}

// str reads a string.
func str[T any](rule func(string) (T, error)) reader[T] {
	return func(v value) (t T, err error) {
		if v.kind != '"' && v.kind != queryKind {
			return t, fmt.Errorf("must be a string, got %s", v)
		}
		return rule(v.text)
	}
}

// decimal reads a numeric string, whose digits all count, or a number, which a client may have
// computed in floats.
func decimal[T any](meant, computed func(string) (T, error)) reader[T] {
	return func(v value) (t T, err error) {
		switch v.kind {
		case '"':
			return meant(v.text)
		case '0', queryKind:
			return computed(v.text)
		}
		return t, fmt.Errorf("must be a number, got %s", v)
	}
}

func amount() reader[money.Amount] { return decimal(money.ParseAmount, money.ParseComputedAmount) }

func price() reader[money.Price] { return decimal(trading.ParsePrice, trading.ParseComputedPrice) }

// whole reads a whole number: 3, 3.0 or "3".
func whole[T any](rule func(int64) (T, error)) reader[T] {
	parse := func(s string) (t T, err error) {
		n, err := money.ParseInteger(s)
		if err != nil {
			return t, err
		}
		return rule(n)
	}
	return decimal(parse, parse)
}

// id reads the id of a record, which need not exist.
func id[T ~int64]() reader[T] {
	return whole(func(n int64) (T, error) { return T(n), nil })
}

// flag reads true or false.
func flag(v value) (bool, error) {
	switch {
	case v.kind == 't' || v.kind == queryKind && strings.EqualFold(v.text, "true"):
		return true, nil
	case v.kind == 'f' || v.kind == queryKind && strings.EqualFold(v.text, "false"):
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, got %s", v)
}
