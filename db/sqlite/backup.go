package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Backup copies a database to a new file as it is at one moment, and returns the
// manifest that now lies beside the copy. It reads on a connection of its own, so that
// it may run beside a server and refuses nobody's write. The copy has been verified
// whole, as a restore does, and is on the disk before it gets its name; a kill leaves no more
// than drafts, which the next backup into the folder removes. program is the version that
// takes it.
//
// A record that is not what the journal says is copied as it is, since the copy may be all
// that is left later. The manifest tells of that damage.
//
// The schema may be older than this program's: a backup comes before an upgrade.
//
// AlreadyExists: a file of that name is there. Unavailable: there is no database, it is
// damaged, not ours or newer than this program, or the disk refuses; then nothing has
// come to the folder.
func Backup(ctx context.Context, path, to, program string, now time.Time) (backup.Manifest, error) {
	f, err := locate(path)
	if err != nil {
		return backup.Manifest{}, err
	}
	return f.backup(ctx, to, program, now)
}

// Backup is the function Backup of this database, also where its name leads to another by now.
// Unavailable also: the file on the disk is no longer this database.
func (s *Store) Backup(ctx context.Context, to, program string, now time.Time) (backup.Manifest, error) {
	if err := s.writer.witness.check(ctx); err != nil {
		return backup.Manifest{}, unreachable(err)
	}
	return s.file.backup(ctx, to, program, now)
}

func (f file) backup(ctx context.Context, to, program string, now time.Time) (m backup.Manifest, err error) {
	f, version, err := f.readable(ctx)
	switch {
	case err != nil:
		return m, err
	case version == 0:
		return m, f.none()
	default:
		if err := f.checkSchema(ctx, version); err != nil { // before it is copied
			return m, err
		}
	}
	if to, err = filepath.Abs(to); err != nil {
		return m, fault.Wrap(fault.Unavailable, err, "cannot find %s", to)
	}
	if err := f.backupsOf(filepath.Dir(to)); err != nil {
		return m, err
	}
	waiting := noticeOf(ctx, "waiting for another process that is busy with the backups in "+filepath.Dir(to))
	folder, err := backup.OpenFolder(ctx, filepath.Dir(to))
	waiting.Stop()
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	m = backup.Manifest{File: filepath.Base(to), TakenAt: now.UTC().Truncate(time.Second), Program: program}
	if err := folder.Free(m.File); err != nil {
		return backup.Manifest{}, err
	}
	draft := file{path: folder.Draft(m.File), name: "the copy of " + f.String(), synchronous: f.synchronous, still: true, schema: f.schema}
	defer func() { err = errors.Join(err, draft.removeAll()) }()
	m.Contents, err = f.copyTo(ctx, draft, func() error { return folder.Create(m.File) })
	if err == nil {
		m.Damage, err = draft.unrestorable(ctx, m.Schema, true)
	}
	if disturbed := f.undisturbed(); disturbed != nil {
		err = disturbed
	}
	if err != nil {
		return backup.Manifest{}, fault.Wrap(fault.KindOf(err), err, "cannot back up %s to %s", f, to)
	}
	return folder.Publish(m)
}

// unrestorable says what a restore would refuse a file for, "" for nothing. sound: its pages and
// foreign keys were checked before. Sessions are left out, as they are not restored. A file of an
// older schema is not looked at: it is verified when it is restored and migrated.
func (f file) unrestorable(ctx context.Context, version int64, sound bool) (damage string, err error) {
	if version != f.schema.newest() {
		return "", nil
	}
	v, err := f.verifyWith(ctx, &verifier{of: f.schema, sound: sound})
	if err != nil {
		return "", err
	}
	found := slices.DeleteFunc(v.Findings, func(found Finding) bool { return found.Table == "sessions" })
	if len(found) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d findings: %s", len(found), found[0]), nil
}

// copyTo makes the draft, writes it, reads it back, and returns what it holds. A reading that is
// not query_only, because SQLite writes the copy on the connection that reads.
func (f file) copyTo(ctx context.Context, draft file, create func() error) (c backup.Contents, err error) {
	db, err := f.open(ctx, "ro", 1, copyingPragmas)
	if err != nil {
		return c, err
	}
	defer func() { _ = db.Close() }() // it was only read
	before, err := chainOf(ctx, db)
	if err != nil {
		return c, classify(err)
	}
	if err := fits(ctx, db, filepath.Dir(draft.path)); err != nil {
		return c, err
	}
	if err := create(); err != nil {
		return c, fault.Wrap(fault.Unavailable, err, "the copy cannot be written")
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", draft.path); err != nil {
		return c, classify(err)
	}
	if c, err = draft.contents(ctx); err != nil {
		return c, err
	}
	return c, between(ctx, before, draft, db)
}

// fits refuses a copy of the database for which the disk has no room.
func fits(ctx context.Context, db *sql.DB, dir string) error {
	var size int64
	err := db.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size)
	if err != nil {
		return classify(err)
	}
	return backup.Fits(dir, size)
}

// removeAll removes a draft, and what SQLite may have left beside it.
func (f file) removeAll() error {
	err := remove(f.path)
	for _, part := range []string{"-journal", "-wal", "-shm"} {
		err = errors.Join(err, remove(f.path+part))
	}
	return err
}

// between checks that the draft is the database at a moment since before: its chain has
// the link that was the newest then, and the database has the newest of the draft. What
// is between them cannot differ, since each link is made of the one before it.
func between(ctx context.Context, before chain, draft file, db *sql.DB) error {
	copied, err := draft.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return err
	}
	defer func() { _ = copied.Close() }() // it was only read
	end, err := chainOf(ctx, copied)
	if err != nil {
		return classify(err)
	}
	has, err := holdsLink(ctx, gen.New(copied), before.through, before.head)
	if err != nil {
		return classify(err)
	}
	had, err := holdsLink(ctx, gen.New(db), end.through, end.head)
	if err != nil {
		return classify(err)
	}
	if !has || !had {
		return fault.New(fault.Unavailable, "the journal of the copy is not that of the database")
	}
	return nil
}

// chain is where a journal ends.
type chain struct {
	through int64
	head    journal.Hash
}

func chainOf(ctx context.Context, db *sql.DB) (c chain, err error) {
	c.through, c.head, err = chainEnd(ctx, gen.New(db))
	return c, err
}
