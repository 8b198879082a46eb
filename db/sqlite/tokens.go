package sqlite

import (
	"context"
	"math"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// CreateToken implements access.Store.
func (s *Store) CreateToken(ctx context.Context, t access.Token) (access.Token, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (access.Token, error) {
		id, err := q.InsertToken(ctx, gen.InsertTokenParams{
			Name: string(t.Name), Scope: string(t.Scope), Digest: t.Digest[:], CreatedAt: t.Created.UnixMicro(),
			ExpiresAt: micros(t.Expires), RevokedAt: micros(t.Revoked), LastUsedAt: micros(t.LastUsed),
		})
		if err != nil {
			return t, err
		}
		t.ID = access.TokenID(id)
		return t, q.tell(ctx, journal.Tokens, id, nil, tokenRecord(t))
	})
}

// Tokens implements access.Store.
func (s *Store) Tokens(ctx context.Context) ([]access.Token, error) {
	return allTokens(ctx, s.reader)
}

func allTokens(ctx context.Context, q *gen.Queries) ([]access.Token, error) {
	rows, err := q.ListTokens(ctx, 0, math.MaxInt64, math.MaxInt64)
	return eachOf(tokenOf, rows, err)
}

// Tokens returns all tokens of a database file by id, the revoked and expired ones too. It
// changes nothing, so that a backup stays what its manifest says. Unavailable: as for Verify, or
// its schema is not what the migrations made.
func Tokens(ctx context.Context, path string) ([]access.Token, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	if f, err = f.current(ctx); err != nil {
		return nil, err
	}
	if err := f.checkSchema(ctx, f.schema.newest()); err != nil {
		return nil, err
	}
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it was only read
	tokens, err := allTokens(ctx, gen.New(db))
	if disturbed := f.undisturbed(); disturbed != nil {
		return nil, disturbed
	}
	return tokens, err
}

// RevokeToken implements access.Store.
func (s *Store) RevokeToken(ctx context.Context, id access.TokenID, at time.Time) (access.Token, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (t access.Token, err error) {
		row, err := q.GetToken(ctx, int64(id))
		if isNoRow(err) {
			return t, noToken(id)
		}
		if err != nil {
			return t, err
		}
		if err := q.DeleteSessionsOfToken(ctx, int64(id)); err != nil {
			return t, err
		}
		if t = tokenOf(row); !t.Revoked.IsZero() {
			return t, nil
		}
		before := tokenRecord(t)
		t.Revoked = at
		if err := q.SetTokenRevoked(ctx, micros(at), int64(id)); err != nil {
			return t, err
		}
		return t, q.tell(ctx, journal.Tokens, int64(id), before, tokenRecord(t))
	})
}

// TokenByDigest implements access.Store.
func (s *Store) TokenByDigest(ctx context.Context, d access.Digest) (access.Token, error) {
	row, err := s.lookups.queries.FindTokenByDigest(ctx, d[:])
	if isNoRow(err) {
		return access.Token{}, fault.New(fault.NotFound, "there is no such token")
	}
	return tokenOf(row), classify(err)
}

// TouchToken implements access.Store. It is no part of the request that bears the
// token, and leaves that one's Idempotency-Key alone.
func (s *Store) TouchToken(ctx context.Context, id access.TokenID, at time.Time) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		touched, err := q.SetTokenUsed(ctx, at.UnixMicro(), int64(id))
		if err == nil && touched == 0 {
			err = noToken(id)
		}
		return err
	})
}

func noToken(id access.TokenID) error {
	return fault.New(fault.NotFound, "there is no token %d", id)
}

func tokenOf(r gen.Token) access.Token {
	return access.Token{
		ID: access.TokenID(r.ID), Name: text.Name(r.Name), Scope: access.Scope(r.Scope), Digest: digestOf(r.Digest),
		Created: time.UnixMicro(r.CreatedAt).UTC(), Expires: moment(r.ExpiresAt),
		Revoked: moment(r.RevokedAt), LastUsed: moment(r.LastUsedAt),
	}
}

// digestOf is the zero digest, which no secret has, where a damaged file holds none.
func digestOf(column []byte) (d access.Digest) {
	if len(column) == len(d) {
		copy(d[:], column)
	}
	return d
}

// micros is the column of a time whose zero means never.
func micros(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return new(t.UnixMicro())
}

// moment is the time of such a column.
func moment(column *int64) time.Time {
	if column == nil {
		return time.Time{}
	}
	return time.UnixMicro(*column).UTC()
}
