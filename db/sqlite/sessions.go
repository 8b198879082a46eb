package sqlite

import (
	"context"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
)

// Like the last use of a token, sessions are no part of the request that changes them,
// and leave its Idempotency-Key alone.

// CreateSession implements access.Store.
func (s *Store) CreateSession(ctx context.Context, session access.Session, now time.Time) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		if err := q.DeleteEndedSessions(ctx, now.UnixMicro()); err != nil {
			return err
		}
		err := q.InsertSession(ctx, session.Digest[:], int64(session.Token), session.Expires.UnixMicro())
		if isForeignKey(err) {
			return noToken(session.Token)
		}
		return err
	})
}

// SessionByDigest implements access.Store.
func (s *Store) SessionByDigest(ctx context.Context, d access.Digest) (access.Session, access.Token, error) {
	row, err := s.reader.FindSessionByDigest(ctx, d[:])
	if isNoRow(err) {
		return access.Session{}, access.Token{}, fault.New(fault.NotFound, "there is no such session")
	}
	if err != nil {
		return access.Session{}, access.Token{}, classify(err)
	}
	return access.Session{
		Digest: d, Token: access.TokenID(row.Session.TokenID), Expires: time.UnixMicro(row.Session.ExpiresAt).UTC(),
	}, tokenOf(row.Token), nil
}

// EndSession implements access.Store.
func (s *Store) EndSession(ctx context.Context, d access.Digest) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		return q.DeleteSession(ctx, d[:])
	})
}
