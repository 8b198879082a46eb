package file

import (
	"context"
	"database/sql"
	"net/url"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// Inspect returns the schema version of the file, 0 if it is missing or empty. It does not change the
// file. Unavailable: the file is not a database, belongs to another program, is newer than this binary,
// or comes from a build that was never released; or its log belongs to another or a lost database; or a
// change to it is half made.
func (f File) Inspect(ctx context.Context) (int64, error) {
	if f.Missing() {
		return 0, f.LostLog()
	}
	if SizeOf(f.Path) == 1 { // SQLite takes it for an empty file and overwrites it
		return 0, fault.New(fault.Unavailable, "%s is not a database: it holds one byte; remove it, or choose another name", f)
	}
	// This read takes no lock and makes no file beside the database. It does not see what is still in
	// the write-ahead log, but it is enough to refuse a file that is not ours.
	first, err := f.Identify(ctx, "immutable", "1")
	if err == nil {
		if err := f.Refused(first); err != nil {
			return 0, err
		}
	}
	if err := f.Belongs(ctx); err != nil {
		return 0, err
	}
	seen, err := f.Identify(ctx, "mode", "ro")
	switch code := sqlerr.Code(err) & 0xff; {
	case sqlerr.Code(err) == sqlite3.SQLITE_READONLY_ROLLBACK:
		return 0, fault.Wrap(fault.Unavailable, err, "a kill or a power cut left a change to %s half made, and %s-journal says how to take it back; app migrate does that, in a folder of yours to which you have copied both if nothing can be written here", f, f.Path)
	case code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT:
		return 0, fault.Wrap(fault.Unavailable, err, "%s is not a database that can be read; name another file, or restore a backup with app restore", f)
	case err != nil:
		return 0, fault.Wrap(fault.Unavailable, sqlerr.Classify(err), "cannot read %s", f)
	}
	return seen.version, f.Refused(seen)
}

// takenBack is Inspect for a process that writes. If a kill or a power cut left a change half made,
// SQLite first undoes it with the journal beside the file.
func (f File) takenBack(ctx context.Context) (int64, error) {
	version, err := f.Inspect(ctx)
	if sqlerr.Code(err) != sqlite3.SQLITE_READONLY_ROLLBACK {
		return version, err
	}
	if _, err := f.Identify(ctx, "mode", "rw"); err != nil {
		return 0, fault.Wrap(fault.Unavailable, sqlerr.Classify(err), "cannot take back the change to %s that was left half made", f)
	}
	return f.Inspect(ctx)
}

// Identity is what the header and the schema of a file say about it.
type Identity struct {
	application, tables, version int64
}

// Foreign reports a database of another program.
func (i Identity) Foreign() bool {
	empty := i.application == 0 && i.tables == 0
	return !empty && i.application != schema.ApplicationID
}

// Refused returns why this program must not touch a file, nil if it may.
func (f File) Refused(i Identity) error {
	switch newest := f.Schema.Newest(); {
	case i.Foreign():
		return fault.New(fault.Unavailable, "%s is the database of another program", f)
	case i.version > newest:
		return fault.New(fault.Unavailable, "%s has schema version %d, this program knows %d: use a newer one, or go back with app restore and the backup from before the upgrade", f, i.version, newest)
	case i.version > 0 && i.version < f.Schema.Baseline():
		return fault.New(fault.Unavailable, "%s was made by an unreleased build; serve it with that build, or start a new one", f)
	}
	return nil
}

// Identify reads the Identity on a connection of its own, opened with one parameter. It reads one
// snapshot, because another process may be making the database.
func (f File) Identify(ctx context.Context, parameter, value string) (i Identity, err error) {
	db, err := sql.Open("sqlite", f.DSN(url.Values{parameter: {value}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return i, err
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return i, err
	}
	defer func() { _ = tx.Rollback() }() // it was only read

	err = tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&i.application)
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&i.tables)
	}
	if err != nil {
		return i, err
	}
	if i.application == schema.ApplicationID {
		i.version, err = schema.Version(ctx, tx)
	}
	return i, err
}
