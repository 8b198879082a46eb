package sqlite

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// beforeSchema is in the name of the backup that is taken before a migration.
const beforeSchema = ".before-schema-"

// saveBefore takes a backup of a database that holds records, beside it, before it is
// migrated from a schema version. It returns the backup's path, "" where nothing was
// taken: there are no records, or a migration that failed after its backup left one of
// the same records, which is whole. Unavailable: the backup cannot be made; then the
// database must not be migrated.
func (f file) saveBefore(ctx context.Context, version int64) (string, error) {
	head, err := f.head(ctx)
	if err != nil || head.Seq == 0 {
		return "", err
	}
	name := fmt.Sprintf("%s%s%d", f.path, beforeSchema, f.schema.newest())
	path := name
	for n := 2; exists(path) || exists(backup.ManifestOf(path)); n++ {
		if f.savedAs(ctx, path, version, head) {
			return "", nil
		}
		path = fmt.Sprintf("%s-%d", name, n)
	}
	program := fmt.Sprintf("the migration to schema %d", f.schema.newest())
	if _, err := f.backup(ctx, path, program, time.Now()); err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "cannot migrate %s without a backup of it", f)
	}
	return path, nil
}

// head is the newest link of the journal.
func (f file) head(ctx context.Context) (head journal.Head, err error) {
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return head, f.unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	end, err := chainOf(ctx, db)
	if err != nil {
		return head, f.unreadable(err)
	}
	return journal.Head{Seq: journal.Seq(end.through), Hash: end.head}, nil
}

// savedAs reports whether a backup is whole, and of the same records as the database.
func (f file) savedAs(ctx context.Context, path string, version int64, head journal.Head) bool {
	saved := file{path: path, synchronous: f.synchronous, still: true, schema: f.schema}
	c, err := saved.contents(ctx)
	return err == nil && c.Schema == version && c.Head == head.Hash.String()
}
