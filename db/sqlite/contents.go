package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// contents looks into a file that nobody writes, and returns what it holds when it is
// whole: identity, schema, pages, foreign keys, and the end of the chain. Unavailable: it
// is not a database of ours, is damaged, or is newer than this program.
func (f file) contents(ctx context.Context) (backup.Contents, error) {
	version, err := f.inspect(ctx)
	if err != nil {
		return backup.Contents{}, err
	}
	if version == 0 {
		return backup.Contents{}, f.none()
	}
	if err := f.checkSchema(ctx, version); err != nil {
		return backup.Contents{}, err
	}
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return backup.Contents{}, f.unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	c, err := f.examine(ctx, db)
	if err != nil {
		return backup.Contents{}, damageError{f.unreadable(err)}
	}
	c.Schema = version
	return c, nil
}

func (f file) unreadable(err error) error {
	if _, is := errors.AsType[*fault.Error](err); is {
		return err
	}
	return fault.Wrap(fault.Unavailable, err, "%s cannot be read", f)
}

func (f file) examine(ctx context.Context, db *sql.DB) (c backup.Contents, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return c, err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	var v verifier
	if _, err := v.file(ctx, tx); err != nil {
		return c, err
	}
	if err := f.damage(v.Findings); err != nil {
		return c, err
	}
	if c.Counts, err = counts(ctx, tx); err != nil {
		return c, err
	}
	q := gen.New(tx)
	if err := checkChainEnd(ctx, q); err != nil {
		return c, fault.Wrap(fault.Unavailable, err, "%s is damaged", f)
	}
	_, head, err := chainEnd(ctx, q)
	if err != nil {
		return c, err
	}
	if c.Origin, err = chainOrigin(ctx, q); err != nil {
		return c, err
	}
	c.Entries, c.Head = c.Counts["journal"], head.String()
	return c, nil
}

// damage makes an error of findings, nil of none.
func (f file) damage(found findings) error {
	if len(found) == 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "%s is damaged (%d findings): %s", f, len(found), found[0])
}

// counts returns the number of rows of every table, those of SQLite's own left out.
func counts(ctx context.Context, tx *sql.Tx) (map[string]int64, error) {
	tables, err := column1(ctx, tx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`)
	if err != nil {
		return nil, err
	}
	rows := map[string]int64{}
	for _, table := range tables {
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+quoted(table)).Scan(&n); err != nil {
			return nil, err
		}
		rows[table] = n
	}
	return rows, nil
}

// chainEnd is the newest link of the journal, and the entry that it reaches to; both
// are zero before the first.
func chainEnd(ctx context.Context, q *gen.Queries) (through int64, head journal.Hash, err error) {
	links, err := q.ListNewestLinks(ctx, 1)
	if err != nil || len(links) == 0 {
		return 0, head, err
	}
	copy(head[:], links[0].Hash)
	return links[0].Through, head, nil
}

// chainOrigin is the first link of the journal in hexadecimal, "" before there is one.
func chainOrigin(ctx context.Context, q *gen.Queries) (string, error) {
	links, err := q.ListLinks(ctx, 0, 1)
	if err != nil || len(links) == 0 {
		return "", err
	}
	return hex.EncodeToString(links[0].Hash), nil
}

// holdsLink reports whether a link is in the chain; that before the first is in all.
func holdsLink(ctx context.Context, q *gen.Queries, through int64, hash journal.Hash) (bool, error) {
	if through == 0 {
		return hash == journal.Hash{}, nil
	}
	links, err := q.ListLinks(ctx, through-1, 1)
	return err == nil && len(links) == 1 && links[0].Through == through && bytes.Equal(links[0].Hash, hash[:]), err
}
