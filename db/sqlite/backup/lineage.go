package backup

import (
	"context"
	"database/sql"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/journal"
)

// Lineages returns the present lineage in a database of the backup of each manifest. Unavailable: it is
// not a database of ours, or cannot be read.
func Lineages(ctx context.Context, path string, of []backup.Manifest) ([]backup.Lineage, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	return LineagesIn(ctx, f, of)
}

// LineagesIn is Lineages for a database that was located.
func LineagesIn(ctx context.Context, f file.File, of []backup.Manifest) (lineages []backup.Lineage, err error) {
	err = withChain(ctx, f, func(l *Chain) error {
		lineages = make([]backup.Lineage, len(of))
		for i, m := range of {
			if lineages[i], err = m.LineageIn(l); err != nil {
				return err
			}
		}
		return nil
	})
	return lineages, err
}

// Chain is the chain of a database at one moment.
type Chain struct {
	ctx     context.Context //nolint:containedctx // lives no longer than one call
	queries *gen.Queries
	origin  string
}

// withChain passes the chain of a file to a function. The chain of a missing file is empty.
// Unavailable: it is not a database of ours, or cannot be read.
func withChain(ctx context.Context, f file.File, use func(*Chain) error) error {
	f, version, err := f.Readable(ctx)
	if err != nil {
		return err
	}
	if version == 0 {
		return use(&Chain{ctx: ctx})
	}
	return f.Reading(ctx, func(tx *sql.Tx) error {
		q := gen.New(tx)
		origin, err := chain.Origin(ctx, q)
		if err != nil {
			return err
		}
		return use(&Chain{ctx: ctx, queries: q, origin: origin})
	})
}

// Origin implements backup.Chain.
func (l *Chain) Origin() string { return l.origin }

// Has implements backup.Chain.
func (l *Chain) Has(head journal.Head) (bool, error) {
	return chain.Holds(l.ctx, l.queries, head)
}
