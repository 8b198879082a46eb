package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
)

// keyHeader is the header of the IETF draft; replayedHeader says that an answer was
// given before.
const (
	keyHeader      = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
)

// fingerprintOfBody is where the fingerprint of a request is left when its body was read,
// so that the body's bytes need not be kept for it.
const fingerprintOfBody = "fingerprint"

// checkKey refuses a key that is none, before any work is done. A read needs no key
// and may bear one. Invalid.
func (a *api) checkKey(c *gin.Context) error {
	raw, sent := c.Request.Header[keyHeader]
	if !sent || a.reads.have(c) {
		return nil
	}
	var fields fault.Fields
	if len(raw) > 1 {
		fields.Add(keyHeader, "must be given once, not %d times", len(raw))
	}
	_, err := idempotency.ParseKey(raw[0])
	fields.Check(keyHeader, err)
	return fields.Err()
}

// once returns the request's context, in which a write is done once when the request
// bears a key. The answer to its record is the body, under the status.
func once[T, Body any](c *gin.Context, status int, body func(T) Body) context.Context {
	ctx := c.Request.Context()
	if c.Request.Header[keyHeader] == nil {
		return ctx
	}
	key, err := idempotency.ParseKey(c.GetHeader(keyHeader))
	if err != nil {
		return ctx // never of a write: checkKey let none pass whose key is no key
	}
	return idempotency.With(ctx, &idempotency.Claim{
		Principal:   gate.Principal(c.Request.Context()),
		Key:         key,
		Fingerprint: fingerprintOf(c),
		Render: func(record any) (idempotency.Answer, error) {
			one, err := theOne[T](record)
			if err != nil {
				return idempotency.Answer{}, err
			}
			data, err := json.Marshal(body(one))
			return idempotency.Answer{Status: status, Body: data}, err
		},
	})
}

// theOne unwraps a record, or the one record of a unit of work that may have many.
func theOne[T any](record any) (one T, err error) {
	if r, is := record.(T); is {
		return r, nil
	}
	if r, is := record.([]T); is && len(r) == 1 {
		return r[0], nil
	}
	return one, fmt.Errorf("a request for one %T resulted in a %T", one, record)
}

// fingerprintOf is the fingerprint of a request, with its body where that was read.
func fingerprintOf(c *gin.Context) idempotency.Fingerprint {
	if left, read := c.Get(fingerprintOfBody); read {
		f, _ := left.(idempotency.Fingerprint) // nothing else is left there
		return f
	}
	return fingerprint(c.Request, nil)
}

// fingerprint tells requests apart: by method, path, query and the bytes of the body.
func fingerprint(r *http.Request, body []byte) idempotency.Fingerprint {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", r.Method, r.URL.RequestURI())
	h.Write(body)
	return idempotency.Fingerprint(h.Sum(nil))
}
