// Package idempotency makes the retry of a write safe: a request that bears a key is
// done once, and the answer to it is given again to whoever repeats it (IETF draft
// "The Idempotency-Key HTTP Header Field").
//
// It knows what a claim and an answer are, not where answers are kept nor how they
// travel.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An answer is kept for KeptFor, as long as all answers of its principal together take no
// more than KeptBytes. Beyond that the oldest of that principal are forgotten first.
const (
	KeptFor   = 7 * 24 * time.Hour
	KeptBytes = 256 << 20
)

// Key is what a client calls one request and all its retries: 1 to 255 printable ASCII
// characters. Two principals may use the same key for different requests.
type Key string

// Local is the principal of requests that need no token.
const Local = "local"

// ParseKey reads a key, bare or as the quoted string that the draft asks for. The
// error continues the field's name.
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

// Fingerprint tells one request from another under the same key.
type Fingerprint [32]byte

// Answer is what a request was answered.
type Answer struct {
	Status int
	Body   []byte
}

// Claim is a request that bears a key. A store that does the request's work keeps the
// answer in the same transaction; one that has done it before returns AnsweredError.
type Claim struct {
	Principal   string // who sent the request: the id of a token, or Local
	Key         Key
	Fingerprint Fingerprint
	// Render makes the answer to the record that the work results in.
	Render func(record any) (Answer, error)
}

// Size is how much of KeptBytes an answer takes: its body, its key, and an allowance for
// the row that holds both.
func (c *Claim) Size(a Answer) int64 {
	const row = 256
	return int64(row + len(c.Principal) + len(c.Key) + len(a.Body))
}

// AnsweredError is the error of work that was done before: it was not done again.
type AnsweredError struct{ Answer Answer }

func (r *AnsweredError) Error() string { return "the request was answered before" }

type claimKey struct{}

// With returns a context in which the next write is claimed.
func With(ctx context.Context, c *Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// ClaimOf returns the claim in a context, nil where there is none.
func ClaimOf(ctx context.Context) *Claim {
	c, _ := ctx.Value(claimKey{}).(*Claim)
	return c
}
