package file

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"io"
	"net/url"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// SQLite applies every write-ahead log that has the right name, even to a database that
// another file was copied over. Six facts reveal such a log. All hold at any moment,
// after a power cut too:
//
//   - The header of a database says that it has a log before its log is made. The header
//     of a backup says that it has none.
//   - The journal in the file without the log is an earlier part of the journal in the
//     file with the log.
//   - SQLite begins a log only when the file has all that the log before it held. So the
//     file has the links from before the first transaction of its log.
//   - The log has each page that the file does not reach (internal/wal, growth).
//   - The journal in the file with the log has the links that the pages of the log show.
//   - The schema cookie of the file is not from before or after those in the log. A VACUUM and a
//     backup, which give every page another place, count it up.
//
// SQLite copies the first page first. If the file begins as a page of the log, SQLite has begun to
// copy this log. Then the file may be a mixture of before and after, which only the log makes
// readable, and it need not show the links from before.
//
// A transaction without entries, as a sign-in, shows the link that it follows (followed_links). The
// file has that link too. A log of an earlier build may have such transactions that show none.

// ForeignLog refuses a log that is damaged, that is older than the database, that belongs to another
// database, or to a newer state of this one. In doubt it verifies the database with its log.
func (f File) ForeignLog(ctx context.Context) error {
	if f.Immutable || SizeOf(f.Path+"-wal") == 0 || f.halfMade() {
		return nil
	}
	logged, err := f.unfitLog(ctx)
	if err != nil {
		return err
	}
	var fits fit
	for range 3 { // another process may exchange the files between two reads
		if fits, err = f.fits(ctx, logged); err == nil && fits != continues {
			logged, err = f.readLog(ctx)
		}
		if err != nil || fits == continues {
			return nil //nolint:nilerr // the next read of the file meets the same error
		}
	}
	if fits == doubtful {
		if whole, err := f.wholeWithLog(ctx, logged); err != nil || whole {
			return err
		}
	}
	return f.foreignLog(adviceBesideLog(f.wholeWithoutLog(ctx)))
}

// foreignLog is the error of a log of another database, or of another state of this one.
func (f File) foreignLog(advice string) error {
	return fault.New(fault.Unavailable, "%s-wal was not written for this %s: another file was copied over one of them, or one is damaged; %s", f.Path, f, advice)
}

