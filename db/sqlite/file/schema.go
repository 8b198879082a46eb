package file

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// CheckSchema refuses a database whose schema differs from what the migrations up to its version make.
// The error says how to remove what was added. Unavailable: also if another process has changed the version
// meanwhile.
func (f File) CheckSchema(ctx context.Context, version int64) error {
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
	now, err := schema.Version(ctx, tx)
	if err != nil {
		return f.Unreadable(err)
	}
	if now != version {
		return fault.New(fault.Unavailable, "another process changed the schema of %s from version %d to %d meanwhile; try again", f, version, now)
	}
	return f.checkObjects(ctx, tx, version)
}

// checkObjects is CheckSchema for a database that is open.
func (f File) checkObjects(ctx context.Context, q schema.Querier, version int64) error {
	found, err := f.Schema.Differences(ctx, q, version)
	if err != nil {
		return f.Unreadable(err)
	}
	var added, drops []string
	slices.SortStableFunc(found, func(a, b schema.Difference) int { return cmp.Compare(a.Order(), b.Order()) })
	for _, d := range found {
		if !d.Added {
			return fault.New(fault.Unavailable, "%s cannot be used: %s; restore a backup from before that", f, d)
		}
		added = append(added, d.Described())
		drops = append(drops, d.Drop())
	}
	if len(added) == 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "%s cannot be used: Daybook did not make its %s; remove what was added with any SQLite tool: %s",
		f, strings.Join(added, ", "), strings.Join(drops, " "))
}
