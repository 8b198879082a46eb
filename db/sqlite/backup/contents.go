package backup

import (
	"context"
	"database/sql"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
)

// contents checks a file that no process writes, and returns what it holds: identity, schema, pages,
// indexes, foreign keys, and the end of the chain. Unavailable: it is not a database of ours, is
// damaged, or is newer than this program.
func contents(ctx context.Context, f file.File) (backup.Contents, error) {
	c, found, err := readable(ctx, f)
	if err == nil && len(found) > 0 {
		err = damageError{damage(f, found)}
	}
	return c, err
}

// readable is contents for a file whose indexes or foreign keys may be wrong: found says how.
func readable(ctx context.Context, f file.File) (c backup.Contents, found records.Findings, err error) {
	version, err := f.Inspect(ctx)
	if err != nil {
		return c, nil, err
	}
	if version == 0 {
		return c, nil, f.NoDatabase()
	}
	if err := f.CheckSchema(ctx, version); err != nil {
		return c, nil, err
	}
	err = f.Reading(ctx, func(tx *sql.Tx) (err error) {
		if err = schema.ShowAsNewest(ctx, tx, version); err == nil {
			c, found, err = examine(ctx, f, tx)
		}
		return err
	})
	if err != nil {
		return backup.Contents{}, nil, damageError{err}
	}
	c.Schema = version
	return c, found, nil
}

func examine(ctx context.Context, f file.File, tx *sql.Tx) (c backup.Contents, found records.Findings, err error) {
	found, sound, err := verify.Pages(ctx, tx)
	if err == nil && !sound {
		err = damage(f, found)
	}
	if err != nil {
		return c, nil, err
	}
	if c.Counts, err = counts(ctx, tx); err != nil {
		return c, nil, err
	}
	q := gen.New(tx)
	if err := chain.CheckEnd(ctx, q); err != nil {
		return c, nil, fault.Wrap(fault.Unavailable, err, "%s is damaged", f)
	}
	end, err := chain.End(ctx, q)
	if err != nil {
		return c, nil, err
	}
	if c.Origin, err = chain.Origin(ctx, q); err != nil {
		return c, nil, err
	}
	c.Entries, c.Head = c.Counts["journal"], end.Hash.String()
	return c, found, nil
}

// damage turns findings into an error, nil if there are none.
func damage(f file.File, found records.Findings) error {
	if len(found) == 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "%s is damaged (%d findings): %s", f, len(found), found[0])
}

// counts returns the number of rows of every table, except SQLite's own tables and virtual ones.
func counts(ctx context.Context, tx *sql.Tx) (map[string]int64, error) {
	tables, err := verify.Texts(ctx, tx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`)
	if err != nil {
		return nil, err
	}
	rows := map[string]int64{}
	for _, table := range tables {
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+schema.Quoted(table)).Scan(&n); err != nil {
			return nil, err
		}
		rows[table] = n
	}
	return rows, nil
}
