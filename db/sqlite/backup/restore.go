package backup

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// asideDraft is the ending of the draft of the old database, which the next restore removes.
const asideDraft = ".aside.restoring"

// Restoration is what Restore did.
type Restoration struct {
	Path  string // of the database, links followed
	Bytes int64  // of the backup, like the contents
	backup.Contents
	TakenAt time.Time // from the manifest; zero if there is none
	Tokens  int       // valid ones in the restored database
	Aside   string    // where the old database is, "" if there was none
}

// Restore puts a backup in the place of a database and keeps the old one aside. There may be no
// old one. It checks a copy first: with the manifest if there is one beside the backup, and
// without. It brings the copy up to date. With a key there must be a manifest
// that the key signed. The restored database has no sessions, because a session that was ended since
// would be valid again. The restored database belongs to the caller, and no other user may read it.
// Restore holds the locks that keep out a server and every process that opens the database:
//
//  1. The copy is beside the database, whole, under a name of its own. A kill leaves
//     the old database as it was; the next Restore removes the copy.
//  2. The log of the old database is copied into it and removed. A kill leaves it whole in
//     one file; a database that was damaged keeps its log for now.
//  3. The old database gets a second name, to keep it aside. A kill leaves it whole under both names.
//  4. The log of a damaged one, which is aside too, is removed, because a log that stays
//     would be read as the log of the new database. A kill leaves the damaged one without it.
//  5. The copy takes the first name in one step. A kill leaves either the old or the new database.
//
// Before step 3 Restore verifies the copy, which must continue the journal of the backup.
//
// Unavailable: the backup is damaged, of another program, newer than this one, or has a
// schema that the migrations did not make; a server or another program uses the database;
// the disk refuses. Then the database is unchanged. OutcomeUnknown: the disk failed after
// step 5; the restored database is in its place, and the error names the old one.
func Restore(ctx context.Context, from, to string, signedBy ed25519.PublicKey, now time.Time) (r Restoration, err error) {
	f, err := file.Locate(to)
	if err != nil {
		return r, err
	}
	return RestoreFile(ctx, f, from, to, signedBy, now)
}

// RestoreFile is Restore for a database that was located.
func RestoreFile(ctx context.Context, f file.File, from, to string, signedBy ed25519.PublicKey, now time.Time) (r Restoration, err error) {
	if err := replaceable(ctx, f); err != nil {
		return r, err
	}
	s, err := openSource(from, f, signedBy)
	if err != nil {
		return r, err
	}
	defer func() { _ = s.File.Close() }() // it was only read
	release, err := seize(ctx, f, to)
	if err != nil {
		return r, err
	}
	defer func() { err = untidied(err, release()) }()
	copied := file.File{Path: f.Path + file.CopyDraft, Name: from, Synchronous: f.Synchronous, Immutable: true, Schema: f.Schema}
	defer func() { err = untidied(err, removeAll(copied)) }()
	r.Path = f.Path
	if s.manifest != nil {
		r.TakenAt = s.manifest.TakenAt
	}
	if r.Bytes, r.Contents, err = s.copyTo(ctx, copied); err != nil {
		return Restoration{}, advised(ctx, f, s, err)
	}
	r, err = replaced(ctx, f, copied, r, now)
	return r, advised(ctx, f, s, err)
}

// untidied adds the error of tidying up to that of a restore or a backup. One that is done has no error: the
// next one removes what is left, and a lock ends with its process.
func untidied(err, tidying error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, tidying)
}

// replaced puts a copy in the place of the database. r has the contents of its backup.
func replaced(ctx context.Context, f, copied file.File, r Restoration, now time.Time) (Restoration, error) {
	if err := settle(ctx, f); err != nil {
		return Restoration{}, fault.Wrap(fault.Unavailable, err, "cannot keep %s aside", f.Path)
	}
	var err error
	if r.Tokens, err = beginAnew(ctx, copied, r.Contents, now); err != nil {
		return Restoration{}, fault.Wrap(fault.Unavailable, err, "cannot note the restore in %s", copied.Path)
	}
	if err := finished(ctx, copied, r.Contents); err != nil {
		return Restoration{}, err
	}
	if r.Aside, err = giveWay(f, copied, now); err != nil {
		return Restoration{}, err
	}
	return r, nil
}

