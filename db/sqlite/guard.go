package sqlite

import (
	"context"
	"errors"
	"time"

	"daybook/db/sqlite/file"
)

// Guarded is an up-to-date database file that only this process serves.
type Guarded struct {
	file file.File
	lock *file.Lock
}

// Guard makes the caller the one server of a database file until Release, and migrates the file, which
// no process may do while it is served. Unavailable: another process serves it, or as for Migrate.
func Guard(ctx context.Context, path string) (*Guarded, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	g := &Guarded{file: f}
	err = f.Exclusively(ctx, func(lock *file.Lock) error {
		if _, err := update(ctx, f, lock); err != nil {
			return err
		}
		g.lock = lock
		return lock.Serve(ctx, path)
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Open opens the database; now is as for the function Open. Guard has made all other checks, and no
// process may migrate or restore the file since. Unavailable: the disk refuses.
func (g *Guarded) Open(ctx context.Context, now func() time.Time) (*Store, error) {
	return newStore(ctx, g.file, g.lock, now)
}

// Release lets other processes serve the file. The database must be closed before.
func (g *Guarded) Release() error { return errors.Join(g.lock.Announce(""), g.lock.Unlock()) }

// Announce publishes the address at which the caller serves the database. Unavailable: the disk
// refuses.
func (g *Guarded) Announce(address string) error { return g.lock.Announce(address) }
