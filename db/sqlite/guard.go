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

// Guarded is an up-to-date database file that only this process serves.
type Guarded struct {
	file         file.File
	unlock       func() error
	announcement fs.FileInfo // the file that Announce wrote, nil before that
}

// Guard makes the caller the one server of a database file until Release, and migrates the file, which
// no process may do while it is served. Unavailable: another process serves it, or as for Migrate.
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
		g.file.SecondNames = true
		return err
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Open opens the database; now is as for the function Open. Guard has made all other checks, and no
// process may migrate or restore the file since. Unavailable: the disk refuses.
func (g *Guarded) Open(ctx context.Context, now func() time.Time) (*Store, error) {
	return newStore(ctx, g.file, now)
}

// Release lets other processes serve the file. The database must be closed before.
func (g *Guarded) Release() error { return errors.Join(g.withdraw(), g.unlock()) }

// Announce publishes the address at which the caller serves the database. Unavailable: the disk
// refuses.
func (g *Guarded) Announce(address string) error {
	draft := g.file.Announced() + ".new" // so that no process reads half an address
	err := file.Remove(draft)            // left by a kill
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
		_ = os.Remove(draft) // the first error is the one to report
		return fault.Wrap(fault.Unavailable, err, "cannot write the address at which %s is served", g.file)
	}
	g.announcement = written
	return nil
}

// withdraw removes the announcement of this server. If the folder was moved away, the file with that
// name may belong to the server of another database, and stays.
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
