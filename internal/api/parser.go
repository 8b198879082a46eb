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

// The bounds of a JSON value: how deep arrays and objects may nest, and how many fields an object may
// have.
const (
	mostLevels = 32
	mostFields = 1024
)

// forms is a parsed body: nothing, one object, or an array of objects.
type forms struct {
	object  *form // nil when there is none
	absent  bool  // the body is empty
	wrapped bool  // it is an array
	several bool  // it is an array of two or more; only the first was read
}

// only returns the only object. Errors: invalidJSON, if there is none or more than one.
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
// element of an array. Errors: invalidJSON.
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

// withinBounds refuses a body with too many levels, or too many fields in an object. It assumes that
// the body is JSON, and counts correctly up to the first error in it. It allocates nothing, so that
// a refused body costs no memory. Errors: invalidJSON.
func withinBounds(body []byte) error {
	var commas [mostLevels + 1]int // in the object that is open at each level
	var inObject [mostLevels + 1]bool
	level, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case quoted && b == '\\':
			i++ // the next byte is part of the text
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
				return nil // it is not JSON; the parser reports that
			}
		}
	}
	return nil
}

// decoder is a decoder and the buffer that it reads. Both are reused, because a decoder allocates much
// for the names of an object.
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

// keep lets the next body use the decoder. A decoder that has read a large body is not kept, because it
// may hold much memory for names.
func (d *decoder) keep(read int) {
	if read > freeBody {
		return
	}
	d.body = bytes.Buffer{}
	d.Reset(&d.body)
	decoders.Put(d)
}

// parser reads a body. The fields that it finds are parts of one text.
type parser struct {
	*jsontext.Decoder
	text string
}

// array reads an array of at most one object. It stops at a second element.
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
