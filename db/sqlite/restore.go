package sqlite

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// The endings of the drafts of a restore, which the next restore removes.
const (
	copyDraft  = ".restoring"       // of the copy that takes the place of the database
	asideDraft = ".aside.restoring" // of what is kept aside
)

// Restoration is what Restore did.
type Restoration struct {
	Path  string // of the database, links followed
	Bytes int64  // of the backup, as are the contents
	backup.Contents
	TakenAt time.Time // as the manifest says; zero where there is none
	Tokens  int       // that are good in the database now
	Aside   string    // where the database is that was there before, "" when there was none
	// Abandoned is where the journal of that database ends, when the backup does not
	// continue it: the restored one records that. Zero when nothing is given up.
	Abandoned journal.Head
	// Unrecorded: that database cannot be read, so that nothing is recorded of it.
	Unrecorded bool
}

// Restore puts a backup in the place of a database, which it keeps aside, or where none
// is. It checks a copy first: with the manifest when there is one beside the backup, and
// without. It brings the copy up to date. Where a key is given, there must be a manifest,
// signed by it. Nobody is signed in to what it restores: a session that was ended since
// would be good again. The restored database is the caller's, and nobody else may read it.
// With the locks held that keep out a server and everyone who opens the database:
//
//  1. The copy is beside the database, whole, under a name of its own. A kill leaves
//     the old database as it was; the next Restore removes the copy.
//  2. The old database's log is copied into it and removed. A kill leaves it whole in
//     one file; a database that was damaged keeps its log for now.
//  3. It gets a second name, to be kept aside. A kill leaves it whole under both; the
//     next process that opens it to write removes the second.
//  4. The log of a damaged one, which is aside too, is removed, as a log that stays
//     would be read as the new database's. A kill leaves what was damaged without it.
//  5. The copy takes the first name in one step. A kill leaves the one or the other.
//
// Before step 3 the copy is verified whole, and must continue the journal of the backup.
//
// Unavailable: the backup is damaged, of another program, newer than this one, or has a
// schema that the migrations did not make; a server or another program uses the database;
// the disk refuses. Then the database is as it was. OutcomeUnknown: the disk failed after
// step 5; the restored database is there, and the error names what was before.
func Restore(ctx context.Context, from, to string, signedBy ed25519.PublicKey, now time.Time) (r Restoration, err error) {
	f, err := locate(to)
	if err != nil {
		return r, err
	}
	return f.restore(ctx, from, to, signedBy, now)
}

func (f file) restore(ctx context.Context, from, to string, signedBy ed25519.PublicKey, now time.Time) (r Restoration, err error) {
	if err := f.replaceable(ctx); err != nil {
		return r, err
	}
	s, err := openSource(from, f, signedBy)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.file.Close()) }()
	release, err := f.seize(ctx, to)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	copied := file{path: f.path + copyDraft, name: from, synchronous: f.synchronous, still: true, schema: f.schema}
	defer func() { err = errors.Join(err, copied.removeAll()) }()
	r.Path = f.path
	if s.manifest != nil {
		r.TakenAt = s.manifest.TakenAt
	}
	if r.Bytes, r.Contents, err = s.copyTo(ctx, copied); err != nil {
		return Restoration{}, f.advised(ctx, s, err)
	}
	r, err = f.replaced(ctx, copied, r, now)
	return r, f.advised(ctx, s, err)
}

// replaced puts a copy in the place of the database: the contents of its backup are known.
func (f file) replaced(ctx context.Context, copied file, r Restoration, now time.Time) (Restoration, error) {
	if err := f.settle(ctx); err != nil {
		return Restoration{}, fault.Wrap(fault.Unavailable, err, "cannot keep %s aside", f.path)
	}
	given, end, err := f.givenUpFor(ctx, copied, filepath.Base(copied.name), now)
	if ctx.Err() != nil {
		return Restoration{}, fault.Wrap(fault.Unavailable, ctx.Err(), "cannot restore %s", f.path)
	}
	r.Abandoned, r.Unrecorded = end, err != nil
	if r.Tokens, err = copied.beginAnew(ctx, given, now); err != nil {
		return Restoration{}, fault.Wrap(fault.Unavailable, err, "cannot record in %s what it gives up", copied.path)
	}
	if err := copied.finished(ctx, r.Contents); err != nil {
		return Restoration{}, err
	}
	if r.Aside, err = f.giveWay(copied, now); err != nil {
		return Restoration{}, err
	}
	return r, nil
}

// replaceable refuses what a restored database must not take the place of. What cannot
// be read may be: it is why one restores.
func (f file) replaceable(ctx context.Context) error {
	if err := f.owned(); err != nil || f.missing() {
		return err
	}
	seen, err := f.look(ctx, "immutable", "1")
	if err == nil && seen.foreign() {
		return f.refusal(seen)
	}
	return nil
}

// seize keeps out servers and everyone who is about to open the database, until
// release.
func (f file) seize(ctx context.Context, to string) (release func() error, err error) {
	unlock, err := f.lockServe(ctx, to)
	if err != nil {
		return nil, err
	}
	migrating, err := f.lock(ctx, migrateLock)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return func() error { return errors.Join(migrating.Unlock(), unlock()) }, nil
}

