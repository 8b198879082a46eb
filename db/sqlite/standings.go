package sqlite

import (
	"context"
	"database/sql"
	"math"
	"path/filepath"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Standings are how the backups of manifests stand to a database at this moment, one for
// each. Unavailable: it is not a database of ours, or cannot be read.
func Standings(ctx context.Context, path string, of []backup.Manifest) ([]backup.Standing, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	return f.standings(ctx, of)
}

// Standings is the function Standings of this database, also where its name leads to another
// by now. Unavailable also: the file on the disk is no longer this database.
func (s *Store) Standings(ctx context.Context, of []backup.Manifest) ([]backup.Standing, error) {
	if err := s.writer.witness.check(ctx); err != nil {
		return nil, unreachable(err)
	}
	return s.file.standings(ctx, of)
}

func (f file) standings(ctx context.Context, of []backup.Manifest) (standings []backup.Standing, err error) {
	err = f.lineage(ctx, func(l *lineage) error {
		standings = make([]backup.Standing, len(of))
		for i, m := range of {
			if standings[i], err = m.StandingTo(l); err != nil {
				return err
			}
		}
		return nil
	})
	return standings, err
}

// Holds reports whether the journal of a backup has a link. Unavailable: the file is no
// backup of ours, or cannot be read.
func Holds(ctx context.Context, path string, link journal.Head) (held bool, err error) {
	f, err := published(path)
	if err != nil {
		return false, err
	}
	err = f.lineage(ctx, func(l *lineage) error {
		held, err = l.Has(link)
		return err
	})
	return held, err
}

// published is a backup, which nobody writes.
func published(path string) (file, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return file{}, fault.Wrap(fault.Unavailable, err, "cannot find %s", path)
	}
	return file{path: abs, name: path, still: true, schema: released}, nil
}

// lineage is the chain of a database, and the branches that it gave up, at one moment.
type lineage struct {
	ctx      context.Context //nolint:containedctx // lives no longer than one call
	queries  *gen.Queries
	origin   string
	branches []backup.Branch
}

// lineage reads the lineage of a file for as long as a function runs; that of a file that
// is missing is empty. Unavailable: it is not a database of ours, or cannot be read.
func (f file) lineage(ctx context.Context, use func(*lineage) error) error {
	f, version, err := f.readable(ctx)
	if err != nil {
		return err
	}
	if version == 0 {
		return use(&lineage{ctx: ctx})
	}
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return f.unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return f.unreadable(err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	l, err := newLineage(ctx, gen.New(tx))
	if err != nil {
		return f.unreadable(classify(err))
	}
	return classify(use(l))
}

func newLineage(ctx context.Context, q *gen.Queries) (*lineage, error) {
	origin, err := chainOrigin(ctx, q)
	if err != nil {
		return nil, err
	}
	rows, err := q.ListAbandonedHeads(ctx, 0, math.MaxInt64, math.MaxInt64)
	return &lineage{ctx, q, origin, each(rows, branchOf)}, err
}

// Origin implements backup.Chain.
func (l *lineage) Origin() string { return l.origin }

// Branches implements backup.Chain.
func (l *lineage) Branches() []backup.Branch { return l.branches }

// Has implements backup.Chain.
func (l *lineage) Has(head journal.Head) (bool, error) {
	if head.Seq == 0 {
		return head.Hash == journal.Hash{}, nil
	}
	return holdsLink(l.ctx, l.queries, int64(head.Seq), head.Hash)
}

// fork is the last entry up to which two chains are one. Where they part, no later link of
// the one is a link of the other.
func (l *lineage) fork(other *lineage) (common journal.Seq, err error) {
	end, err := headOf(l.queries.JournalHead(l.ctx))
	if err != nil {
		return 0, err
	}
	for low, high := int64(0), int64(end.Seq); low < high; {
		middle := low + (high-low+1)/2
		link, err := headOf(l.queries.LinkUpTo(l.ctx, middle))
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
