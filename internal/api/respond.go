package api

import (
	"iter"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
)

// write answers with one JSON value.
func write(c *gin.Context, status int, body any) error {
	data, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return err
	}
	writeBytes(c, status, "application/json", data)
	return nil
}

// writeBytes answers with bytes. A client that has gone is nobody's fault.
func writeBytes(c *gin.Context, status int, contentType string, data []byte) {
	c.Header("Content-Type", contentType)
	c.Header("Content-Length", strconv.Itoa(len(data)))
	c.Status(status)
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

// flushAt is how much of a list is gathered before it is sent.
const flushAt = 64 << 10

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
// connection.
func list[T any](c *gin.Context, records iter.Seq2[T, error], encode encoder[T]) error {
	c.Header("Content-Type", "application/json")
	piece := make([]byte, 0, flushAt+flushAt/8)
	separator := byte('[')
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
		if len(piece) < flushAt {
			continue
		}
		if _, err := c.Writer.Write(piece); err != nil {
			return nil // the client has gone
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
