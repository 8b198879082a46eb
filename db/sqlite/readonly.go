package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// readable is inspect for commands that only read. SQLite shares a database through files
// beside it, the log and its index, and makes them where they are missing. It cannot make
// them where nothing can be written. It must not make them for a guest, a user who does not
// own the database, because the files of a guest lock the owner out. In both cases readable
// returns a file that is read without them, as one that nobody writes; undisturbed checks
// that afterwards, and of every file that it is still the one that was looked at. Unavailable: as
// for inspect; or somebody may be writing it.
func (f file) readable(ctx context.Context) (file, int64, error) {
	if f.guestOf == "" { // for a guest SQLite makes neither file, and nobody locks what is the owner's
		if err := f.joinable(ctx); err != nil {
			return f, 0, err
		}
	}
	f.seen, _ = os.Stat(f.path) // inspect says what is wrong with one that is missing
	version, err := f.inspect(ctx)
	code := resultCode(err)
	if code == sqlite3.SQLITE_READONLY_ROLLBACK || code&0xff != sqlite3.SQLITE_CANTOPEN && code&0xff != sqlite3.SQLITE_READONLY {
		return f, version, err
	}
	if f.seen, err = os.Stat(f.path); err != nil {
		return f, 0, fault.Wrap(fault.Unavailable, err, "cannot read %s", f)
	}
	for _, part := range parts {
		switch info, err := os.Lstat(f.path + part); {
		case err != nil:
		case f.guestOf != "":
			return f, 0, f.onlyOwner("%s may have changes in %s%s, which only %s can read at this moment", f, f, part, f.guestOf)
		case info.Size() > 0:
			return f, 0, fault.New(fault.Unavailable, "%s has changes in %s%s, which cannot be read where nothing can be written beside it; copy both into a folder of yours, and use the copy", f, f, part)
		default: // a server may be about to write it
			if served, err := f.served(); err != nil {
				return f, 0, err
			} else if served {
				return f, 0, fault.New(fault.Unavailable, "a server of another user has %s open; only that user can read it meanwhile", f)
			}
		}
	}
	if f.guestOf != "" && exists(f.path+"-shm") { // it is open, and its log was removed
		return f, 0, f.onlyOwner("%s is in use without its log; only %s can read it at this moment", f, f.guestOf)
	}
	f.still = true
	version, err = f.inspect(ctx)
	return f, version, err
}

// current is readable for a database that has the newest schema. Unavailable: as for
// readable, or its schema is older.
func (f file) current(ctx context.Context) (file, error) {
	f, version, err := f.readable(ctx)
	switch newest := f.schema.newest(); {
	case err != nil:
		return f, err
	case version == 0:
		return f, f.none()
	case version != newest:
		return f, fault.New(fault.Unavailable, "%s has schema version %d, not %d: app migrate first", f, version, newest)
	}
	return f, nil
}

// undisturbed refuses what was read of a file if another has its name now, as after a restore:
// some connections may have read the one, and some the other. It also refuses what was read as of
// a file that nobody writes, if somebody has written to it since: parts of it may be older than others.
func (f file) undisturbed() error {
	if f.seen == nil {
		return nil
	}
	now, err := f.sameAs(f.seen)
	if err == nil && f.still && (now.Size() != f.seen.Size() || !now.ModTime().Equal(f.seen.ModTime())) {
		err = errors.New("another process wrote to it meanwhile")
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s changed while it was read; try again", f)
	}
	return nil
}

// backupsOf refuses a guest who would put a backup into a folder of the owner. The guest would
// own the lock in that folder, and the owner could put no more backups there.
func (f file) backupsOf(folder string) error {
	if f.guestOf == "" {
		return nil
	}
	folder, err := disk.Resolve(folder)
	if err != nil {
		return nil //nolint:nilerr // opening it fails, and says why
	}
	own, owner, err := disk.BelongsTo(os.Geteuid(), folder)
	if err == nil && folder != filepath.Dir(f.path) && (own || owner != f.guestOf) {
		return nil
	}
	return fault.Wrap(fault.Unavailable, &OwnerError{folder, f.guestOf}, "name a file in a folder of your own for the backup")
}
