package sqlite

import (
	"context"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Like the last use of a token, sessions are not part of the request that changes them,
// and do not use its Idempotency-Key.

// mostRemoved is how many sessions of a kind one sign-in removes, so that it stays short even if there
// are many.
const mostRemoved = 1000

// CreateSession implements access.Store. A token with many sign-ins that wait keeps no other from signing in.
func (s *Store) CreateSession(ctx context.Context, session access.Session, now time.Time) error {
	ctx = journal.With(ctx, journal.Origin{Actor: access.Token{ID: session.Token}.Actor()})
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		if err := q.DeleteEndedSessions(ctx, now.UnixMicro(), mostRemoved); err != nil {
			return err
		}
		err := q.InsertSession(ctx, session.Digest[:], int64(session.Token), session.Expires.UnixMicro())
		if sqlerr.IsForeignKey(err) {
			return fault.New(fault.NotFound, noToken, session.Token)
		}
		if err != nil {
			return err
		}
		return q.DeleteOldestSessions(ctx, gen.DeleteOldestSessionsParams{
			TokenID: int64(session.Token), Begun: session.Digest[:], Kept: access.MostSessions - 1, Most: mostRemoved,
		})
	})
}

// SessionByDigest implements access.Store.
func (s *Store) SessionByDigest(ctx context.Context, d access.Digest) (access.Session, access.Token, error) {
	row, err := s.lookups.queries.FindSessionByDigest(ctx, d[:])
	if err != nil {
		return access.Session{}, access.Token{}, sqlerr.Classify(sqlerr.Missing(err, "there is no such session"))
	}
	return access.Session{
		Digest: d, Token: access.TokenID(row.Session.TokenID), Expires: time.UnixMicro(row.Session.ExpiresAt).UTC(),
	}, rows.Token(row.Token), nil
}

// EndSession implements access.Store. A request without a session does not reach the writer.
func (s *Store) EndSession(ctx context.Context, d access.Digest) error {
	if _, _, err := s.SessionByDigest(ctx, d); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return nil
		}
		return err
	}
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		return q.DeleteSession(ctx, d[:])
	})
}
