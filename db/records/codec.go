package records

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/money"
)

// codec writes a record or reads one. A function of records.go passes each field of a record to it, so
// that one place has the names of the fields and their order.
//
// It reads only records that it wrote itself. A decoder of any JSON takes ten times as long.
type codec struct {
	reading bool
	record  []byte // the written part, or the part to read, from the brace or comma before the next field
	wrong   bool   // the bytes are not such a record
}

// encoder has room for a usual record.
func encoder() codec { return codec{record: make([]byte, 0, 256)} }

func decoder(record []byte) codec { return codec{reading: true, record: record} }

// written returns the record after its last field.
func (c *codec) written() []byte { return append(c.record, '}') }

// whole reports whether the record was read to its end and was right.
func (c *codec) whole() bool { return !c.wrong && string(c.record) == "}" }

// name writes the part before a value.
func (c *codec) name(name string) {
	if len(c.record) == 0 {
		c.record = append(c.record, '{')
	} else {
		c.record = append(c.record, ',')
	}
	c.record = append(c.record, '"')
	c.record = append(c.record, name...)
	c.record = append(c.record, '"', ':')
}

// value reads the next field as written, "0" if it has another name.
func (c *codec) value(name string) []byte {
	if value, is := cutName(c.record, name); is {
		if end := endOf(value); end > 0 {
			c.record = value[end:]
			return value[:end]
		}
	}
	c.wrong = true
	return []byte("0")
}

// failed records that a value could not be read.
func (c *codec) failed(err error) { c.wrong = c.wrong || err != nil }

// cutName removes the name of a field and the characters around it.
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

func integer[T ~int | ~int64](c *codec, name string, v *T) {
	if !c.reading {
		c.name(name)
		c.record = strconv.AppendInt(c.record, int64(*v), 10)
		return
	}
	read, err := strconv.ParseInt(string(c.value(name)), 10, 64)
	c.failed(err)
	*v = T(read)
}

// str writes a text. Of a damaged text it writes the valid part.
func str[T ~string](c *codec, name string, v *T) {
	if !c.reading {
		c.name(name)
		c.record, _ = jsontext.AppendQuote(c.record, *v)
		return
	}
	read, err := jsontext.AppendUnquote(nil, c.value(name))
	c.failed(err)
	*v = T(read)
}

func flag(c *codec, name string, v *bool) {
	if !c.reading {
		c.name(name)
		c.record = strconv.AppendBool(c.record, *v)
		return
	}
	switch string(c.value(name)) {
	case "true":
		*v = true
	case "false":
		*v = false
	default:
		c.wrong = true
	}
}

func amount(c *codec, name string, v *money.Amount) {
	if !c.reading {
		c.name(name)
		c.record = v.AppendTo(c.record)
		return
	}
	read, err := money.ParseAmount(string(c.value(name)))
	c.failed(err)
	*v = read
}

func price(c *codec, name string, v *money.Price) {
	if !c.reading {
		c.name(name)
		c.record = v.AppendTo(c.record)
		return
	}
	read, err := money.ParsePrice(string(c.value(name)))
	c.failed(err)
	*v = read
}

func date(c *codec, name string, v *time.Time) {
	if !c.reading {
		c.name(name)
		c.record = append(c.record, '"')
		c.record = append(v.AppendFormat(c.record, time.RFC3339Nano), '"')
		return
	}
	read, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(c.value(name)))
	c.failed(err)
	*v = read
}

// bits is a hash in hexadecimal.
func bits(c *codec, name string, v []byte) {
	written := hex.EncodeToString(v)
	str(c, name, &written)
	if c.reading {
		read, err := hex.DecodeString(written)
		c.failed(err)
		c.wrong = c.wrong || copy(v, read) != len(v) || len(read) != len(v)
	}
}

// null writes or reads null for an absent value, and reports whether it did.
func (c *codec) null(name string, unsaid bool) bool {
	if !c.reading {
		if unsaid {
			c.name(name)
			c.record = append(c.record, "null"...)
		}
		return unsaid
	}
	value, is := cutName(c.record, name)
	if rest, isNull := bytes.CutPrefix(value, []byte("null")); is && isNull {
		c.record = rest
		return true
	}
	return false
}

// integerOrNull writes 0, an absent number, as null.
func integerOrNull[T ~int | ~int64](c *codec, name string, v *T) {
	if !c.null(name, *v == 0) {
		integer(c, name, v)
	}
}

// textOrNull writes "", an absent text, as null.
func textOrNull[T ~string](c *codec, name string, v *T) {
	if !c.null(name, *v == "") {
		str(c, name, v)
	}
}

// dateOrNull writes the zero time, which means never, as null.
func dateOrNull(c *codec, name string, v *time.Time) {
	if !c.null(name, v.IsZero()) {
		date(c, name, v)
	}
}
