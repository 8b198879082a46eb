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

// readable is inspect for who only reads. Beside a database SQLite makes the files by
// which a writer and its readers share it. It makes none on a medium or in a folder where
// nothing can be written, and none for a guest: a user who does not own the database, and
// whose files would lock its owner out. Where the files are missing SQLite then refuses.
// What readable returns can be read without them, as a file that nobody writes: undisturbed
// tells afterwards whether that was so. Unavailable: as for inspect; or somebody may be
// writing it.
func (f file) readable(ctx context.Context) (file, int64, error) {
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
	f.still = true
	version, err = f.inspect(ctx)
	return f, version, err
}

// undisturbed refuses what was read of a file that was taken for still, where somebody has
// written to it since: what was read is then of no one moment.
func (f file) undisturbed() error {
	if f.seen == nil {
		return nil
	}
	now, err := f.sameAs(f.seen)
	if err == nil && (now.Size() != f.seen.Size() || !now.ModTime().Equal(f.seen.ModTime())) {
		err = errors.New("another process wrote to it meanwhile")
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s was not read as it is at one moment; try again", f)
	}
	return nil
}

// backupsOf refuses a guest to put a backup into a folder of the owner, who could then put
// none there: the lock of that folder would be the guest's.
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
