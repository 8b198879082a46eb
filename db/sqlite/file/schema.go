package file

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// CheckSchema refuses a database in which a table of ours is not what the migrations up to its version
// make, or has a trigger that Daybook did not make. It accepts what the owner added: Warnings tells of that.
// Unavailable: also if another process has changed the version meanwhile.
func (f File) CheckSchema(ctx context.Context, version int64) error {
	return f.Reading(ctx, func(tx *sql.Tx) error {
		now, err := schema.Version(ctx, tx)
		if err != nil {
			return err
		}
		if now != version {
			return fault.New(fault.Unavailable, "another process changed the schema of %s from version %d to %d meanwhile; try again", f, version, now)
		}
		return f.checkObjects(ctx, tx, version)
	})
}

// Reading runs work in a transaction that only reads. Unavailable also: the file cannot be read.
func (f File) Reading(ctx context.Context, work func(*sql.Tx) error) error {
	db, err := f.Open(ctx, "ro", 1, ReaderPragmas)
	if err != nil {
		return f.Unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return f.Unreadable(err)
	}
	defer func() { _ = tx.Rollback() }() // it was only read
	if err := work(tx); err != nil {
		return f.Unreadable(err)
	}
	return nil
}

// checkObjects is CheckSchema for a database that is open.
func (f File) checkObjects(ctx context.Context, q schema.Querier, version int64) error {
	found, err := f.Schema.Differences(ctx, q, version)
	if err != nil {
		return f.Unreadable(err)
	}
	harmful := slices.DeleteFunc(found, func(d schema.Difference) bool { return !d.Harmful })
	for _, d := range harmful {
		if !d.Added {
			return fault.New(fault.Unavailable, "%s cannot be used: %s; restore a backup from before that", f, d)
		}
	}
	if len(harmful) == 0 {
		return nil
	}
	named, drops := removal(harmful)
	return fault.New(fault.Unavailable, "%s cannot be used: Daybook did not make its %s; remove what was added with any SQLite tool: %s", f, named, drops)
}

// removal names objects, and returns the statements that remove them.
func removal(of []schema.Difference) (named, drops string) {
	slices.SortStableFunc(of, func(a, b schema.Difference) int { return cmp.Compare(a.Order(), b.Order()) })
	var names, statements []string
	for _, d := range of {
		names, statements = append(names, d.Described()), append(statements, d.Drop())
	}
	return strings.Join(names, ", "), strings.Join(statements, " ")
}
