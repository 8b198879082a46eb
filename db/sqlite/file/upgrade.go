package file

import (
	"context"
	"database/sql"
	"time"

	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// Exclusively runs work while no other Daybook process migrates the file, begins to serve it or
// restores it. Work may take the lock of the server. Unavailable: as for MayWrite and Inspect.
func (f File) Exclusively(ctx context.Context, work func(*Lock) error) error {
	if err := f.MayWrite(); err != nil {
		return err
	}
	if _, err := f.takenBack(ctx); err != nil { // before anything is created beside it
		return err
	}
	lock, err := f.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Opened() }() // the end of the process releases it too
	return work(lock)
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
	steps, err := f.Schema.Up(ctx, db, newest)
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

// Migrations returns every step that this program knows, and when the file took it. It changes
// nothing and creates no file. Unavailable: as for Readable.
func (f File) Migrations(ctx context.Context) ([]schema.Migration, error) {
	applied := map[int64]time.Time{}
	f, version, err := f.Readable(ctx)
	if err != nil || version == 0 {
		return f.Schema.Steps(applied), err
	}
	err = f.Reading(ctx, func(tx *sql.Tx) error {
		return schema.Each(ctx, tx, "SELECT version_id, tstamp FROM goose_db_version WHERE version_id > 0", func(scan func(...any) error) error {
			var version int64
			var at time.Time
			err := scan(&version, &at)
			applied[version] = at
			return err
		})
	})
	return f.Schema.Steps(applied), err
}
