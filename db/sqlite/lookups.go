package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
)

// lookups are connections that only look up tokens and sessions, and check the health, so that neither waits
// for lists and reports.
type lookups struct {
	*sql.DB
	prepared map[string]*sql.Stmt // by the text of the query
	queries  *gen.Queries         // the prepared ones
}

// lookupsAtOnce is the number of these connections. A lookup takes about 20 µs, so two serve more
// requests than the writer or the readers can.
const lookupsAtOnce = 2

// openLookups prepares only these queries, because each prepared query makes the start longer.
func openLookups(ctx context.Context, f file.File) (*lookups, error) {
	db, err := f.Open(ctx, "ro", lookupsAtOnce, file.ReaderPragmas)
	if err != nil {
		return nil, err
	}
	l := &lookups{DB: db, prepared: map[string]*sql.Stmt{}}
	l.queries = gen.New(l)
	for _, query := range []string{gen.FindTokenByDigest, gen.FindSessionByDigest, gen.LinkUpTo} {
		if l.prepared[query], err = db.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // closed with its connections
			return nil, errors.Join(err, db.Close())
		}
	}
	return l, nil
}

// QueryRowContext implements gen.DBTX for the prepared queries.
func (l *lookups) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return l.prepared[query].QueryRowContext(ctx, args...)
}
