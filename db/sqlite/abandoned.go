package sqlite

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// abandon records a branch that the journal does not continue, as any other change. The
// name of a file may be no UTF-8, which all text in a database is.
func (t *tx) abandon(ctx context.Context, b backup.Branch) error {
	b.Source = strings.ToValidUTF8(b.Source, "\uFFFD")
	id, err := t.InsertAbandonedHead(ctx, gen.InsertAbandonedHeadParams{
		Seq: int64(b.Head.Seq), Hash: b.Head.Hash[:], Fork: int64(b.Fork), Until: b.Until.UnixMicro(), Source: b.Source,
	})
	if err != nil {
		return err
	}
	b.ID = id
	return t.tell(ctx, journal.AbandonedHeads, id, nil, branchRecord(b))
}

func branchOf(r gen.AbandonedHead) backup.Branch {
	b := backup.Branch{
		ID: r.ID, Fork: journal.Seq(r.Fork), Head: journal.Head{Seq: journal.Seq(r.Seq)},
		Until: time.UnixMicro(r.Until).UTC(), Source: r.Source,
	}
	if len(r.Hash) == len(b.Head.Hash) {
		b.Head.Hash = journal.Hash(r.Hash)
	}
	return b
}

// abandons returns the branches that a database gives up when another takes its place:
// those that it gave up before, and its current one. end is the end of the current one.
// There are none where the other database continues this one, or this one is empty. A database of
// another origin, or an empty one, keeps them for a later restore: with this one they have no entry
// in common.
func (l *lineage) abandons(in *lineage, source string, now time.Time) (given []backup.Branch, end journal.Head, err error) {
	if l.origin == "" {
		return nil, end, nil
	}
	head, err := headOf(l.queries.JournalHead(l.ctx))
	if err != nil {
		return nil, end, err
	}
	fork, err := in.fork(l)
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

// without appends a branch to others, unless the chain has its end, or it is recorded.
func (l *lineage) without(b backup.Branch, others []backup.Branch) ([]backup.Branch, error) {
	has, err := l.Has(b.Head)
	if err != nil || has || l.records(b.Head) {
		return others, err
	}
	return append(others, b), nil
}

// records reports whether the branch that ends with a link is recorded.
func (l *lineage) records(end journal.Head) bool {
	return slices.ContainsFunc(l.branches, func(b backup.Branch) bool { return b.Head == end })
}

// givenUpFor are the branches that a database, which was settled, gives up when a copy
// takes its place, and where the one ends that it is on. An error says why it cannot be
// read.
func (f file) givenUpFor(ctx context.Context, copied file, source string, now time.Time) (given []backup.Branch, end journal.Head, err error) {
	if f.missing() {
		return nil, end, f.lostLog()
	}
	if exists(f.path + "-wal") {
		return nil, end, fault.New(fault.Unavailable, "%s is damaged, and keeps its log", f)
	}
	f.still = true // settled, it is one file that nobody has open
	err = f.lineage(ctx, func(old *lineage) error {
		return copied.lineage(ctx, func(in *lineage) error {
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
	many, err := unit.PrepareContext(ctx, insertManyEntries)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.Close()) }()
	s := scribe{queries: gen.New(unit), many: many, at: now.UTC().Truncate(time.Microsecond)}
	t := &tx{Queries: s.queries, scribe: &s, origin: journal.Origin{Actor: "app restore"}}
	for _, b := range given {
		if err := t.abandon(ctx, b); err != nil {
			return err
		}
	}
	return s.seal(ctx)
}

// AcceptFork records the branch that ends with a backup as given up, where the database
// that held it is lost: its backups are of this database again, and no sign that somebody
// replaced it. manifest is the path of the backup's manifest; those beside it tell how far
// the branch and the database are one. Where a key is given, it must have signed the
// manifest. It returns where the branch ends. Invalid: the backup is of another database,
// or of this one as it is, or no backup can be as the manifest says. Unavailable: there is
// no database, or no manifest.
func AcceptFork(ctx context.Context, path, manifest string, signedBy ed25519.PublicKey, now func() time.Time) (head journal.Head, err error) {
	m, err := backup.ReadManifest(manifest, signedBy)
	if err != nil {
		return head, fault.Wrap(fault.Unavailable, err, "cannot accept %s: %v", manifest, err)
	}
	switch {
	case m.TakenAt.After(now()):
		return head, fault.New(fault.Invalid, "%s says that it was taken at %s, which is in the future; check the clock and where the manifest comes from", manifest, m.TakenAt.UTC().Format(time.RFC3339))
	case m.Entries < 1 || m.Entries > math.MaxInt64/2:
		return head, fault.New(fault.Invalid, "%s says that its journal has %d entries, which cannot be; check where the manifest comes from", manifest, m.Entries)
	}
	beside, err := backup.Manifests(filepath.Dir(manifest))
	if err != nil {
		return head, err
	}
	s, err := OpenExisting(ctx, path, now)
	if err != nil {
		return head, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx = journal.With(ctx, journal.Origin{Actor: "app backup"})
	err = s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		l, err := newLineage(ctx, q.Queries)
		if err != nil {
			return err
		}
		b, known, err := l.lost(m, beside)
		if err != nil || known {
			head = b.Head
			return err
		}
		b.Source, head = filepath.Base(manifest), b.Head
		return q.abandon(ctx, b)
	})
	return head, err
}

// lost is the branch that ends with a backup. known: it is recorded already.
func (l *lineage) lost(m backup.Manifest, beside []backup.Manifest) (b backup.Branch, known bool, err error) {
	if b.Head, err = m.ChainHead(); err != nil {
		return b, false, err
	}
	if m.Origin != l.origin {
		return b, false, fault.New(fault.Invalid, "the backup %s is of another database: its chain begins with %s, not %s", m.File, m.Origin, l.origin)
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
		standing, err := other.StandingTo(l)
		if err != nil {
			return b, false, err
		}
		if standing == backup.Own {
			b.Fork = max(b.Fork, journal.Seq(other.Entries))
		}
	}
	return b, false, nil
}
