package sqlite

import (
	"context"
	"path/filepath"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
)

// Upgrade is the result of migrating a database.
type Upgrade struct {
	Backup string // the path of the backup from before, "" if none was taken
	Steps  []schema.Migration
}

// Migrate brings the schema of a database file up to date. It creates the file if there is none. Before
// a migration changes a database with records, it takes a backup beside it. Processes that call it at
// the same time take turns at a lock beside the file. Unavailable: as for Inspect; or the schema is not
// what the migrations made, there is no room for the backup, or the disk refuses.
func Migrate(ctx context.Context, path string) (Upgrade, error) {
	f, err := file.Locate(path)
	if err != nil {
		return Upgrade{}, err
	}
	return MigrateFile(ctx, f)
}

// Migrations returns every step that this program knows, and when the file took it. It changes nothing
// and creates no file. Unavailable: as for Migrate.
func Migrations(ctx context.Context, path string) ([]schema.Migration, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	return f.Migrations(ctx)
}

// MigrateFile is Migrate for a file that was located.
func MigrateFile(ctx context.Context, f file.File) (u Upgrade, err error) {
	err = f.Exclusively(ctx, func(lock *file.Lock) error {
		if u, err = update(ctx, f, lock); err != nil || len(u.Steps) == 0 {
			return err
		}
		s, err := newStore(ctx, f, lock, time.Now) // it gives the database a new number
		if err != nil {
			return err
		}
		return s.Close()
	})
	return u, err
}

// update applies the pending migrations, unless another process serves the file. The caller has
// exclusive use of it.
func update(ctx context.Context, f file.File, lock *file.Lock) (u Upgrade, err error) {
	version, err := f.Inspect(ctx)
	if err == nil && version == f.Schema.Newest() {
		err = wholeWithLog(ctx, f)
	}
	if err != nil {
		return u, err
	}
	if version > 0 {
		if err := f.CheckSchema(ctx, version); err != nil {
			return u, err
		}
	}
	if version == f.Schema.Newest() {
		return u, nil
	}
	// An older program that serves the file would write rows that do not fit the new schema.
	if served, err := f.ServedUnlocked(); err != nil {
		return u, err
	} else if served {
		return u, fault.New(fault.Unavailable, "an older program serves %s; stop it, and migrate then", f.Path)
	}
	if version > 0 {
		if u.Backup, err = sqlitebackup.BeforeSchema(ctx, f, version); err != nil {
			return u, err
		}
	}
	if err := lock.Note(ctx); err != nil {
		return u, err
	}
	u.Steps, err = f.Upgrade(ctx, f.WriterPragmas())
	return u, err
}

// wholeWithLog refuses a database with a log that no note says anything about, if it does not verify whole
// with that. Unavailable.
func wholeWithLog(ctx context.Context, f file.File) error {
	doubted, err := f.Doubted()
	if err != nil || !doubted {
		return err
	}
	defer file.NoticeAfter(ctx, "verifying "+f.String()+", because nothing is noted about its log").Stop()
	found, err := verify.File(ctx, f, nil)
	switch {
	case err != nil && !sqlerr.IsDamage(err):
		return err
	case err == nil && len(found.Restored()) == 0:
		return nil
	}
	return fault.New(fault.Unavailable, "%[1]s does not verify whole with %[2]s-wal, which a kill left: another file was copied over one of them, or one is damaged; put back the %[3]s that lay beside this log, or move the -wal away to use this %[3]s without it, or restore a backup with app restore; if you want both as they are: sqlite3 %[2]s 'PRAGMA wal_checkpoint(TRUNCATE)', and see what app verify finds",
		f, f.Path, filepath.Base(f.Path))
}
