package file

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/url"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// SQLite applies every write-ahead log that has the right name, even to a database that
// another file was copied over. Two facts reveal such a log. Both hold at any moment,
// after a power cut too:
//
//   - The header of a database says that it has a log before its log is made. The header
//     of a backup says that it has none.
//   - The journal in the file without the log is an earlier part of the journal in the
//     file with the log.

// ForeignLog refuses a log that is damaged, that is older than the database, or that belongs to another
// database. A file whose journal cannot be read without the log passes: the power failed during a
// checkpoint.
func (f File) ForeignLog(ctx context.Context) error {
	if f.Immutable || SizeOf(f.Path+"-wal") == 0 || f.halfMade() {
		return nil
	}
	if err := f.unfitLog(ctx); err != nil {
		return err
	}
	logged, before, err := f.withoutLog(ctx)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to compare the log with
	}
	continues := false
	if logged {
		continues, err = f.continues(ctx, before)
		if err != nil && !sqlerr.IsDiskFailure(err) && sqlerr.Code(err) != sqlite3.SQLITE_ERROR {
			return nil // the next read of the file meets the same error
		}
	}
	if continues {
		return nil
	}
	return fault.New(fault.Unavailable, "%s-wal was not written for this %s, which another file was copied over; move the -wal away to use the database without it, or restore a backup with app restore", f.Path, f)
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

// ends are the first and the newest link of a journal.
type ends struct {
	origin string
	head   journal.Head
}

// withoutLog reports whether the header of the file says that it has a log, and returns the ends of the
// journal in the file.
func (f File) withoutLog(ctx context.Context) (logged bool, e ends, err error) {
	db, err := f.openWithoutLog()
	if err != nil {
		return false, e, err
	}
	defer func() { _ = db.Close() }() // it was only read
	var version []byte
	if err := db.QueryRowContext(ctx, "SELECT substr(data, 19, 2) FROM sqlite_dbpage WHERE pgno = 1").Scan(&version); err != nil {
		return false, e, err
	}
	if bytes.Equal(version, []byte{1, 1}) {
		return false, e, nil
	}
	q := gen.New(db)
	if err := chain.CheckEnd(ctx, q); err != nil {
		return true, e, err
	}
	if e.head, err = chain.End(ctx, q); err != nil {
		return true, e, err
	}
	e.origin, err = chain.Origin(ctx, q)
	return true, e, err
}

// openWithoutLog opens the file on one connection that ignores its log.
func (f File) openWithoutLog() (*sql.DB, error) {
	db, err := sql.Open("sqlite", f.DSN(url.Values{"immutable": {"1"}}))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// continues reports whether the journal with the log begins with the journal in the file alone.
func (f File) continues(ctx context.Context, before ends) (bool, error) {
	db, err := sql.Open("sqlite", f.DSN(url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }() // it was only read
	db.SetMaxOpenConns(1)
	q := gen.New(db)
	if origin, err := chain.Origin(ctx, q); err != nil || before.origin != "" && origin != before.origin {
		return false, err
	}
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