// replaceable refuses a file that a restored database must not replace. It accepts a file that cannot
// be read, because that is a reason to restore.
func replaceable(ctx context.Context, f file.File) error {
	if err := f.MayWrite(); err != nil || f.Missing() {
		return err
	}
	seen, err := f.Identify(ctx, "immutable", "1")
	if err == nil && seen.Foreign() {
		return f.Refused(seen)
	}
	return nil
}

// seize keeps out servers and every process that opens the database, until release.
func seize(ctx context.Context, f file.File, to string) (release func() error, err error) {
	lock, err := f.Lock(ctx)
	if err != nil {
		return nil, err
	}
	if err := lock.Serve(ctx, to); err != nil {
		return nil, errors.Join(err, lock.Opened())
	}
	return func() error { return errors.Join(lock.Opened(), lock.Unlock()) }, nil
}

// beginAnew notes in the journal of a copy from which backup it came, and returns how many of its tokens are
// valid.
func beginAnew(ctx context.Context, f file.File, of backup.Contents, now time.Time) (good int, err error) {
	f.Immutable = false
	db, err := f.Open(ctx, "rw", 1, file.AlonePragmas)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	unit, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unit.Rollback() }() // it does nothing after the commit
	q := gen.New(unit)
	if err := noteRestore(ctx, q, filepath.Base(f.Name), of, now); err != nil {
		return 0, err
	}
	if err := file.Number(ctx, unit); err != nil { // a log of another copy does not fit this one
		return 0, err
	}
	tokens, err := q.ListTokens(ctx, 0, math.MaxInt64, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	for _, row := range tokens {
		if rows.Token(row).State(now) == access.Good {
			good++
		}
	}
	return good, unit.Commit()
}

// noteRestore writes an entry that names the backup and its newest link. The name of a file may not be valid
// UTF-8, but all text in a database is.
func noteRestore(ctx context.Context, q *gen.Queries, name string, of backup.Contents, now time.Time) error {
	link, err := of.ChainHead()
	if err != nil {
		return err
	}
	w := chain.NewWriter(q, nil, now)
	if err := w.ReadHead(ctx); err != nil {
		return err
	}
	noted := backup.Restored{ID: int64(w.Last) + 1, File: strings.ToValidUTF8(name, "\uFFFD"), Link: link}
	err = w.Write(ctx, journal.Entry{Origin: journal.Origin{Actor: "app restore"}, Entity: journal.Restores, EntityID: noted.ID, After: records.Restored(noted)})
	if err != nil {
		return err
	}
	return w.Seal(ctx)
}

// settle copies the log of the old database into it and removes the log, so that the database is one
// file, which no other process has open. It does not change a database that cannot be
// read or written, because SQLite would remove a log that it cannot understand. It also does not change
// a database beside the log of another, or an empty file beside a log. Unavailable: another process has
// the database open, or the disk refuses.
func settle(ctx context.Context, f file.File) error {
	if is, err := file.Occupied(f.Path); err != nil || !is {
		return err
	}
	if f.Missing() && f.LostLog() != nil || f.Belongs(ctx) != nil {
		return nil //nolint:nilerr // copying this log would damage the database
	}
	// With its log, because a kill in the middle of a checkpoint leaves a file that cannot be read alone.
	_, err := f.Identify(ctx, "mode", "ro")
	if unusable(err) && sqlerr.Code(err) != sqlite3.SQLITE_READONLY_ROLLBACK { // that one is taken back below
		return nil
	}
	db, err := f.Open(ctx, "rw", 1, file.CopyingPragmas)
	if err == nil {
		var mode string
		err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
		if err == nil && mode != "delete" {
			err = fmt.Errorf("its journal mode is %s", mode)
		}
		if closing := db.Close(); err == nil {
			err = closing
		}
	}
	if unusable(err) {
		return nil
	}
	if code := sqlerr.Code(err) & 0xff; code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED {
		return fault.Wrap(fault.Unavailable, err, "another program has it open")
	}
	return err
}

// unusable reports a file that SQLite cannot read or write as it is. SQLITE_ERROR means a schema that
// SQLite does not know.
func unusable(err error) bool {
	return sqlerr.IsDiskFailure(err) || sqlerr.IsReadOnly(err) || sqlerr.Code(err)&0xff == sqlite3.SQLITE_ERROR
}
