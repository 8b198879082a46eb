package api

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/fault"
)

// The bounds of a JSON value: how many arrays and objects may stand inside each other,
// and how many fields an object may have.
const (
	mostLevels = 32
	mostFields = 1024
)

// forms is a parsed body: nothing, one object, or an array of such.
type forms struct {
	object  *form // nil when there is none
	absent  bool  // the body is empty
	wrapped bool  // it is an array
	several bool  // it is an array of two or more; only the first was read
}

// only returns the one object. InvalidJSON: there is none, or more.
func (f forms) only() (*form, error) {
	switch {
	case f.absent:
		return nil, notJSON(io.EOF)
	case f.several:
		return nil, fault.New(invalidJSON, "the body must hold one JSON object, not several")
	case f.object == nil:
		return nil, fault.New(invalidJSON, "the body must hold one JSON object, not an empty array")
	}
	return f.object, nil
}

// parseBody reads exactly one JSON value, an object or an array of at most one object,
// in valid UTF-8, without duplicate names and within the bounds. It stops at the second
// element of an array. InvalidJSON.
func parseBody(body []byte) (f forms, err error) {
	if err := withinBounds(body); err != nil {
		return f, err
	}
	d := newDecoder(body)
	defer d.keep(len(body))
	p := parser{d.Decoder, string(body)}
	switch p.PeekKind() {
	case '{':
		f.object, err = p.object()
	case '[':
		f.wrapped = true
		f.object, f.several, err = p.array()
	default:
		if _, err := p.ReadToken(); err != nil {
			return f, notJSON(err)
		}
		return f, fault.New(invalidJSON, "the body must be a JSON object")
	}
	if err != nil || f.several {
		return f, err
	}
	if _, err := p.ReadToken(); !errors.Is(err, io.EOF) {
		return f, fault.New(invalidJSON, "the body must hold one JSON value and nothing after it")
	}
	return f, nil
}

// withinBounds refuses a body that has more levels, or more fields in an object, than
// there may be. It takes the body for JSON: up to where it is not, the counts are right.
// It allocates nothing, so that nothing is allocated for what is refused. InvalidJSON.
func withinBounds(body []byte) error {
	var commas [mostLevels + 1]int // in the object that is open at each level
	var inObject [mostLevels + 1]bool
	level, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case quoted && b == '\\':
			i++ // the next byte is of the text
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == ',':
			commas[level]++
			if inObject[level] && commas[level] == mostFields {
				return fault.New(invalidJSON, "an object of the body has more than %d fields", mostFields)
			}
		case b == '[' || b == '{':
			level++
			if level > mostLevels {
				return fault.New(invalidJSON, "the body nests arrays and objects more than %d levels deep", mostLevels)
			}
			commas[level], inObject[level] = 0, b == '{'
		case b == ']' || b == '}':
			level--
			if level < 0 {
				return nil // it is not JSON, which its parser says
			}
		}
	}
	return nil
}

// decoder is a decoder and the buffer that it reads. Both are kept for the next body:
// most of what a decoder allocates is the place for the names of an object.
type decoder struct {
	*jsontext.Decoder
	body bytes.Buffer
}

var decoders = sync.Pool{New: func() any { return &decoder{Decoder: jsontext.NewDecoder(&bytes.Buffer{})} }}

func newDecoder(body []byte) *decoder {
	d, _ := decoders.Get().(*decoder) // nothing else is put there
	d.body = *bytes.NewBuffer(body)
	d.Reset(&d.body)
	return d
}

// keep lets the next body have the decoder, without the body that it has read. A decoder
// that has read a large body is not kept, because its place for names may be large too.
func (d *decoder) keep(read int) {
	if read > freeBody {
		return
	}
	d.body = bytes.Buffer{}
	d.Reset(&d.body)
	decoders.Put(d)
}

// parser reads a body. The fields it finds are parts of its one text.
type parser struct {
	*jsontext.Decoder
	text string
}

// array reads an array of at most one object. When there is a second element, it reads
// no further.
func (p parser) array() (first *form, several bool, err error) {
	if _, err := p.ReadToken(); err != nil {
		return nil, false, notJSON(err)
	}
	if p.PeekKind() == '{' {
		if first, err = p.object(); err != nil {
			return nil, false, err
		}
		if p.PeekKind() == '{' {
			return first, true, nil
		}
	}
	end, err := p.ReadToken()
	if err != nil {
		return nil, false, notJSON(err)
	}
	if end.Kind() != ']' {
		return nil, false, fault.New(invalidJSON, "the array must hold JSON objects only")
	}
	return first, false, nil
}

func (p parser) object() (*form, error) {
	if _, err := p.ReadToken(); err != nil {
		return nil, notJSON(err)
	}
	const usual = 12 // more fields than a record has
	object := &form{fields: make([]formField, 0, usual)}
	for p.PeekKind() != '}' {
		name, err := p.value()
		if err != nil {
			return nil, notJSON(err)
		}
		v, err := p.value()
		if err != nil {
			return nil, notJSON(err)
		}
		object.set(name.text, v)
	}
	_, err := p.ReadToken()
	return object, err
}

// value reads the next value, or the next name.
func (p parser) value() (value, error) {
	raw, err := p.ReadValue()
	if err != nil {
		return value{}, err
	}
	end := int(p.InputOffset())
	text := p.text[end-len(raw) : end]
	switch {
	case raw.Kind() != '"':
	case strings.IndexByte(text, '\\') < 0:
		text = text[1 : len(text)-1]
	default:
		content, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return value{}, err
		}
		text = string(content)
	}
	return value{raw.Kind(), text}, nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(invalidJSON, "the body is empty or ends before its JSON does")
	}
	return fault.New(invalidJSON, "the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}