// beginAnew records the branches that a copy gives up, and returns how many of its tokens
// are good.
func (f file) beginAnew(ctx context.Context, given []backup.Branch, now time.Time) (good int, err error) {
	f.still = false
	db, err := f.open(ctx, "rw", 1, alonePragmas)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	unit, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unit.Rollback() }() // which does nothing after the commit
	q := gen.New(unit)
	if err := abandonAll(ctx, unit, given, now); err != nil {
		return 0, err
	}
	tokens, err := q.ListTokens(ctx, 0, math.MaxInt64, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	for _, row := range tokens {
		if tokenOf(row).State(now) == access.Good {
			good++
		}
	}
	return good, unit.Commit()
}

// giveWay keeps the database aside and puts the copy in its place: steps 3 to 5 of
// Restore.
func (f file) giveWay(copied file, now time.Time) (aside string, err error) {
	aside, log, err := f.keepAside(now)
	if err == nil {
		err = f.replaceBy(copied.path, log)
	}
	if err == nil {
		return aside, nil
	}
	placed, kept := !exists(copied.path), ""
	if !placed && !log && aside != "" { // the database has its own name as before
		err, aside = errors.Join(err, os.Remove(aside)), ""
	}
	if aside != "" {
		kept = "; what was there before is " + aside
	}
	if placed {
		return "", fault.Wrap(fault.OutcomeUnknown, err, "%s is restored, but the disk failed, so that a power cut may take it back%s", f.path, kept)
	}
	return "", fault.Wrap(fault.Unavailable, err, "cannot replace %s%s", f.path, kept)
}

// settle copies the log of the old database, where there is one, into it and removes that,
// so that all of it is in one file with one name, and nobody else has it open. A database that cannot be read or written is left as
// it is, since SQLite would remove a log that it cannot make sense of; so is one that lies
// beside the log of another, and an empty file beside a log. Unavailable:
// another process has it open, or the disk refuses.
func (f file) settle(ctx context.Context) error {
	if err := f.forgetTwins(); err != nil {
		return err
	}
	if is, err := occupied(f.path); err != nil || !is {
		return err
	}
	if _, err := f.look(ctx, "immutable", "1"); unusable(err) {
		return nil
	}
	if f.missing() && f.lostLog() != nil || f.foreignLog(ctx) != nil {
		return nil //nolint:nilerr // to copy it into the database would damage that
	}
	db, err := f.open(ctx, "rw", 1, copyingPragmas)
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
	if code := resultCode(err) & 0xff; code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED {
		return fault.Wrap(fault.Unavailable, err, "another program has it open")
	}
	return err
}

// unusable reports a file that SQLite cannot read, or cannot write, as it is. SQLITE_ERROR is
// that of a schema it does not know.
func unusable(err error) bool {
	return isDiskFailure(err) || isReadOnly(err) || resultCode(err)&0xff == sqlite3.SQLITE_ERROR
}

// parts of a database that may lie beside it, and go where it goes.
var parts = []string{"-wal", "-journal"}

// keepAside gives the old database, and what is left of its log, a second name, "" when
// there is nothing. log: there is some of that.
func (f file) keepAside(now time.Time) (aside string, log bool, err error) {
	draft := f.path + asideDraft
	if err := remove(draft); err != nil { // a kill left it
		return "", false, err
	}
	name := f.path + beforeRestore + backup.Stamp(now)
	for n := 2; exists(name) || exists(name+"-wal"); n++ {
		name = fmt.Sprintf("%s%s%s-%d", f.path, beforeRestore, backup.Stamp(now), n)
	}
	for _, part := range append([]string{""}, parts...) {
		is, err := occupied(f.path + part)
		if err == nil && is {
			err = link(f.path+part, name+part, draft)
		}
		if err != nil {
			return aside, log, err
		}
		if is {
			aside, log = name, part != ""
		}
	}
	return aside, log, f.sync(filepath.Dir(f.path))
}

// replaceBy puts the copy in the place of the database.
func (f file) replaceBy(copied string, log bool) error {
	beside := []string{"-shm"}
	if log {
		beside = append(beside, parts...)
	}
	for _, part := range beside {
		if err := remove(f.path + part); err != nil {
			return err
		}
	}
	// What was removed must not be there again after a power cut, beside the copy.
	if err := f.sync(filepath.Dir(f.path)); err != nil {
		return err
	}
	if err := os.Rename(copied, f.path); err != nil {
		return err
	}
	return f.sync(filepath.Dir(f.path))
}

// link gives a file a second name; where the file system has no links, a copy.
func link(from, to, draft string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return keepCopy(from, to, draft)
}

// keepCopy copies a file. The copy is a draft until it is whole and on the disk, so that a
// kill leaves no part of one under the name that it gets.
func keepCopy(from, to, draft string) error {
	err := duplicate(from, draft)
	if err == nil {
		err = disk.Rename(draft, to)
	}
	if err != nil {
		return errors.Join(err, remove(draft))
	}
	return nil
}

func duplicate(from, to string) (err error) {
	in, err := os.Open(from) //nolint:gosec // the caller's database, which nobody has open
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := disk.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// occupied reports whether a name is taken. An error says that it cannot be told.
func occupied(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
