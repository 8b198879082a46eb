package api

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/fault"
	"daybook/internal/field"
)

// mostFields is how many fields the object of a body may have, so that a body takes little more memory than its
// bytes. Objects inside it may have any number, because they are not kept.
const mostFields = 1024

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

// parseBody reads exactly one JSON value, an object or an array of at most one object, in valid UTF-8. It stops
// at the second element of an array. A name that comes twice is an error only where its field is read, because to
// notice every one would take more memory than the body. Errors: invalidJSON.
func parseBody(body []byte) (forms, error) {
	p := parser{text: string(body)}
	err := json.Unmarshal(body, &p, jsontext.AllowDuplicateNames(true))
	if err == nil || p.several {
		return p.forms, nil
	}
	if p.whole {
		return p.forms, fault.New(invalidJSON, "the body must hold one JSON value and nothing after it")
	}
	if wrong, is := errors.AsType[*fault.Error](err); is {
		return p.forms, wrong
	}
	return p.forms, notJSON(err)
}

// parser reads a body. The fields that it finds are parts of one text.
type parser struct {
	forms
	text  string
	whole bool // one value was read to its end
}

// errSeveral ends the reading of an array at its second element.
var errSeveral = errors.New("the array has a second element")

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (p *parser) UnmarshalJSONFrom(d *jsontext.Decoder) (err error) {
	switch d.PeekKind() {
	case '{':
		p.object, err = p.readObject(d)
	case '[':
		p.wrapped = true
		err = p.readArray(d)
	default:
		if _, err = d.ReadToken(); err == nil {
			err = fault.New(invalidJSON, "the body must be a JSON object")
		}
	}
	p.whole = err == nil
	return err
}

// readArray reads an array of at most one object. It stops at a second element.
func (p *parser) readArray(d *jsontext.Decoder) (err error) {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if d.PeekKind() == '{' {
		if p.object, err = p.readObject(d); err != nil {
			return err
		}
		if d.PeekKind() == '{' {
			p.several = true
			return errSeveral
		}
	}
	end, err := d.ReadToken()
	if err == nil && end.Kind() != ']' {
		err = fault.New(invalidJSON, "the array must hold JSON objects only")
	}
	return err
}

func (p *parser) readObject(d *jsontext.Decoder) (*form, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	const usual = 12 // more fields than a record has
	object := &form{fields: make([]formField, 0, usual), ofBody: true}
	for d.PeekKind() != '}' {
		if len(object.fields) == mostFields {
			return nil, fault.New(invalidJSON, "the body has more than %d fields", mostFields)
		}
		name, err := p.readValue(d)
		if err != nil {
			return nil, err
		}
		v, err := p.readValue(d)
		if err != nil {
			return nil, err
		}
		object.set(name.Text, v)
	}
	_, err := d.ReadToken()
	return object, err
}

// readValue reads the next value, or the next name.
func (p *parser) readValue(d *jsontext.Decoder) (field.Value, error) {
	raw, err := d.ReadValue()
	if err != nil {
		return field.Value{}, err
	}
	end := int(d.InputOffset())
	text := p.text[end-len(raw) : end]
	switch {
	case raw.Kind() != '"':
	case strings.IndexByte(text, '\\') < 0:
		text = text[1 : len(text)-1]
	default:
		content, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return field.Value{}, err
		}
		text = string(content)
	}
	return field.Value{Kind: raw.Kind(), Text: text}, nil
}

// notJSON is the error of a body that is no JSON value, or more than one.
func notJSON(err error) error {
	wrong, is := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fault.New(invalidJSON, "the body is empty or ends before its JSON does")
	case is:
		err = wrong
	}
	return fault.New(invalidJSON, "the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}
