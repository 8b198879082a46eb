package api

import (
	"iter"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
)

// write answers with one JSON value. Unavailable: it is large, and there is no room for it.
func write(c *gin.Context, status int, body any) error {
	a := newAnswer(c)
	defer a.close()
	if err := json.MarshalWrite(a, body, json.Deterministic(true)); err != nil {
		return err
	}
	return a.send(status)
}

// writeBytes answers with bytes that are few, or that all such answers share. A client
// that has gone is nobody's fault.
func writeBytes(c *gin.Context, status int, contentType string, data []byte) {
	head(c, status, contentType, len(data))
	_, _ = c.Writer.Write(data)
}

// stored answers 201 with the record that was created.
func stored(c *gin.Context, body any, err error) error {
	if err != nil {
		return err
	}
	return write(c, http.StatusCreated, body)
}

// ok answers 200 with the record.
func ok(c *gin.Context, body any, err error) error {
	if err != nil {
		return err
	}
	return write(c, http.StatusOK, body)
}

// An encoder appends the JSON of a record.
type encoder[T any] func(b []byte, record T) ([]byte, error)

// encoded makes an encoder of what is a record's body.
func encoded[T, Body any](body func(T) Body) encoder[T] {
	return func(b []byte, record T) ([]byte, error) {
		data, err := json.Marshal(body(record))
		return append(b, data...), err
	}
}

// list answers a sequence as a JSON array, of which no more than a piece is ever held.
// An error before anything was sent is an ordinary refusal; a later one cuts the
// connection. Unavailable: the list is long, and there is no room for it.
func list[T any](c *gin.Context, records iter.Seq2[T, error], encode encoder[T]) error {
	c.Header("Content-Type", "application/json")
	piece := make([]byte, 0, freeAnswer+freeAnswer/8)
	separator := byte('[')
	pieces := listPieces{c: c}
	defer pieces.close()
	for record, err := range records {
		if err != nil {
			return err
		}
		piece = append(piece, separator)
		separator = ','
		if piece, err = encode(piece, record); err != nil {
			return err // a damaged file can hold text that is not UTF-8
		}
		if c.Request.Method == http.MethodHead {
			break
		}
		if len(piece) < freeAnswer {
			continue
		}
		if taken, err := pieces.send(piece); !taken {
			return err
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
	piece = append(piece, ']')
	return pieces.end(piece)
}
