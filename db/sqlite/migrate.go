package sqlite

import (
	"context"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
)

// Upgrade is what bringing a database up to date took.
type Upgrade struct {
	Backup string // of the database as it was before, "" where none was taken
	Steps  []Migration
}

// Migrate brings the schema of a database file up to date, creating the file when
// there is none. Before a migration changes a database with records, it takes a backup
// beside it. Processes that race take turns at a lock beside the file. Unavailable: as
// for inspect, its schema is not what the migrations made, there is no room for the
// backup, or the disk refuses.
func Migrate(ctx context.Context, path string) (Upgrade, error) {
	f, err := locate(path)
	if err != nil {
		return Upgrade{}, err
	}
	return f.migrate(ctx)
}

func (f file) migrate(ctx context.Context) (u Upgrade, err error) {
	err = f.alone(ctx, func() error {
		u, err = f.update(ctx)
		return err
	})
	return u, err
}

// update takes the steps that are pending, unless a server is in the way; the caller is
// alone.
func (f file) update(ctx context.Context) (u Upgrade, err error) {
	version, err := f.inspect(ctx)
	if err != nil {
		return u, err
	}
	if version > 0 {
		if err := f.checkSchema(ctx, version); err != nil {
			return u, err
		}
		if err := f.dropStatistics(ctx); err != nil {
			return u, err
		}
	}
	if version == f.schema.newest() {
		return u, nil
	}
	// An older program that serves the file would write what this schema does not know,
	// and would not write what it asks for.
	if served, err := f.servedAnyhow(); err != nil {
		return u, err
	} else if served {
		return u, fault.New(fault.Unavailable, "an older program serves %s; stop it, and migrate then", f.path)
	}
	if version > 0 {
		if u.Backup, err = f.saveBefore(ctx, version); err != nil {
			return u, err
		}
	}
	u.Steps, err = f.upgrade(ctx, f.writerPragmas())
	return u, err
}

// alone does work while no other process of ours migrates the file, begins to serve it
// or restores it. Unavailable: the file is another user's, or as for joinable and inspect.
func (f file) alone(ctx context.Context, work func() error) error {
	if err := f.owned(); err != nil {
		return err
	}
	if err := f.joinable(ctx); err != nil { // before inspect makes what is missing
		return err
	}
	if _, err := f.takenBack(ctx); err != nil { // before anything is created beside it
		return err
	}
	lock, err := f.lock(ctx, migrateLock)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }() // the process's end releases it too
	if err := f.single(); err != nil {
		return err
	}
	return work()
}

// upgrade takes the steps that are pending; the caller is alone.
func (f file) upgrade(ctx context.Context, pragmas []pragma) ([]Migration, error) {
	if err := f.create(); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot create %s", f)
	}
	db, err := f.open(ctx, "rw", 1, pragmas)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot write %s", f)
	}
	newest := f.schema.newest()
	steps, err := f.schema.up(ctx, db, newest)
	if err == nil {
		err = f.checkObjects(ctx, db, newest)
	}
	if closing := db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot migrate %s", f)
	}
	return steps, nil
}

// Migrations returns every step this program knows and whether the file has taken
// it. It changes nothing and creates no file. Unavailable: as for inspect.
func Migrations(ctx context.Context, path string) ([]Migration, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	applied := map[int64]time.Time{}
	f, version, err := f.readable(ctx)
	if err != nil {
		return nil, err
	}
	if version > 0 {
		if applied, err = f.applied(ctx); err != nil {
			return nil, fault.Wrap(fault.Unavailable, err, "cannot read the migrations of %s", f.path)
		}
	}
	return f.schema.steps(applied), nil
}

func (f file) applied(ctx context.Context) (map[int64]time.Time, error) {
	db, err := f.open(ctx, "ro", 1, inspectPragmas)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it was only read
	rows, err := db.QueryContext(ctx, "SELECT version_id, tstamp FROM goose_db_version WHERE version_id > 0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err says how the reading went
	applied := map[int64]time.Time{}
	for rows.Next() {
		var version int64
		var at time.Time
		if err := rows.Scan(&version, &at); err != nil {
			return nil, err
		}
		applied[version] = at
	}
	return applied, rows.Err()
}

// schemaVersion is the newest migration that a database of ours has taken, 0 when
// it broke off before the first. A view of that name is not read: it may have no end.
func schemaVersion(ctx context.Context, db gen.DBTX) (int64, error) {
	var tables int64
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version' AND type = 'table' AND rootpage > 0").Scan(&tables)
	if err != nil || tables == 0 {
		return 0, err
	}
	var version int64
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version)
	return version, err
}
