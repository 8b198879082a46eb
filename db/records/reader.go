package records

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

func Key(department, account, year, period int64) budget.Key {
	return budget.Key{
		DepartmentID: budget.DepartmentID(department),
		AccountID:    budget.AccountID(account),
		Year:         fiscal.Year(year),
		Period:       fiscal.Period(period),
	}
}

// RecordReader reads a record column by column, in the order that records.go writes it. It
// is for many of them: a decoder of any JSON takes ten times as long. Once a column is not
// what it is read as, or not the next, the record is wrong.
type RecordReader struct {
	Rest  []byte // from the brace or comma before the next column
	wrong bool
}

// value is the next column, as it is written; "0" where there is none of that name.
func (r *RecordReader) value(name string) []byte {
	if value, ok := cutName(r.Rest, name); ok {
		if end := endOf(value); end > 0 {
			r.Rest = value[end:]
			return value[:end]
		}
	}
	r.wrong = true
	return []byte("0")
}

// cutName cuts the name of a column, and what is written around it.
func cutName(rest []byte, name string) ([]byte, bool) {
	if len(rest) == 0 || rest[0] != '{' && rest[0] != ',' {
		return nil, false
	}
	for _, part := range [...]string{`"`, name, `":`} {
		if len(rest) <= len(part) || string(rest[1:1+len(part)]) != part {
			return nil, false
		}
		rest = rest[len(part):]
	}
	return rest[1:], true
}

// endOf is where a value ends, not above 0 where it does not.
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

func (r *RecordReader) Integer(name string) int64 {
	v, err := strconv.ParseInt(string(r.value(name)), 10, 64)
	r.wrong = r.wrong || err != nil
	return v
}

func (r *RecordReader) Amount(name string) money.Amount {
	v, err := money.ParseAmount(string(r.value(name)))
	r.wrong = r.wrong || err != nil
	return v
}

func (r *RecordReader) Text(name string) string {
	v, err := jsontext.AppendUnquote(nil, r.value(name))
	r.wrong = r.wrong || err != nil
	return string(v)
}

func (r *RecordReader) Key() budget.Key {
	return Key(r.Integer("department_id"), r.Integer("gl_account_id"), r.Integer("fiscal_year"), r.Integer("fiscal_period"))
}

// Whole reports whether the record was read to its end, and was right.
func (r *RecordReader) Whole() bool { return !r.wrong && string(r.Rest) == "}" }
