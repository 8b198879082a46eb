package file

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/gofrs/flock"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// How long a process waits for another to release a lock, and after how long it says so.
const (
	longestWait = 30 * time.Second
	silentWait  = time.Second
)

type noticeKey struct{}

// WithNotice returns a context that makes an operation call notice with a sentence when it waits for
// another process.
func WithNotice(ctx context.Context, notice func(sentence string)) context.Context {
	return context.WithValue(ctx, noticeKey{}, notice)
}

// Notice returns the function of WithNotice, or one that does nothing.
func Notice(ctx context.Context) func(sentence string) {
	if notice, is := ctx.Value(noticeKey{}).(func(string)); is {
		return notice
	}
	return func(string) {}
}

// NoticeAfter gives notice of a wait, unless the timer is stopped soon.
func NoticeAfter(ctx context.Context, sentence string) *time.Timer {
	return time.AfterFunc(silentWait, func() { Notice(ctx)(sentence) })
}

// Lock takes the lock with that ending beside the file. It waits until ctx ends, but at most 30 s.
// Unavailable: another process holds the lock for longer.
func (f File) Lock(ctx context.Context, ending string) (*flock.Flock, error) {
	path := f.Path + ending
	l, err := disk.Lock(path)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", path)
	}
	defer NoticeAfter(ctx, "waiting for another process that opens, migrates or restores "+f.String()+" and holds "+path).Stop()
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

// served reports whether a process holds the lock of the one server. Unavailable: it cannot tell.
func (f File) served() (bool, error) {
	path := f.Path + serveLock
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

// ServedUnlocked is served, but also works after somebody removed the lock file. The caller must not
// have the database open. Unavailable: it cannot tell.
func (f File) ServedUnlocked() (bool, error) {
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

// claim marks the database file, if it exists, as served. errClaimed: another process serves it.
// Unavailable: it cannot tell.
func (f File) claim() (release func() error, err error) {
	release, taken, err := disk.Claim(f.Path)
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

// LockServe takes the lock that the one server of the file holds. It also claims the database file,
// because somebody may remove the lock file. A process that only checks whether the file is served
// holds the lock for a moment; LockServe waits for that. Unavailable: another process has the lock.
func (f File) LockServe(ctx context.Context, path string) (unlock func() error, err error) {
	const moment = 200 * time.Millisecond
	l, err := disk.Lock(f.Path + serveLock)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", f.Path+serveLock)
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
		// A process that was killed left them.
		if err = errors.Join(Remove(f.Announced()), Remove(f.Path+secondLog), Remove(f.Path+secondIndex), Remove(f.Path+CopyDraft)); err == nil {
			return func() error { return errors.Join(release(), l.Unlock()) }, nil
		}
		err = fault.Wrap(fault.Unavailable, errors.Join(err, release()), "cannot remove what a server has left beside %s", f)
	}
	_ = l.Unlock() // the first error is the one to report
	return nil, err
}

// otherServer is the error of a file that another process serves.
func otherServer(path string) error {
	return fault.New(fault.Unavailable, "another process already serves or restores %s", path)
}
