// Package backup copies a database to a backup, and puts a backup in the place of a database. A restore
// notes in the journal from which backup it came.
//
// It must not know the Store: a backup runs beside a server, and a restore runs without one.
package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Backup copies a database, as it is at one moment, to a new file, and returns the manifest that now
// lies beside the copy. It reads on its own connection, so that it can run beside a server and blocks
// no write. It verifies the copy as a restore does, and syncs it before it gives it its name. A kill
// leaves only drafts, which the next backup into the folder removes. program is the version that takes
// the backup.
//
// It copies a record that differs from the journal as it is, because the copy may later be all that is
// left. The manifest describes that damage.
//
// The schema may be older than this program's, because a backup comes before an upgrade.
//
// AlreadyExists: a file of that name exists. Unavailable: there is no database, it is damaged, not ours
// or newer than this program, or the disk refuses. Then no new file is in the folder.
func Backup(ctx context.Context, path, to, program string, now time.Time) (backup.Manifest, error) {
	f, err := file.Locate(path)
	if err != nil {
		return backup.Manifest{}, err
	}
	return Take(ctx, f, to, program, now)
}

// Take is Backup for a file that was located.
func Take(ctx context.Context, f file.File, to, program string, now time.Time) (m backup.Manifest, err error) {
	f, version, err := f.Readable(ctx)
	switch {
	case err != nil:
		return m, err
	case version == 0:
		return m, f.NoDatabase()
	default:
		if err := f.CheckSchema(ctx, version); err != nil { // before it is copied
			return m, err
		}
	}
	if to, err = filepath.Abs(to); err != nil {
		return m, fault.Wrap(fault.Unavailable, err, "cannot find %s", to)
	}
	waiting := file.NoticeAfter(ctx, "waiting for another process that is busy with the backups in "+filepath.Dir(to))
	folder, err := backup.OpenFolder(ctx, filepath.Dir(to))
	waiting.Stop()
	if err != nil {
		return m, err
	}
	defer func() { err = untidied(err, folder.Close()) }()
	m = backup.Manifest{File: filepath.Base(to), TakenAt: now.UTC().Truncate(time.Second), Program: program}
	if err := folder.Free(m.File); err != nil {
		return backup.Manifest{}, err
	}
	draft := file.File{Path: folder.Draft(m.File), Name: "the copy of " + f.String(), Synchronous: f.Synchronous, Immutable: true, Schema: f.Schema}
	defer func() { err = untidied(err, removeAll(draft)) }()
	var found records.Findings
	m.Contents, found, err = copyTo(ctx, f, draft, func() error { return folder.Create(m.File) })
	if err == nil {
		m.Damage, err = unrestorable(ctx, draft, m.Schema, found)
	}
	if disturbed := f.Unchanged(); disturbed != nil {
		err = disturbed
	}
	if err != nil {
		return backup.Manifest{}, fault.Wrap(fault.KindOf(err), err, "cannot back up %s to %s", f, to)
	}
	return folder.Publish(m)
}

// unrestorable says why a restore would refuse a draft whose pages are sound, "" if it would not. found
// is what is wrong with its indexes and foreign keys. unrestorable leaves sessions out, because a restore
// removes them. It does not check a draft of an older schema, which is verified when it is restored and
// migrated.
func unrestorable(ctx context.Context, f file.File, version int64, found records.Findings) (damage string, err error) {
	if len(found) > 0 {
		return fmt.Sprintf("%d findings: %s", len(found), found[0]), nil
	}
	if version != f.Schema.Newest() {
		return "", nil
	}
	v, err := verify.Copy(ctx, f)
	if err != nil {
		return "", err
	}
	if found := v.Restored(); len(found) > 0 {
		damage = fmt.Sprintf("%d findings: %s", len(found), found[0])
	}
	return damage, nil
}

// copyTo makes the draft, writes it, reads it back, and returns its contents, and what is wrong with its
// indexes and foreign keys: SQLite copies these as they are. The connection is not
// query_only, because SQLite writes the copy on the connection that reads.
func copyTo(ctx context.Context, f, draft file.File, create func() error) (c backup.Contents, found records.Findings, err error) {
	db, err := f.Open(ctx, "ro", 1, file.CopyingPragmas)
	if err != nil {
		return c, nil, err
	}
	defer func() { _ = db.Close() }() // it was only read
	before, err := chain.End(ctx, gen.New(db))
	if err != nil {
		return c, nil, sqlerr.Classify(err)
	}
	if err := fits(ctx, db, filepath.Dir(draft.Path)); err != nil {
		return c, nil, err
	}
	if err := create(); err != nil {
		return c, nil, fault.Wrap(fault.Unavailable, err, "the copy cannot be written")
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", draft.Path); err != nil {
		return c, nil, sqlerr.Classify(err)
	}
	if err := renumber(ctx, draft); err != nil {
		return c, nil, sqlerr.Classify(err)
	}
	if c, found, err = readable(ctx, draft); err != nil {
		return c, nil, err
	}
	return c, found, between(ctx, before, draft, db)
}

// renumber gives a copy a number of its own, so that no log of the database fits it.
func renumber(ctx context.Context, f file.File) (err error) {
	f.Immutable = false
	db, err := f.Open(ctx, "rw", 1, file.AlonePragmas)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return file.Number(ctx, db)
}

// fits refuses a copy that is larger than the free space of the disk.
func fits(ctx context.Context, db *sql.DB, dir string) error {
	var size int64
	err := db.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size)
	if err != nil {
		return sqlerr.Classify(err)
	}
	return backup.Fits(dir, size)
}

// removeAll removes a draft, and the files that SQLite may have left beside it.
func removeAll(f file.File) error {
	err := file.Remove(f.Path)
	for _, part := range []string{"-journal", "-wal", "-shm"} {
		err = errors.Join(err, file.Remove(f.Path+part))
	}
	return err
}

// between checks that the draft is the database at a moment after before: the chain of the draft has
// the link that was the newest before, and the database has the newest link of the draft. The links
// between them cannot differ, because each link is made of the one before it.
func between(ctx context.Context, before journal.Head, draft file.File, db *sql.DB) error {
	var end journal.Head
	var has bool
	err := draft.Reading(ctx, func(tx *sql.Tx) (err error) {
		if end, err = chain.End(ctx, gen.New(tx)); err == nil {
			has, err = chain.Holds(ctx, gen.New(tx), before)
		}
		return err
	})
	if err != nil {
		return err
	}
	had, err := chain.Holds(ctx, gen.New(db), end)
	if err != nil {
		return sqlerr.Classify(err)
	}
	if !has || !had {
		return fault.New(fault.Unavailable, "the journal of the copy is not the journal of the database")
	}
	return nil
}
