package file

import (
	"context"
	"database/sql"
	"time"

	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// Exclusively runs work while no other Daybook process migrates the file, begins to serve it or
// restores it. Unavailable: as for MayWrite, joinable and Inspect.
func (f File) Exclusively(ctx context.Context, work func() error) error {
	if err := f.MayWrite(); err != nil {
		return err
	}
	if err := f.joinable(ctx); err != nil { // before Inspect makes a missing log or index
		return err
	}
	if _, err := f.takenBack(ctx); err != nil { // before anything is created beside it
		return err
	}
	lock, err := f.Lock(ctx, MigrateLock)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }() // the end of the process releases it too
	return work()
}

// Upgrade applies the pending migrations. The caller has exclusive use of the file.
func (f File) Upgrade(ctx context.Context, pragmas []Pragma) ([]schema.Migration, error) {
	if err := f.create(); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot create %s", f)
	}
	db, err := f.Open(ctx, "rw", 1, pragmas)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot write %s", f)
	}
	newest := f.Schema.Newest()
	var steps []schema.Migration
	if err = f.begin(ctx, db); err == nil {
		steps, err = f.Schema.Up(ctx, db, newest)
	}
	if err == nil {
		err = f.mark(ctx, db) // two copies that are migrated differ
	}
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

// begin marks the file in a transaction of its own, before others change the schema (internal/wal, vacuums).
// It begins a log, unless a reader holds the one before.
func (f File) begin(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return err
	}
	return f.mark(ctx, db)
}

// mark marks the file, and notes its header.
func (f File) mark(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after the commit
	// The first statement writes, so that it waits for another writer.
	if err := Mark(ctx, tx, nil); err != nil {
		return err
	}
	if err := f.noteBase(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// noteBase notes the header of the file. A schema without a place for it has its sum for the number.
func (f File) noteBase(ctx context.Context, tx *sql.Tx) error {
	alone, err := f.openWithoutLog()
	if err != nil {
		return err
	}
	defer func() { _ = alone.Close() }() // it was only read
	base, err := HeaderOf(ctx, alone)
	if err != nil || base == nil {
		return err
	}
	var notes bool
	if err := tx.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'log_base'").Scan(&notes); err != nil {
		return err
	}
	if notes {
		return Mark(ctx, tx, base)
	}
	return markWith(ctx, tx, wal.Start(base).Sum())
}

// Migrations returns every step that this program knows, and when the file took it. It changes
// nothing and creates no file. Unavailable: as for Readable.
func (f File) Migrations(ctx context.Context) ([]schema.Migration, error) {
	applied := map[int64]time.Time{}
	f, version, err := f.Readable(ctx)
	if err != nil {
		return nil, err
	}
	if version > 0 {
		if applied, err = f.applied(ctx); err != nil {
			return nil, fault.Wrap(fault.Unavailable, err, "cannot read the migrations of %s", f.Path)
		}
	}
	return f.Schema.Steps(applied), nil
}

func (f File) applied(ctx context.Context) (map[int64]time.Time, error) {
	db, err := f.Open(ctx, "ro", 1, inspectPragmas)
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
