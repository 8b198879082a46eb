package field

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/money"
	"daybook/internal/text"
)

// kind is what the number or the text of a field stands for.
type kind int

const (
	textKind    kind = iota
	integerKind      // itself
	flagKind         // true above 0
	amountKind       // a money.Amount
	priceKind        // a money.Price
	dateKind         // nanoseconds since 1970
)

// never is the number of the zero time.
const never = math.MinInt64

// Text is a text with a rule. The rule of a field that is Assigned is nil.
func Text[R any, T ~string](name string, rule func(string) (T, error), at func(*R) *T) Field[R] {
	read := String(rule)
	return Field[R]{
		kind:    textKind,
		read:    func(r *R, v Value) (err error) { *at(r), err = read(v); return err },
		text:    func(r *R) string { return string(*at(r)) },
		setText: func(r *R, s string) error { *at(r) = T(s); return nil },
	}.As(name)
}

// Integer is a whole number with a rule.
func Integer[R any, T ~int | ~int64](name string, rule func(int64) (T, error), at func(*R) *T) Field[R] {
	return number(name, integerKind, Whole(rule), at)
}

// ID is the id of a record, which need not exist.
func ID[R any, T ~int64](name string, at func(*R) *T) Field[R] {
	return number(name, integerKind, AnyID[T](), at)
}

// Amount is an amount of money.
func Amount[R any](name string, at func(*R) *money.Amount) Field[R] {
	return number(name, amountKind, Decimal(money.ParseAmount, money.ParseComputedAmount), at)
}

// Price is a price with a rule for what a client meant, and one for what it may have computed in floats.
func Price[R any](name string, meant, computed func(string) (money.Price, error), at func(*R) *money.Price) Field[R] {
	return number(name, priceKind, Decimal(meant, computed), at)
}

// Side is true for 1 and false for -1.
func Side[R any, T ~int64](name string, at func(*R) *T) Field[R] {
	f := number(name, flagKind, func(v Value) (T, error) { is, err := Bool(v); return T(sign(is)), err }, at)
	f.setNumber = func(r *R, n int64) { *at(r) = T(sign(n > 0)) }
	return f
}

func sign(is bool) int64 {
	if is {
		return 1
	}
	return -1
}

func number[R any, T ~int | ~int64](name string, kind kind, read Reader[T], at func(*R) *T) Field[R] {
	return Field[R]{
		kind:      kind,
		read:      func(r *R, v Value) (err error) { *at(r), err = read(v); return err },
		number:    func(r *R) int64 { return int64(*at(r)) },
		setNumber: func(r *R, n int64) { *at(r) = T(n) },
	}.As(name)
}

// Flag is true or false.
func Flag[R any](name string, at func(*R) *bool) Field[R] {
	return Field[R]{
		kind: flagKind,
		read: func(r *R, v Value) (err error) { *at(r), err = Bool(v); return err },
		number: func(r *R) int64 {
			if *at(r) {
				return 1
			}
			return 0
		},
		setNumber: func(r *R, n int64) { *at(r) = n > 0 },
	}.As(name)
}

// Date is an instant in UTC with a rule.
func Date[R any](name string, rule func(string) (time.Time, error), at func(*R) *time.Time) Field[R] {
	read := String(rule)
	return Field[R]{
		kind: dateKind,
		read: func(r *R, v Value) (err error) { *at(r), err = read(v); return err },
		number: func(r *R) int64 {
			if t := at(r); !t.IsZero() {
				return t.UnixNano()
			}
			return never
		},
		setNumber: func(r *R, n int64) { *at(r) = dateOf(n) },
	}.As(name)
}

