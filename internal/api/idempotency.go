package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"

	"daybook/internal/fault"
	"daybook/internal/idempotency"
)

// keyHeader is the header of the IETF draft; replayedHeader says that an answer was given before.
const (
	keyHeader      = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
)

// checkKey checks the key of a write.
func checkKey(c *request, wrong *fault.Fields) {
	if raw, sent := header(c, keyHeader, wrong); sent {
		_, err := idempotency.ParseKey(raw)
		wrong.Check(keyHeader, err)
	}
}

// once returns the context of a write that results in a T. The write is done once if the request has
// a key; the answer is the T, with the status.
func once[T any](c *request, status int, encode encoder[T]) context.Context {
	ctx := c.Request.Context()
	if c.Request.Header[keyHeader] == nil {
		return ctx
	}
	key, err := idempotency.ParseKey(c.GetHeader(keyHeader))
	if err != nil {
		return ctx // checkKey refused every write with such a key
	}
	request := idempotency.Request{Principal: c.principal(), Key: key, Fingerprint: fingerprintOf(c)}
	return idempotency.With(ctx, idempotency.Claim[T]{Request: request, Answer: func(result T) (idempotency.Answer, error) {
		data, err := encode(make([]byte, 0, usualAnswer), &result)
		return idempotency.Answer{Status: status, Body: data}, err
	}})
}

// fingerprintOf is the fingerprint of a request, with its body if that was read.
func fingerprintOf(c *request) idempotency.Fingerprint {
	if c.fingerprint != nil {
		return *c.fingerprint
	}
	return fingerprint(c.Request, nil)
}

// fingerprint is over method, path, query and the bytes of the body.
func fingerprint(r *http.Request, body []byte) idempotency.Fingerprint {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", r.Method, r.URL.RequestURI())
	h.Write(body)
	return idempotency.Fingerprint(h.Sum(nil))
}
