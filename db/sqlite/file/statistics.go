package file

import (
	"context"
	"errors"

	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// DropStatistics removes the tables that ANALYZE made. SQLite plans its queries by them, and Daybook
// never renews them: with the statistics of a small database SQLite would read whole tables after the
// database has grown. No other process may use the file. Unavailable.
func (f File) DropStatistics(ctx context.Context) error {
	has, err := f.hasStatistics(ctx)
	if err != nil {
		return f.Unreadable(err)
	}
	if !has {
		return nil
	}
	if err := f.dropStatistics(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot remove what ANALYZE left in %s", f)
	}
	return nil
}

func (f File) dropStatistics(ctx context.Context) (err error) {
	db, err := f.Open(ctx, "rw", 1, f.WriterPragmas())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := f.begin(ctx, db); err != nil {
		return err
	}
	for table := range schema.Statistics {
		if _, err := db.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return err
		}
	}
	return nil
}

func (f File) hasStatistics(ctx context.Context) (has bool, err error) {
	const ask = "SELECT count(*) > 0 FROM sqlite_schema WHERE lower(name) GLOB 'sqlite_stat[1-4]'"
	db, err := f.Open(ctx, "ro", 1, ReaderPragmas)
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }() // it was only read
	err = db.QueryRowContext(ctx, ask).Scan(&has)
	return has, err
}
