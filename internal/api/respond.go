package api

import (
	"bufio"
	"iter"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
)

// write answers with one JSON value.
func write(c *gin.Context, status int, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	writeBytes(c, status, "application/json", data)
	return nil
}

// writeBytes answers with bytes. A client that has gone is nobody's fault.
func writeBytes(c *gin.Context, status int, contentType string, data []byte) {
	c.Header("Content-Type", contentType)
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

// list answers a sequence as a JSON array, of which no more than a piece is ever held.
// An error before the first record is an ordinary refusal; a later one cuts the
// connection.
func list[T, Body any](c *gin.Context, records iter.Seq2[T, error], body func(T) Body) error {
	out := bufio.NewWriterSize(c.Writer, flushAt)
	begun := false
	begin := func() {
		c.Header("Content-Type", "application/json")
		c.Status(http.StatusOK)
		begun = true
	}
	for record, err := range records {
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(body(record))
		if err != nil {
			return err // a damaged file can hold text that is not UTF-8
		}
		separator := byte(',')
		if !begun {
			begin()
			separator = '['
		}
		if c.Request.Method == http.MethodHead {
			return nil
		}
		_ = out.WriteByte(separator)
		if _, err := out.Write(encoded); err != nil {
			return nil // the client has gone
		}
	}
	if !begun {
		begin()
		_ = out.WriteByte('[')
	}
	_ = out.WriteByte(']')
	_ = out.Flush()
	return nil
}