func dateOf(n int64) time.Time {
	if n == never {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// Hash is bytes in hexadecimal. It is Assigned.
func Hash[R any](name string, at func(*R) []byte) Field[R] {
	return Field[R]{
		kind: textKind,
		text: func(r *R) string { return hex.EncodeToString(at(r)) },
		setText: func(r *R, s string) error {
			read, err := hex.DecodeString(s)
			if err == nil && len(read) != len(at(r)) {
				err = fmt.Errorf("must have %d bytes, got %d", len(at(r)), len(read))
			}
			copy(at(r), read)
			return err
		},
	}.As(name)
}

// none reports whether the value is 0, "", false or never.
func (f *Field[R]) none(of *R) bool {
	switch f.kind {
	case textKind:
		return f.text(of) == ""
	case dateKind:
		return f.number(of) == never
	}
	return f.number(of) == 0
}

// append appends the value as JSON.
func (f *Field[R]) append(b []byte, of *R) ([]byte, error) {
	switch f.kind {
	case textKind:
		return jsontext.AppendQuote(b, f.text(of))
	case dateKind:
		return append(f.appendPlain(append(b, '"'), of), '"'), nil
	}
	return f.appendPlain(b, of), nil
}

// AppendText appends the value as a cell of a file has it: a text as it is, and nothing for none.
func (f *Field[R]) AppendText(b []byte, of *R) []byte {
	if f.orNull && f.none(of) {
		return b
	}
	return f.appendPlain(b, of)
}

func (f *Field[R]) appendPlain(b []byte, of *R) []byte {
	switch f.kind {
	case textKind:
		b = append(b, f.text(of)...)
	case integerKind:
		b = strconv.AppendInt(b, f.number(of), 10)
	case flagKind:
		b = strconv.AppendBool(b, f.number(of) > 0)
	case amountKind:
		b = money.Amount(f.number(of)).AppendTo(b)
	case priceKind:
		b = money.Price(f.number(of)).AppendTo(b)
	case dateKind:
		b = dateOf(f.number(of)).AppendFormat(b, time.RFC3339Nano)
	}
	return b
}

// scan reads what append wrote.
func (f *Field[R]) scan(into *R, written []byte) (err error) {
	var n int64
	switch f.kind {
	case textKind:
		s, err := jsontext.AppendUnquote(nil, written)
		if err != nil {
			return err
		}
		return f.setText(into, string(s))
	case integerKind:
		n, err = strconv.ParseInt(string(written), 10, 64)
	case flagKind:
		var is bool
		if is = string(written) == "true"; !is && string(written) != "false" {
			err = fmt.Errorf("must be true or false, got %s", written)
		}
		n = max(sign(is), 0)
	case amountKind:
		var amount money.Amount
		amount, err = money.ParseAmount(string(written))
		n = int64(amount)
	case priceKind:
		var price money.Price
		price, err = money.ParsePrice(string(written))
		n = int64(price)
	case dateKind:
		var date time.Time
		date, err = time.Parse(`"`+time.RFC3339Nano+`"`, string(written))
		if n = date.UnixNano(); date.IsZero() {
			n = never
		}
	}
	f.setNumber(into, n)
	return err
}

// same reports whether two records have the same value.
func (f *Field[R]) same(a, b *R) bool {
	if f.kind == textKind {
		return f.text(a) == f.text(b)
	}
	return f.number(a) == f.number(b)
}

// copy sets the value to that of another record.
func (f *Field[R]) copy(into, from *R) {
	if f.kind == textKind {
		_ = f.setText(into, f.text(from)) // it is a valid value
		return
	}
	f.setNumber(into, f.number(from))
}

// value is the value as a JSON encoder takes it, and in a sentence.
func (f *Field[R]) value(of *R) (v any, printed string) {
	switch f.kind {
	case textKind:
		return f.text(of), strconv.Quote(text.Shorten(f.text(of)))
	case flagKind:
		v = f.number(of) > 0
	case amountKind:
		v = money.Amount(f.number(of))
	case priceKind:
		v = money.Price(f.number(of))
	case dateKind:
		v = dateOf(f.number(of))
	default:
		v = f.number(of)
	}
	return v, fmt.Sprint(v)
}
