package field

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/money"
	"daybook/internal/text"
)

// Value is a field as a client sent it, with all digits of a number.
type Value struct {
	Kind jsontext.Kind // of the JSON token; Untyped if it is none
	Text string        // of a string its content, else the token
}

// Untyped is the kind of a text that may stand for any type: a parameter of a query, or a cell of a file.
const Untyped jsontext.Kind = 'q'

// String is the value as an error message repeats it.
func (v Value) String() string {
	if v.Kind == '"' {
		return strconv.Quote(text.Shorten(v.Text))
	}
	return text.Shorten(v.Text)
}

// Reader turns a value into one of the domain, by the domain's rule. Its error continues the field's
// name.
type Reader[T any] func(Value) (T, error)

// String reads a string.
func String[T any](rule func(string) (T, error)) Reader[T] {
	return func(v Value) (t T, err error) {
		if v.Kind != '"' && v.Kind != Untyped {
			return t, fmt.Errorf("must be a string, got %s", v)
		}
		return rule(v.Text)
	}
}

// Decimal reads a numeric string, whose digits all count, or a number, which a client may have
// computed in floats.
func Decimal[T any](meant, computed func(string) (T, error)) Reader[T] {
	return func(v Value) (t T, err error) {
		switch v.Kind {
		case '"':
			return meant(v.Text)
		case '0', Untyped:
			return computed(v.Text)
		}
		return t, fmt.Errorf("must be a number, got %s", v)
	}
}

// Whole reads a whole number: 3, 3.0 or "3".
func Whole[T any](rule func(int64) (T, error)) Reader[T] {
	parse := func(s string) (t T, err error) {
		n, err := money.ParseInteger(s)
		if err != nil {
			return t, err
		}
		return rule(n)
	}
	return Decimal(parse, parse)
}

// AnyID reads the id of a record, which need not exist.
func AnyID[T ~int64]() Reader[T] {
	return Whole(func(n int64) (T, error) { return T(n), nil })
}

// Bool reads true or false.
func Bool(v Value) (bool, error) {
	switch {
	case v.Kind == 't' || v.Kind == Untyped && strings.EqualFold(v.Text, "true"):
		return true, nil
	case v.Kind == 'f' || v.Kind == Untyped && strings.EqualFold(v.Text, "false"):
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, got %s", v)
}
