package api

import (
	"iter"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/field"
)

// write responds with one JSON value. Unavailable: it is large, and no bytes are left for it.
func write(c *request, status int, body any) error {
	r := newResponse(c)
	defer r.close()
	if err := json.MarshalWrite(r, body, json.Deterministic(true)); err != nil {
		return err
	}
	r.send(status)
	return nil
}

// writeBytes responds with bytes that are few, or that all such responses share. A client that has
// gone is not an error.
func writeBytes(c *request, status int, contentType string, data []byte) {
	writeHead(c, status, contentType, len(data))
	_, _ = c.Writer.Write(data)
}

// created responds 201 with a new record.
func created(c *request, body any, err error) error {
	if err != nil {
		return err
	}
	return write(c, http.StatusCreated, body)
}

// ok responds 200 with a record or a result.
func ok(c *request, body any, err error) error {
	if err != nil {
		return err
	}
	return write(c, http.StatusOK, body)
}

// each is a JSON array of what body makes of each record. It makes one at a time while it is written,
// because a report may have 200,000.
type each[T, Body any] struct {
	records []T
	body    func(T) Body
}

// MarshalJSONTo implements json.MarshalerTo.
func (e each[T, Body]) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for i := range e.records {
		if err := json.MarshalEncode(to, e.body(e.records[i])); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndArray)
}

// encoder appends the JSON of a record.
type encoder[T any] func(b []byte, record *T) ([]byte, error)

// encoded makes an encoder of the function that makes a record's body.
func encoded[T, Body any](body func(T) Body) encoder[T] {
	return func(b []byte, record *T) ([]byte, error) {
		data, err := json.Marshal(body(*record))
		return append(b, data...), err
	}
}

// with makes an encoder of one object with the members of two.
func with[T any](members, more encoder[T]) encoder[T] {
	return func(b []byte, record *T) ([]byte, error) {
		b, err := members(b, record)
		if err != nil {
			return b, err
		}
		end := len(b) - 1
		if b, err = more(b[:end], record); err != nil {
			return b, err
		}
		b[end] = ',' // in the place of a brace
		return b, nil
	}
}

// of makes an encoder of the record that is in another value.
func of[T, R any](fields field.List[R], in func(*T) *R) encoder[T] {
	return func(b []byte, value *T) ([]byte, error) { return fields.Append(b, in(value)) }
}

// usualAnswer is room for the record of most answers.
const usualAnswer = 256

// answer responds with a record.
func answer[T any](c *request, status int, record T, encode encoder[T], err error) error {
	if err != nil {
		return err
	}
	data, err := encode(make([]byte, 0, usualAnswer), &record)
	if err != nil {
		return err
	}
	writeBytes(c, status, "application/json", data)
	return nil
}

// list responds with a sequence as a JSON array, of which it holds one piece at a time. An error
// before the first piece is an ordinary error response; a later one closes the connection. A client that has
// gone is not an error. Unavailable: the list is long, and no bytes are left for it.
func list[T any](c *request, records iter.Seq2[T, error], encode encoder[T]) error {
	c.Header("Content-Type", "application/json")
	piece := make([]byte, 0, freeResponse+freeResponse/8)
	separator := byte('[')
	held := c.api.responses.Reserve(c.client())
	defer held.Release()
	var record T // one for all, because an encoder takes a pointer
	for one, err := range records {
		if err != nil {
			return err
		}
		record = one
		piece = append(piece, separator)
		separator = ','
		if piece, err = encode(piece, &record); err != nil {
			return err // a damaged database can hold text that is not UTF-8
		}
		if c.Request.Method == http.MethodHead {
			break
		}
		if len(piece) < freeResponse {
			continue
		}
		if held.Held() == 0 {
			if err := held.Grow(listHeld); err != nil {
				return err
			}
		}
		if _, err := c.Writer.Write(piece); err != nil {
			return nil
		}
		piece = piece[:0]
	}
	c.Status(http.StatusOK)
	if c.Request.Method == http.MethodHead {
		return nil
	}
	if separator == '[' {
		piece = append(piece, '[')
	}
	_, _ = c.Writer.Write(append(piece, ']'))
	return nil
}
