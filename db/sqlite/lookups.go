package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
)

// lookups are connections that find tokens and sessions. They have no other work, so that
// no request waits for lists and reports to learn whose it is.
type lookups struct {
	*sql.DB
	prepared map[string]*sql.Stmt // by the text of the query
	queries  *gen.Queries         // those that are prepared
}

// lookupsAtOnce is how many connections that is. A lookup takes some 20 us, so two serve
// more requests than the writer or the readers can.
const lookupsAtOnce = 2

// openLookups prepares no other query, because each that is prepared makes the start longer.
func openLookups(ctx context.Context, f file.File) (*lookups, error) {
	db, err := f.Open(ctx, "ro", lookupsAtOnce, file.ReaderPragmas)
	if err != nil {
		return nil, err
	}
	l := &lookups{DB: db, prepared: map[string]*sql.Stmt{}}
	l.queries = gen.New(l)
	for _, query := range []string{gen.FindTokenByDigest, gen.FindSessionByDigest} {
		if l.prepared[query], err = db.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // it is closed with its connections
			return nil, errors.Join(err, db.Close())
		}
	}
	return l, nil
}

// QueryRowContext implements gen.DBTX for the queries that are prepared.
func (l *lookups) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return l.prepared[query].QueryRowContext(ctx, args...)
}
