package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/verify"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// Guarded is a database file that is up to date and that this process alone serves.
type Guarded struct {
	file         file.File
	unlock       func() error
	announcement fs.FileInfo // the file that Announce wrote, nil before
}

// Guard makes the caller the one server of a database file until Release is called,
// and brings the file up to date, which nobody may do while it is served.
// Unavailable: another process serves it, or as for Migrate.
func Guard(ctx context.Context, path string) (*Guarded, error) {
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		return nil, err
	}
	g := &Guarded{file: f}
	err = f.Exclusively(ctx, func() error {
		if _, err := update(ctx, f); err != nil {
			return err
		}
		g.unlock, err = f.LockServe(ctx, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Open opens the database; now is as for the function Open. It needs no other checks: since
// Guard made them, nobody may migrate or restore the file. Unavailable: the disk refuses.
func (g *Guarded) Open(ctx context.Context, now func() time.Time) (*Store, error) {
	return newStore(ctx, g.file, now)
}

// Release lets others serve the file. The database must be closed before.
func (g *Guarded) Release() error { return errors.Join(g.withdraw(), g.unlock()) }

// Announce says where the caller serves the database. Unavailable: the disk refuses.
func (g *Guarded) Announce(address string) error {
	draft := g.file.Announced() + ".new" // nobody reads half an address
	err := file.Remove(draft)            // a kill left it
	if err == nil {
		err = disk.Write(draft, []byte(address+"\n"))
	}
	var written os.FileInfo
	if err == nil {
		written, err = os.Lstat(draft)
	}
	if err == nil {
		err = os.Rename(draft, g.file.Announced())
	}
	if err != nil {
		_ = os.Remove(draft) // why it could not be written is the error to report
		return fault.Wrap(fault.Unavailable, err, "cannot write down where %s is served", g.file)
	}
	g.announcement = written
	return nil
}

// withdraw takes back what this server announced. Where its folder was moved away, the file
// of that name may be of the server of another database, and stays.
func (g *Guarded) withdraw() error {
	is, err := os.Lstat(g.file.Announced())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case g.announcement == nil || !os.SameFile(is, g.announcement):
		return nil
	}
	return file.Remove(g.file.Announced())
}
