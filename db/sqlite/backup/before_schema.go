package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// beforeSchema is part of the name of a backup that is taken before a migration.
const beforeSchema = ".before-schema-"

// BeforeSchema takes a backup beside a database that holds records, before it is migrated from a schema
// version. It returns the path of the backup. The path is "" if there are no records, or if an earlier
// failed migration left a whole backup of the same records. If the log of the database is doubted, a
// migrated copy of the backup must verify whole. Unavailable: it does not, or the backup cannot be made;
// then the database must not be migrated.
func BeforeSchema(ctx context.Context, f file.File, version int64) (string, error) {
	head, err := head(ctx, f)
	if err != nil || head.Seq == 0 {
		return "", err
	}
	doubted, err := f.Doubted()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s%s%d", f.Path, beforeSchema, f.Schema.Newest())
	path := name
	for n := 2; file.Exists(path) || file.Exists(backup.ManifestOf(path)); n++ {
		saved, err := savedAs(ctx, f, path, version, head)
		if err == nil && saved && doubted {
			err = wholeWhenMigrated(ctx, f, path)
		}
		if saved || err != nil {
			return "", err
		}
		path = fmt.Sprintf("%s-%d", name, n)
	}
	program := fmt.Sprintf("the migration to schema %d", f.Schema.Newest())
	taken, err := Take(ctx, f, path, program, time.Now())
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "cannot migrate %s without a backup of it", f)
	}
	if taken.Damage != "" {
		return "", damaged(f, path, taken.Damage)
	}
	if doubted {
		if err := wholeWhenMigrated(ctx, f, path); err != nil {
			return "", err
		}
	}
	return path, nil
}

// wholeWhenMigrated refuses a database whose backup does not verify whole in the newest schema. app verify
// knows no other.
func wholeWhenMigrated(ctx context.Context, f file.File, path string) (err error) {
	s, err := openSource(path, f, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.File.Close()) }()
	copied := file.File{Path: f.Path + file.CopyDraft, Name: path, Synchronous: f.Synchronous, Immutable: true, Schema: f.Schema}
	defer func() { err = errors.Join(err, removeAll(copied)) }()
	_, of, err := s.copyTo(ctx, copied)
	if err == nil {
		err = finished(ctx, copied, of)
	}
	_, broken := errors.AsType[damageError](err)
	switch {
	case err == nil:
		return nil
	case broken:
		return fault.Wrap(fault.Unavailable, err, "cannot migrate %s: a kill left its -wal, and the two do not verify whole together: another file was copied over one of them, or one was changed; the backup %s holds both as they are; restore an older one with app restore, or serve and stop them with the build that wrote them, and migrate then", f, path)
	}
	return fault.Wrap(fault.Unavailable, err, "cannot migrate %s: a kill left its -wal, and the two cannot be verified together first; the backup %s holds both", f, path)
}

// head is the newest link of the journal.
func head(ctx context.Context, f file.File) (head journal.Head, err error) {
	err = f.Reading(ctx, func(tx *sql.Tx) (err error) {
		head, err = chain.End(ctx, gen.New(tx))
		return err
	})
	return head, err
}

// damaged is the error of a database whose backup before a migration has damage.
func damaged(f file.File, path, damage string) error {
	return fault.New(fault.Unavailable, "cannot migrate %s, because it is damaged: %s; the backup %s holds it as it is; restore an older one with app restore", f, damage, path)
}

// savedAs reports whether a backup holds the same records as the database. Unavailable: it does, and has
// damage.
func savedAs(ctx context.Context, f file.File, path string, version int64, head journal.Head) (bool, error) {
	saved := file.File{Path: path, Synchronous: f.Synchronous, Immutable: true, Schema: f.Schema}
	c, found, err := readable(ctx, saved)
	if err != nil || c.Schema != version || c.Head != head.Hash.String() {
		return false, nil //nolint:nilerr // it is another file
	}
	if len(found) > 0 {
		return false, damaged(f, path, found[0].String())
	}
	return true, nil
}
