// Package idempotency makes the retry of a write safe: a request with a key is done once, and its
// repetitions get the same answer (IETF draft "The Idempotency-Key HTTP Header Field").
//
// It must not know where answers are kept, nor how they are sent.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An answer is kept for KeptFor, unless the answers of its principal take more than KeptBytes
// together. Then the oldest of that principal are forgotten first.
const (
	KeptFor   = 7 * 24 * time.Hour
	KeptBytes = 256 << 20
)

// Key is the name that a client gives a request and all its retries: 1 to 255 printable ASCII
// characters. Two principals may use the same key for different requests.
type Key string

// Local is the principal of requests that need no token.
const Local = "local"

// ParseKey reads a key, bare or as the quoted string of the draft. The error continues the field's
// name.
func ParseKey(raw string) (Key, error) {
	s := strings.TrimSpace(raw)
	if len(s) > 1 && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`) {
		s = s[1 : len(s)-1]
	}
	if len(s) < 1 || len(s) > 255 {
		return "", fmt.Errorf("must have 1 to 255 characters, got %d", len(s))
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return "", errors.New("must be printable ASCII")
		}
	}
	return Key(s), nil
}

// Fingerprint tells requests with the same key apart.
type Fingerprint [32]byte

// Answer is the response to a request.
type Answer struct {
	Status int
	Body   []byte
}

// Request is a request with a key.
type Request struct {
	Principal   string // who sent it: the id of a token, or Local
	Key         Key
	Fingerprint Fingerprint
}

// Size is how much of KeptBytes the answer to a request takes: its body, the key, and an allowance
// for the row that holds both.
func (r Request) Size(a Answer) int64 {
	const row = 256
	return int64(row + len(r.Principal) + len(r.Key) + len(a.Body))
}

// Claim is a request whose work results in a T and is done once. A store that does the work keeps
// the answer in the same transaction. A store that has done it before returns AnsweredError.
type Claim[T any] struct {
	Request
	Answer func(result T) (Answer, error)
}

// AnsweredError is the error of work that was done before: it was not done again.
type AnsweredError struct{ Answer Answer }

func (r *AnsweredError) Error() string { return "the request was answered before" }

// The keys of a context: that there is a claim, and the claim of work that results in a T.
type (
	claimed         struct{}
	claimKey[T any] struct{}
)

// With returns a context in which a write that results in a T is done once, for a request with a
// key. Any other write in it fails.
func With[T any](ctx context.Context, c Claim[T]) context.Context {
	return context.WithValue(context.WithValue(ctx, claimed{}, true), claimKey[T]{}, &c)
}

// WithOne returns a context in which a claim on a write of one T is a claim on a write of many,
// which must write one. Without a claim it returns the context unchanged.
func WithOne[T any](ctx context.Context) context.Context {
	c, _ := ctx.Value(claimKey[T]{}).(*Claim[T])
	if c == nil {
		return ctx
	}
	return With(ctx, Claim[[]T]{Request: c.Request, Answer: func(result []T) (Answer, error) {
		if len(result) != 1 {
			return Answer{}, fmt.Errorf("a request with an Idempotency-Key must write one record, not %d", len(result))
		}
		return c.Answer(result[0])
	}})
}

// ClaimOf returns the claim on a write that results in a T, or nil if the write has no key. It is
// an error if the context has only claims on other writes: the write would be done without its key.
func ClaimOf[T any](ctx context.Context) (*Claim[T], error) {
	c, _ := ctx.Value(claimKey[T]{}).(*Claim[T])
	if c == nil && ctx.Value(claimed{}) != nil {
		var result T
		return nil, fmt.Errorf("a request with an Idempotency-Key made a write that results in a %T, which it did not claim", result)
	}
	return c, nil
}