// wholeWithLog reports whether the database with its log verifies whole. app verify knows only the newest
// schema. So one of an older schema counts as whole beside a log of an earlier build, and not beside one
// of this build, which shows the link that it follows. Unavailable.
func (f File) wholeWithLog(ctx context.Context, l loggedLinks) (bool, error) {
	verifier := f.whole
	f.whole = nil // the verifier does not doubt the log again
	seen, err := f.Identify(ctx, "mode", "ro")
	switch {
	case sqlerr.IsDamage(err):
		return false, nil
	case err != nil || verifier == nil:
		return true, nil //nolint:nilerr // the next read of the file meets the same error
	case seen.version != f.Schema.Newest():
		return l.Noted == (wal.Link{}), nil
	}
	whole, err := verifier(ctx, f)
	if sqlerr.IsDamage(err) {
		return false, nil
	}
	return whole, err
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

// ends are what a file without its log says. Its newest link is not readable if the power failed during a
// checkpoint; then head has the number of the newest link in any page.
type ends struct {
	readable bool
	head     journal.Head
	follows  bool   // the journal has the link that the log follows, or the log shows none
	cookie   uint32 // the schema cookie
}

// withoutLog reports whether the header of the file says that it has a log, and returns what the
// file says.
func (f File) withoutLog(ctx context.Context, l loggedLinks) (logged bool, e ends, err error) {
	db, err := f.openWithoutLog()
	if err != nil {
		return false, e, err
	}
	defer func() { _ = db.Close() }() // it was only read
	start, err := startOf(ctx, db)
	if err != nil || len(start) == 0 {
		return false, e, err
	}
	if start[18] == 1 && start[19] == 1 {
		return false, e, nil
	}
	e.cookie = start.number(40)
	q := gen.New(db)
	if chain.CheckEnd(ctx, q) == nil {
		e.head, err = chain.End(ctx, q)
		if err == nil {
			e.follows, err = chain.Holds(ctx, q, journal.Head{Seq: journal.Seq(l.Follows.Through), Hash: l.Follows.Hash})
		}
		e.readable = err == nil
	}
	if !e.readable {
		e.head.Seq, err = newestInPages(ctx, db)
	}
	return true, e, err
}

// newestInPages returns the number of the newest link in any page of the file.
func newestInPages(ctx context.Context, db *sql.DB) (newest journal.Seq, err error) {
	pages, err := db.QueryContext(ctx, "SELECT data FROM sqlite_dbpage")
	if err != nil {
		return 0, err
	}
	defer func() { _ = pages.Close() }() // Err has the error of the reading
	for pages.Next() {
		var page sql.RawBytes
		if err := pages.Scan(&page); err != nil {
			return 0, err
		}
		newest = max(newest, journal.Seq(linksIn(page).Newest))
	}
	return newest, pages.Err()
}

// fit says how a log and the database beside it belong together.
type fit int

const (
	foreign   fit = iota // the log is of another database
	doubtful             // the log may be of a newer state of the database
	continues            // the log continues the database
)

// fits compares the journal in the file alone with the journal in the file with the log, whose frames
// were read before.
func (f File) fits(ctx context.Context, l loggedLinks) (fit, error) {
	if l.Apart {
		return foreign, nil
	}
	logged, before, err := f.withoutLog(ctx, l)
	if err != nil || !logged {
		return foreign, err
	}
	db, err := sql.Open("sqlite", f.DSN(url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return foreign, err
	}
	defer func() { _ = db.Close() }() // it was only read
	db.SetMaxOpenConns(1)
	is, err := compare(ctx, db, before, l)
	missing := sqlerr.Code(err) == sqlite3.SQLITE_ERROR // a table
	switch {
	case missing && before.head.Seq == 0: // the database is being made
		return continues, nil
	case missing, sqlerr.IsDamage(err):
		return doubtful, nil
	}
	return is, err
}

// compare compares the journal in a file alone with the journal in the file with its log.
func compare(ctx context.Context, db *sql.DB, before ends, l loggedLinks) (fit, error) {
	with := gen.New(db)
	if before.readable {
		if is, err := follows(ctx, with, before); err != nil || !is {
			return foreign, err
		}
	}
	another := before.readable && !before.follows || int64(before.head.Seq) < max(l.Before, l.Follows.Through)
	moved := l.Cookies[0] > 0 && (before.cookie < l.Cookies[0] || before.cookie > l.Cookies[1])
	if !l.Begun && (another || moved) {
		return doubtful, nil
	}
	if reaches, err := reaches(ctx, db, l); err != nil || !reaches {
		return doubtful, err
	}
	return continues, nil
}

// reaches reports whether the journal in a file with its log has the links of the log. It has not, if the
// pages of the log are at the places of other pages of the file, as in a copy from before a VACUUM.
// Another process may be storing the last transaction of the log. Then it is not seen yet.
func reaches(ctx context.Context, db *sql.DB, l loggedLinks) (bool, error) {
	var page []byte
	err := db.QueryRowContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", l.Last.Page).Scan(&page)
	if err != nil && !sqlerr.IsNoRow(err) {
		return false, err
	}
	newest, seen := l.Visible, sha256.Sum256(page) == l.Last.Sum
	if seen {
		newest = l.Newest
	}
	end, err := chain.End(ctx, gen.New(db))
	if err != nil || int64(end.Seq) < newest {
		return false, err
	}
	if !seen || l.Noted == (wal.Link{}) {
		return true, nil
	}
	noted, err := gen.New(db).ListFollowedLinks(ctx)
	return err == nil && len(noted) == 1 && noted[0].Through >= l.Noted.Through, err
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

// follows reports whether a journal begins with that of the file alone.
func follows(ctx context.Context, q *gen.Queries, before ends) (bool, error) {
	if has, err := chain.Holds(ctx, q, before.head); err != nil || !has {
		return false, err
	}
	next, err := q.ListLinks(ctx, int64(before.head.Seq), 1)
	if err != nil || len(next) == 0 {
		return err == nil, err
	}
	rows, err := q.ListEntries(ctx, int64(before.head.Seq), next[0].Through)
	if err != nil {
		return false, err
	}
	var lines []byte
	for _, row := range rows {
		lines = chain.Entry(row).AppendTo(lines)
	}
	head := before.head.Hash.Next(lines)
	return bytes.Equal(head[:], next[0].Hash), nil
}
