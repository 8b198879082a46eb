package backup

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Abandon records a branch that the journal does not continue, as a journalled change. The name of a
// file may not be valid UTF-8, but all text in a database is.
func Abandon(ctx context.Context, q *gen.Queries, s *chain.Writer, origin journal.Origin, b backup.Branch) error {
	b.Source = strings.ToValidUTF8(b.Source, "\uFFFD")
	id, err := q.InsertAbandonedHead(ctx, gen.InsertAbandonedHeadParams{
		Seq: int64(b.Head.Seq), Hash: b.Head.Hash[:], Fork: int64(b.Fork), Until: b.Until.UnixMicro(), Source: b.Source,
	})
	if err != nil {
		return err
	}
	b.ID = id
	return s.Write(ctx, journal.Entry{Origin: origin, Entity: journal.AbandonedHeads, EntityID: id, After: records.Branch(b)})
}

// abandons returns the branches that a database gives up when another takes its place: its earlier
// ones, and its current one. end is the end of the current one. The result is empty if the other
// database continues this one, or if this one is empty. A database of another origin, and an empty one,
// keep the branches for a later restore, because they have no entry in common with this one.
func (l *Chain) abandons(in *Chain, source string, now time.Time) (given []backup.Branch, end journal.Head, err error) {
	if l.origin == "" {
		return nil, end, nil
	}
	head, err := chain.Head(l.queries.JournalHead(l.ctx))
	if err != nil {
		return nil, end, err
	}
	fork, err := in.Fork(l)
	if err != nil {
		return nil, end, err
	}
	for _, b := range l.branches {
		b.Fork = min(b.Fork, fork)
		if given, err = in.without(b, given); err != nil {
			return nil, end, err
		}
	}
	before := len(given)
	given, err = in.without(backup.Branch{Fork: fork, Head: head, Until: now.UTC().Truncate(time.Microsecond), Source: source}, given)
	if len(given) > before {
		end = head
	}
	return given, end, err
}

// without appends a branch to others, unless the chain has its end or already records it.
func (l *Chain) without(b backup.Branch, others []backup.Branch) ([]backup.Branch, error) {
	has, err := l.Has(b.Head)
	if err != nil || has || l.records(b.Head) {
		return others, err
	}
	return append(others, b), nil
}

// records reports whether the chain records the branch that ends with a link.
func (l *Chain) records(end journal.Head) bool {
	return slices.ContainsFunc(l.branches, func(b backup.Branch) bool { return b.Head == end })
}

// givenUpFor returns the branches that a settled database gives up when a copy takes its place, and the
// end of its current branch. An error says why the database cannot be read.
func givenUpFor(ctx context.Context, f, copied file.File, source string, now time.Time) (given []backup.Branch, end journal.Head, err error) {
	if f.Missing() {
		return nil, end, f.LostLog()
	}
	if file.Exists(f.Path + "-wal") {
		return nil, end, fault.New(fault.Unavailable, "%s is damaged, and keeps its log", f)
	}
	f.Immutable = true // it is settled: one file that no process has open
	err = withChain(ctx, f, func(old *Chain) error {
		return withChain(ctx, copied, func(in *Chain) error {
			given, end, err = old.abandons(in, source, now)
			return err
		})
	})
	return given, end, err
}

// abandonAll journals the branches that a restored database gives up, under one link.
func abandonAll(ctx context.Context, unit *sql.Tx, given []backup.Branch, now time.Time) (err error) {
	if len(given) == 0 {
		return nil
	}
	many, err := unit.PrepareContext(ctx, chain.InsertManyEntries)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.Close()) }()
	q := gen.New(unit)
	s := chain.NewWriter(q, many, now)
	for _, b := range given {
		if err := Abandon(ctx, q, &s, journal.Origin{Actor: "app restore"}, b); err != nil {
			return err
		}
	}
	return s.Seal(ctx)
}

// Lost is the branch that ends with a backup. known: the database already records it.
func (l *Chain) Lost(m backup.Manifest, beside []backup.Manifest) (b backup.Branch, known bool, err error) {
	if b.Head, err = m.ChainHead(); err != nil {
		return b, false, err
	}
	if m.Origin != l.origin {
		return b, false, fault.New(fault.Invalid, "the backup %s is of another database: its chain begins with %s, and the chain of this database begins with %s", m.File, m.Origin, l.origin)
	}
	has, err := l.Has(b.Head)
	if err == nil && has {
		err = fault.New(fault.Invalid, "the backup %s is of this database as it is: there is nothing to accept", m.File)
	}
	if err != nil {
		return b, false, err
	}
	if l.records(b.Head) {
		return b, true, nil
	}
	b.Until = m.TakenAt
	for _, other := range beside {
		if other.TakenAt.After(m.TakenAt) || other.Entries >= m.Entries {
			continue
		}
		lineage, err := other.LineageIn(l)
		if err != nil {
			return b, false, err
		}
		if lineage == backup.Own {
			b.Fork = max(b.Fork, journal.Seq(other.Entries))
		}
	}
	return b, false, nil
}
