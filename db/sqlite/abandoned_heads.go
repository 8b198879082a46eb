package sqlite

import (
	"context"
	"crypto/ed25519"
	"errors"
	"math"
	"path/filepath"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// AcceptFork records the branch that ends with a backup as given up, if the database with that branch
// is lost. Then its backups belong to this database again, and are no sign that somebody replaced it.
// manifest is the path of the manifest of the backup; the manifests beside it tell how much the branch
// and the database have in common. With a key, the key must have signed the manifest. AcceptFork
// returns the end of the branch. Invalid: the backup is of another database, or of this one as it is,
// or the manifest states something impossible. Unavailable: there is no database, or no manifest.
func AcceptFork(ctx context.Context, path, manifest string, signedBy ed25519.PublicKey, now func() time.Time) (head journal.Head, err error) {
	m, err := backup.ReadManifest(manifest, signedBy)
	if err != nil {
		return head, fault.Wrap(fault.Unavailable, err, "cannot accept %s: %v", manifest, err)
	}
	switch {
	case m.TakenAt.After(now()):
		return head, fault.New(fault.Invalid, "%s says that it was taken at %s, which is in the future; check the clock and where the manifest comes from", manifest, m.TakenAt.UTC().Format(time.RFC3339))
	case m.Entries < 1 || m.Entries > math.MaxInt64/2:
		return head, fault.New(fault.Invalid, "%s says that its journal has %d entries, which is impossible; check where the manifest comes from", manifest, m.Entries)
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
		l, err := sqlitebackup.NewChain(ctx, q.Queries)
		if err != nil {
			return err
		}
		b, known, err := l.Lost(m, beside)
		if err != nil || known {
			head = b.Head
			return err
		}
		b.Source, head = filepath.Base(manifest), b.Head
		return sqlitebackup.Abandon(ctx, q.Queries, q.journal, q.origin, b)
	})
	return head, err
}
