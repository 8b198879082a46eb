package verify

import (
	"context"
	"daybook/db/records"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
)

// sessions checks that no session lasts longer than one that begins now, or than its
// token. The journal does not tell of sessions, so nothing else holds them.
func (v *verifier) sessions(ctx context.Context, q *gen.Queries, now time.Time) error {
	latest := now.Add(access.SessionLength).UnixMicro()
	rows, err := q.ListLongSessions(ctx, latest, records.MostFindings)
	for _, row := range rows {
		limit := "its token"
		if row.ExpiresAt > latest {
			limit = "any that begins now"
		}
		v.Findings.Add("sessions", 0, "one of token %d ends at %s, later than %s",
			row.TokenID, time.UnixMicro(row.ExpiresAt).UTC().Format(time.RFC3339Nano), limit)
	}
	return err
}
