package sqlite

import (
	"context"
	"database/sql"
	"math"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// CreateToken implements access.Store.
func (s *Store) CreateToken(ctx context.Context, t access.Token) (access.Token, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (access.Token, error) {
		id, err := q.InsertToken(ctx, gen.InsertTokenParams{
			Name: string(t.Name), Scope: string(t.Scope), Digest: t.Digest[:], CreatedAt: t.Created.UnixMicro(),
			ExpiresAt: rows.Micros(t.Expires), RevokedAt: rows.Micros(t.Revoked), LastUsedAt: rows.Micros(t.LastUsed),
		})
		if err != nil {
			return t, err
		}
		t.ID = access.TokenID(id)
		return t, q.tell(ctx, journal.Tokens, id, nil, records.Token(t))
	})
}

// Tokens implements access.Store.
func (s *Store) Tokens(ctx context.Context) ([]access.Token, error) {
	return allTokens(ctx, s.reader)
}

func allTokens(ctx context.Context, q *gen.Queries) ([]access.Token, error) {
	found, err := q.ListTokens(ctx, 0, math.MaxInt64, math.MaxInt64)
	return eachOf(rows.Token, found, err)
}

// Tokens returns all tokens of a database file by id, also revoked and expired ones. It changes
// nothing, so that a backup stays as its manifest says. Unavailable: as for verify.Database, or its
// schema is not what the migrations made.
func Tokens(ctx context.Context, path string) ([]access.Token, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	if f, err = f.Current(ctx); err != nil {
		return nil, err
	}
	if err := f.CheckSchema(ctx, f.Schema.Newest()); err != nil {
		return nil, err
	}
	var tokens []access.Token
	err = f.Reading(ctx, func(tx *sql.Tx) (err error) {
		tokens, err = allTokens(ctx, gen.New(tx))
		return err
	})
	if disturbed := f.Unchanged(); disturbed != nil {
		return nil, disturbed
	}
	return tokens, err
}

// RevokeToken implements access.Store.
func (s *Store) RevokeToken(ctx context.Context, id access.TokenID, at time.Time) (access.Token, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (t access.Token, err error) {
		row, err := q.GetToken(ctx, int64(id))
		if err != nil {
			return t, sqlerr.Missing(err, noToken, id)
		}
		if err := q.DeleteSessionsOfToken(ctx, int64(id)); err != nil {
			return t, err
		}
		if t = rows.Token(row); !t.Revoked.IsZero() {
			return t, nil
		}
		before := records.Token(t)
		t.Revoked = at
		if err := q.SetTokenRevoked(ctx, rows.Micros(at), int64(id)); err != nil {
			return t, err
		}
		return t, q.tell(ctx, journal.Tokens, int64(id), before, records.Token(t))
	})
}

// TokenByDigest implements access.Store.
func (s *Store) TokenByDigest(ctx context.Context, d access.Digest) (access.Token, error) {
	row, err := s.lookups.queries.FindTokenByDigest(ctx, d[:])
	return rows.Token(row), sqlerr.Classify(sqlerr.Missing(err, "there is no such token"))
}

// TouchToken implements access.Store. It is not part of the request that carries the token, and does
// not use the request's Idempotency-Key.
func (s *Store) TouchToken(ctx context.Context, id access.TokenID, at time.Time) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		touched, err := q.SetTokenUsed(ctx, at.UnixMicro(), int64(id))
		if err == nil && touched == 0 {
			err = fault.New(fault.NotFound, noToken, id)
		}
		return err
	})
}

const noToken = "there is no token %d"
