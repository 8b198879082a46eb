package file

import (
	"context"
	"errors"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// Readable is Inspect for commands that only read. SQLite shares a database through two files beside
// it, the log and its index, and makes them if they are missing. Where nothing can be written, or the disk
// is full, it cannot. Then Readable returns a file that SQLite reads without them, as one that no process
// writes. Unchanged checks that afterwards, and checks for every file that its name still leads to it.
// Unavailable: as for Inspect, or another process may be writing the file.
func (f File) Readable(ctx context.Context) (File, int64, error) {
	f.seen, _ = os.Stat(f.Path) // Inspect reports a missing file
	version, err := f.Inspect(ctx)
	if !noFilesBeside(err) {
		return f, version, err
	}
	if f.seen, err = os.Stat(f.Path); err != nil {
		return f, 0, fault.Wrap(fault.Unavailable, err, "cannot read %s", f)
	}
	for _, part := range LogParts {
		switch info, err := os.Lstat(f.Path + part); {
		case err != nil:
		case info.Size() > 0:
			return f, 0, fault.New(fault.Unavailable, "%s has changes in %s%s, which cannot be read where nothing can be written beside it; copy both into a folder of yours, and use the copy", f, f, part)
		default: // a server may be about to write it
			if served, err := f.Served(); err != nil {
				return f, 0, err
			} else if served {
				return f, 0, fault.New(fault.Unavailable, "a server of another user has %s open; only that user can read it meanwhile", f)
			}
		}
	}
	f.Immutable = true
	version, err = f.Inspect(ctx)
	return f, version, err
}

// noFilesBeside reports that SQLite could not make the log or its index: nothing can be written there, or the
// disk is full.
func noFilesBeside(err error) bool {
	switch code := sqlerr.Code(err); code & 0xff {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL:
		return true
	case sqlite3.SQLITE_READONLY:
		return code != sqlite3.SQLITE_READONLY_ROLLBACK
	default:
		return code == sqlite3.SQLITE_IOERR_SHMSIZE || code == sqlite3.SQLITE_IOERR_SHMOPEN
	}
}

// Current is Readable for a database that has the newest schema. Unavailable: as for Readable, or its
// schema is older.
func (f File) Current(ctx context.Context) (File, error) {
	f, version, err := f.Readable(ctx)
	switch newest := f.Schema.Newest(); {
	case err != nil:
		return f, err
	case version == 0:
		return f, f.NoDatabase()
	case version != newest:
		return f, fault.New(fault.Unavailable, "%s has schema version %d, not %d: app migrate first", f, version, newest)
	}
	return f, nil
}

// Unchanged returns an error if the name of the file now leads to another file, as after a restore:
// some connections may have read the old file and some the new one. For a file that no process should
// write it also returns an error if somebody wrote to it: parts of the read may be older than others.
func (f File) Unchanged() error {
	if f.seen == nil {
		return nil
	}
	now, err := f.sameAs(f.seen)
	if err == nil && f.Immutable && (now.Size() != f.seen.Size() || !now.ModTime().Equal(f.seen.ModTime())) {
		err = errors.New("another process wrote to it meanwhile")
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s changed while it was read; try again", f)
	}
	return nil
}
