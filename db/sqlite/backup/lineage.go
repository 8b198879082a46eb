package backup

import (
	"context"
	"database/sql"
	"math"
	"path/filepath"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Lineages returns the present lineage in a database of the backup of each manifest. Unavailable: it is
// not a database of ours, or cannot be read.
func Lineages(ctx context.Context, path string, of []backup.Manifest) ([]backup.Lineage, error) {
	f, err := file.Locate(path, verify.Whole)
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

// Holds reports whether the journal of a backup has a link. Unavailable: the file is not a backup of
// ours, or cannot be read.
func Holds(ctx context.Context, path string, link journal.Head) (held bool, err error) {
	f, err := published(path)
	if err != nil {
		return false, err
	}
	err = withChain(ctx, f, func(l *Chain) error {
		held, err = l.Has(link)
		return err
	})
	return held, err
}

// published returns the file of a backup. No process writes it.
func published(path string) (file.File, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return file.File{}, fault.Wrap(fault.Unavailable, err, "cannot find %s", path)
	}
	return file.File{Path: abs, Name: path, Immutable: true, Schema: schema.Released}, nil
}

// Chain is the chain of a database at one moment, with the branches that the database gave up.
type Chain struct {
	ctx      context.Context //nolint:containedctx // lives no longer than one call
	queries  *gen.Queries
	origin   string
	branches []backup.Branch
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
	db, err := f.Open(ctx, "ro", 1, file.ReaderPragmas)
	if err != nil {
		return f.Unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return f.Unreadable(err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	l, err := NewChain(ctx, gen.New(tx))
	if err != nil {
		return f.Unreadable(sqlerr.Classify(err))
	}
	return sqlerr.Classify(use(l))
}

// NewChain reads the origin and the branches of a database.
func NewChain(ctx context.Context, q *gen.Queries) (*Chain, error) {
	origin, err := chain.Origin(ctx, q)
	if err != nil {
		return nil, err
	}
	found, err := q.ListAbandonedHeads(ctx, 0, math.MaxInt64, math.MaxInt64)
	return &Chain{ctx, q, origin, rows.Map(found, rows.Branch)}, err
}

// Origin implements backup.Chain.
func (l *Chain) Origin() string { return l.origin }

// Branches implements backup.Chain.
func (l *Chain) Branches() []backup.Branch { return l.branches }

// Has implements backup.Chain.
func (l *Chain) Has(head journal.Head) (bool, error) {
	return chain.Holds(l.ctx, l.queries, head)
}

// Fork is the last entry that two chains have in common. After the fork, no link of one chain is a link
// of the other.
func (l *Chain) Fork(other *Chain) (common journal.Seq, err error) {
	end, err := chain.Head(l.queries.JournalHead(l.ctx))
	if err != nil {
		return 0, err
	}
	for low, high := int64(0), int64(end.Seq); low < high; {
		middle := low + (high-low+1)/2
		link, err := chain.Head(l.queries.LinkUpTo(l.ctx, middle))
		if err != nil {
			return 0, err
		}
		switch has, err := other.Has(link); {
		case err != nil:
			return 0, err
		case has:
			common, low = link.Seq, middle
		default:
			high = int64(link.Seq) - 1
		}
	}
	return common, nil
}
