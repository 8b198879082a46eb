package access

import (
	"context"
	"time"
)

// MostSessions is the largest number of sessions of a token.
const MostSessions = 64

// Store keeps tokens and sessions. Tokens are journalled without the time of their last
// use; sessions are not. Unavailable: as everywhere.
type Store interface {
	// CreateToken stores a token and returns it with its id.
	CreateToken(ctx context.Context, t Token) (Token, error)
	// Tokens returns all tokens by id, the revoked and expired ones too.
	Tokens(ctx context.Context) ([]Token, error)
	// RevokeToken marks a token as revoked at a time, and ends its sessions. One that
	// was revoked before stays as it is, and is returned. NotFound.
	RevokeToken(ctx context.Context, id TokenID, at time.Time) (Token, error)
	// TokenByDigest returns the token whose secret has the digest. NotFound.
	TokenByDigest(ctx context.Context, d Digest) (Token, error)
	// TouchToken records that a token was used at a time, unless a later one is
	// recorded already. NotFound.
	TouchToken(ctx context.Context, id TokenID, at time.Time) error
	// CreateSession stores a session, and removes those that ended before a time, and those
	// of the token that end soonest, where it would have more than MostSessions.
	// NotFound: its token.
	CreateSession(ctx context.Context, s Session, now time.Time) error
	// SessionByDigest returns the session whose secret has the digest. NotFound.
	SessionByDigest(ctx context.Context, d Digest) (Session, Token, error)
	// EndSession removes a session; one that is gone already is no error.
	EndSession(ctx context.Context, d Digest) error
}
