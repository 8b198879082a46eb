package verify

import (
	"context"
	"daybook/db/records"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
)

// sessions checks that no session lasts longer than its token, or longer than a session that begins
// now. The journal does not record sessions, so this is the only check.
func (v *verifier) sessions(ctx context.Context, q *gen.Queries, now time.Time) error {
	latest := now.Add(access.SessionLength).UnixMicro()
	rows, err := q.ListLongSessions(ctx, latest, records.MostFindings)
	for _, row := range rows {
		limit := "its token"
		if row.ExpiresAt > latest {
			limit = "a session that begins now"
		}
		v.Findings.Add("sessions", 0, "a session of token %d ends at %s, later than %s",
			row.TokenID, time.UnixMicro(row.ExpiresAt).UTC().Format(time.RFC3339Nano), limit)
	}
	return err
}
