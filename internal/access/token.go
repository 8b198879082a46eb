package access

import (
	"fmt"
	"time"

	"daybook/internal/text"
)

// TokenID numbers tokens from 1.
type TokenID int64

// Token permits its bearer what its scope allows. Times are UTC, to the microsecond; a zero
// time means never.
type Token struct {
	ID      TokenID
	Name    text.Name
	Scope   Scope
	Digest  Digest
	Created time.Time
	Expires time.Time
	Revoked time.Time
	// LastUsed is exact to a minute: uses within a minute of it are not recorded.
	LastUsed time.Time
}

// State says whether a token is valid.
type State string

// The states. A revoked token stays revoked, expired or not.
const (
	Good    State = "good"
	Expired State = "expired"
	Revoked State = "revoked"
)

// State returns the state of the token at a time.
func (t Token) State(now time.Time) State {
	switch {
	case !t.Revoked.IsZero():
		return Revoked
	case !t.Expires.IsZero() && !now.Before(t.Expires):
		return Expired
	}
	return Good
}

// valid reports whether the token is good at a time.
func (t Token) valid(now time.Time) bool { return t.State(now) == Good }

// Actor is the name of the token's bearer in the journal.
func (t Token) Actor() string { return fmt.Sprintf("%s (token %d)", t.Name, t.ID) }

// Session is a browser that signed in with a token, and ends with it.
type Session struct {
	Digest  Digest
	Token   TokenID
	Expires time.Time
}

// SessionLength is how long a browser stays signed in.
const SessionLength = 12 * time.Hour
