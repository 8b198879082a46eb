package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/gofrs/flock"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// How long a process waits for another to release a lock, and after which part of that it
// says so.
const (
	longestWait = 30 * time.Second
	silentWait  = time.Second
)

type noticeKey struct{}

// WithNotice returns a context in which notice is called with a sentence when an operation
// waits for another process.
func WithNotice(ctx context.Context, notice func(sentence string)) context.Context {
	return context.WithValue(ctx, noticeKey{}, notice)
}

// noticeOf gives notice of a wait that is not stopped soon.
func noticeOf(ctx context.Context, sentence string) *time.Timer {
	return time.AfterFunc(silentWait, func() {
		if notice, is := ctx.Value(noticeKey{}).(func(string)); is {
			notice(sentence)
		}
	})
}

// lock takes the lock of that ending beside the file. It waits as long as ctx allows, and no
// longer than 30 s. Unavailable: another process holds the lock for longer.
func (f file) lock(ctx context.Context, ending string) (*flock.Flock, error) {
	path := f.path + ending
	l, err := disk.Lock(path)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", path)
	}
	defer noticeOf(ctx, "waiting for another process that opens, migrates or restores "+f.String()+" and holds "+path).Stop()
	waiting, stop := context.WithTimeout(ctx, longestWait)
	defer stop()
	switch _, err := l.TryLockContext(waiting, 20*time.Millisecond); {
	case err != nil && waiting.Err() != nil && ctx.Err() == nil:
		return nil, fault.New(fault.Unavailable, "another process has been opening, migrating or restoring %s for %s and holds %s; try again when it is done", f, longestWait, path)
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", path)
	}
	return l, nil
}

// Guarded is a database file that is up to date and that this process alone serves.
type Guarded struct {
	file         file
	unlock       func() error
	announcement fs.FileInfo // the file that Announce wrote, nil before
}

// Guard makes the caller the one server of a database file until Release is called,
// and brings the file up to date, which nobody may do while it is served.
// Unavailable: another process serves it, or as for Migrate.
func Guard(ctx context.Context, path string) (*Guarded, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	g := &Guarded{file: f}
	err = f.alone(ctx, func() error {
		if _, err := f.update(ctx); err != nil {
			return err
		}
		g.unlock, err = f.lockServe(ctx, path)
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
	return g.file.openStore(ctx, now)
}

// Release lets others serve the file. The database must be closed before.
func (g *Guarded) Release() error { return errors.Join(g.withdraw(), g.unlock()) }

// served reports whether a process holds the lock of the one server. Unavailable: that
// cannot be told.
func (f file) served() (bool, error) {
	path := f.path + serveLock
	l, err := disk.ExistingLock(path)
	locked := false
	if err == nil {
		locked, err = l.TryLock()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fault.Wrap(fault.Unavailable, err, "cannot tell whether %s is served: cannot lock %s", f, path)
	case locked:
		return false, l.Unlock()
	}
	return true, nil
}

// servedAnyhow is served, also where somebody has removed the file of the lock. The process
// has the database not open. Unavailable: that cannot be told.
func (f file) servedAnyhow() (bool, error) {
	if served, err := f.served(); err != nil || served {
		return served, err
	}
	release, err := f.claim()
	if errors.Is(err, errClaimed) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, release()
}

var errClaimed = errors.New("another process has claimed the database file")

// claim marks the database file, where there is one, as served. errClaimed: another process
// serves it. Unavailable: that cannot be told.
func (f file) claim() (release func() error, err error) {
	release, taken, err := disk.Claim(f.path)
	switch {
	case taken:
		return nil, errClaimed
	case errors.Is(err, fs.ErrNotExist):
		return func() error { return nil }, nil
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "cannot tell whether %s is served", f)
	}
	return release, nil
}

// lockServe takes the lock that the one server of the file holds, and claims the file, since
// the file of the lock may be removed. Who only looks whether the file is served holds it
// for a moment, and is waited for. Unavailable: another process has it.
func (f file) lockServe(ctx context.Context, path string) (unlock func() error, err error) {
	const moment = 200 * time.Millisecond
	l, err := disk.Lock(f.path + serveLock)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", f.path+serveLock)
	}
	waiting, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	switch locked, err := l.TryLockContext(waiting, moment/20); {
	case err != nil && (waiting.Err() == nil || ctx.Err() != nil):
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", l.Path())
	case !locked:
		return nil, otherServer(path)
	}
	release, err := f.claim()
	if errors.Is(err, errClaimed) {
		err = otherServer(path)
	} else if err == nil {
		if err = errors.Join(remove(f.announced()), remove(f.path+logDraft)); err == nil { // of a server that was killed
			return func() error { return errors.Join(release(), l.Unlock()) }, nil
		}
		err = fault.Wrap(fault.Unavailable, errors.Join(err, release()), "cannot remove what a server has left beside %s", f)
	}
	_ = l.Unlock() // why it cannot be served is the error to report
	return nil, err
}

// otherServer is the error of a file that another process serves.
func otherServer(path string) error {
	return fault.New(fault.Unavailable, "another process already serves %s", path)
}
