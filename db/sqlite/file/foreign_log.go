package file

import (
	"context"
	"database/sql"
	"io"
	"net/url"

	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// SQLite applies every write-ahead log that has the right name, even to a database that another file was
// copied over. The first 100 bytes of a database, its header, reveal such a log:
//
//   - Each transaction of this program writes a random number there (user_version). The number is written
//     to the log, and to the database when SQLite copies the log.
//   - The first transaction of this program in a log notes the header that the file has, and a random name
//     for the log (log_base).
//
// So a log belongs to a database that has the noted header, or, when SQLite has begun to copy the log,
// the header in one of the transactions of the log. SQLite copies the first page first, except where a reader
// still needs an older one: then the file keeps the noted header, but gets the note. So a log does not belong
// to a database with another note of the same header.
//
// SQLite begins a log only when the file has all that the log before it held. So the log also has each
// page that the file does not reach (internal/wal, growth).
//
// A log of another program alone, or of an earlier build, does not note a header. Then the database is
// verified whole with its log, except if it changes only the tables of Litestream, which begins a log once
// a minute. The log of a migration from a schema without log_base has the sum of the header for its first
// number instead.

// ForeignLog refuses a log that is damaged, that is older than the database, or that was written for
// another database or for another state of this one. Another process may write the log meanwhile, so only
// a state that is seen three times counts. A log that cannot be read passes, because SQLite meets the same
// error. Unavailable.
func (f File) ForeignLog(ctx context.Context) error {
	if f.Immutable || SizeOf(f.Path+"-wal") == 0 {
		return nil
	}
	if f.halfMade() { // SQLite removes a log before it writes such a journal
		return fault.New(fault.Unavailable, "%s has a log in %s-wal and a change that is half made in %s-journal, which belong to two databases or states: another file was copied over one of them; keep a copy of all three, and %s", f, f.Path, f.Path, adviceBesideLog(false))
	}
	var last log
	for look := range 3 {
		now, err := f.readLog(ctx)
		if err != nil || now.problem() == none || look > 0 && now != last {
			return nil //nolint:nilerr // see above
		}
		last = now
	}
	return f.refuse(ctx, last)
}

// Doubted reports a log that does not say to which database it belongs.
func (f File) Doubted(ctx context.Context) bool {
	if SizeOf(f.Path+"-wal") == 0 {
		return false
	}
	l, err := f.readLog(ctx)
	return err == nil && l.problem() == doubtful
}

// log is what a write-ahead log and the database without it say.
type log struct {
	wal.Reading
	start    wal.Start // the header of the database
	note     wal.Note  // the note in the database, if it can be read
	database int64     // the newest link of the journal in the database
	partial  bool      // only a part of the log was copied, so the database cannot be read without it
}

// problem says why a log must not be applied.
type problem int

const (
	none     problem = iota
	damaged          // SQLite would drop transactions
	older            // SQLite would replace newer pages with older ones
	unneeded         // SQLite does not apply it
	doubtful         // it does not say to which database it belongs
	foreign          // it belongs to another database, or to another state of this one
)

func (l log) problem() problem {
	switch {
	case l.older():
		return older
	case l.loses():
		return damaged
	case l.unneeded():
		return unneeded
	case l.Applied == 0:
		return none
	case l.Apart || l.others():
		return foreign
	case l.Begun:
		return none
	case l.Base == wal.Start{} && (l.Summed || l.Guest):
		return none
	case l.Base == wal.Start{}:
		return doubtful
	case l.Base != l.start:
		return foreign
	}
	return none
}

// others reports a database with a part of another log, which was begun on a copy of the same database.
func (l log) others() bool {
	return l.note != wal.Note{} && l.note.Base == l.Base && !l.Named
}

// refuse returns the error for a log with a problem, nil if the database is whole all the same.
func (f File) refuse(ctx context.Context, l log) error {
	problem := l.problem()
	if problem == doubtful {
		defer NoticeAfter(ctx, "verifying "+f.String()+", because another program wrote its log").Stop()
		if whole, err := f.wholeWithLog(ctx); err != nil || whole {
			return err
		}
	}
	whole := f.wholeWithoutLog(ctx)
	if problem == unneeded && whole {
		return nil
	}
	advice := adviceBesideLog(whole)
	switch problem {
	case damaged, unneeded:
		return f.damagedLog(l, advice)
	case older:
		return fault.New(fault.Unavailable, "%s-wal ends with entry %d of the journal, before the end of the journal in %s, so that SQLite would put older pages in the place of newer ones; %s", f.Path, l.Newest, f, advice)
	case doubtful:
		return fault.New(fault.Unavailable, "%[1]s-wal was written by another program, and %[2]s does not verify whole with it: another file was copied over one of them, or that program changed records; %[3]s; if you want both as they are: sqlite3 %[1]s 'PRAGMA wal_checkpoint(TRUNCATE)', and see what app verify finds", f.Path, f, advice)
	}
	return fault.New(fault.Unavailable, "%s-wal was not written for this %s: another file was copied over one of them, or one is damaged; %s", f.Path, f, advice)
}

// adviceBesideLog says what to do about a log that does not fit. whole: the database verifies whole
// without it.
func adviceBesideLog(whole bool) string {
	const restore = "restore a backup with app restore"
	if whole {
		return restore + ", or move the -wal away to use the database without it"
	}
	return restore
}

// wholeWithLog reports whether the database with its log verifies whole. One of an older schema counts as
// whole, because app verify knows only the newest schema. It is verified before it is migrated. Unavailable.
func (f File) wholeWithLog(ctx context.Context) (bool, error) {
	verifier := f.whole
	f.whole = nil // the verifier does not doubt the log again
	seen, err := f.Identify(ctx, "mode", "ro")
	switch {
	case sqlerr.IsDamage(err):
		return false, nil
	case err != nil || verifier == nil || seen.version != f.Schema.Newest():
		return true, nil //nolint:nilerr // the next read of the file meets the same error
	}
	whole, err := verifier(ctx, f)
	if sqlerr.IsDamage(err) {
		return false, nil
	}
	return whole, err
}

// wholeWithoutLog reports whether the database verifies whole without its log. A database of an older
// schema counts as whole, because app verify knows only the newest schema.
func (f File) wholeWithoutLog(ctx context.Context) bool {
	f.Immutable = true
	first, err := f.Identify(ctx, "immutable", "1")
	if err != nil {
		return false
	}
	if first.version != f.Schema.Newest() {
		return true
	}
	if f.whole == nil {
		return false
	}
	whole, err := f.whole(ctx, f)
	return err == nil && whole
}

// halfMade reports a rollback journal that SQLite plays back before it reads the file. Such a journal
// begins with its magic number. SQLite ignores any other.
func (f File) halfMade() bool {
	file, err := disk.Open(f.Path + "-journal")
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	begins := make([]byte, 8)
	_, err = io.ReadFull(file, begins)
	return err == nil && string(begins) == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" // SQLite, "Database File Format", section 3
}

// openWithoutLog opens the file on one connection that ignores its log. While SQLite copies a log into a
// file that grows, the header says more pages than the file has. SQLite calls such a file malformed,
// except if the connection may write the schema. This connection writes nothing.
func (f File) openWithoutLog() (*sql.DB, error) {
	db, err := sql.Open("sqlite", f.DSN(url.Values{"immutable": {"1"}, "_pragma": {"writable_schema(1)"}}))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}
