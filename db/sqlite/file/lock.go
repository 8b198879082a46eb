package file

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"syscall"
	"time"

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

// NoticeAfter gives notice of a wait, unless the timer is stopped soon.
func NoticeAfter(ctx context.Context, sentence string) *time.Timer {
	return time.AfterFunc(silentWait, func() {
		if notice, is := ctx.Value(noticeKey{}).(func(string)); is {
			notice(sentence)
		}
	})
}

// LockFile is the ending of the one file that Daybook keeps beside a database. It stands for two locks,
// and holds what note.go says.
const LockFile = ".lock"

// The locks that the file stands for.
const (
	opening int64 = iota // of a process that opens, migrates or restores the database
	serving              // of the one server; a restore takes it too
)

// Lock is the file beside a database, and the locks that this process has in it.
type Lock struct {
	of      File
	file    disk.Locks
	release func() error // ends the claim of a server; nil for a process that is none

	mu     sync.Mutex
	said   note   // what the file holds
	number uint32 // of this start; 0 before Renew
}

// Lock keeps out all other processes that open the database to write. It waits until ctx ends, but at
// most 30 s. Unavailable: another process holds the lock for longer.
func (f File) Lock(ctx context.Context) (*Lock, error) {
	path := f.Path + LockFile
	file, err := disk.OpenLocks(path)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", path)
	}
	defer NoticeAfter(ctx, "waiting for another process that opens, migrates or restores "+f.String()+" and holds "+path).Stop()
	waiting, stop := context.WithTimeout(ctx, longestWait)
	defer stop()
	if err = file.Lock(waiting, opening); err == nil {
		l := &Lock{of: f, file: file}
		if l.said, err = f.readNote(); err == nil {
			return l, nil
		}
	}
	_ = file.Close() // the first error is the one to report
	if waiting.Err() != nil && ctx.Err() == nil {
		return nil, fault.New(fault.Unavailable, "another process has been opening, migrating or restoring %s for %s and holds %s; try again when it is done", f, longestWait, path)
	}
	return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", path)
}

// Serve takes the lock that the one server of the file holds until Unlock. It also claims the database
// file, because somebody may remove the lock file. A process that only checks whether the file is served
// holds the lock for a moment; Serve waits for that. Unavailable: another process has the lock.
func (l *Lock) Serve(ctx context.Context, path string) error {
	const moment = 200 * time.Millisecond
	waiting, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	switch err := l.file.Lock(waiting, serving); {
	case err != nil && waiting.Err() != nil && ctx.Err() == nil:
		return otherServer(path)
	case err != nil:
		return fault.Wrap(fault.Unavailable, err, "cannot lock %s", l.file.Name())
	}
	release, err := l.of.claim()
	if errors.Is(err, errClaimed) {
		err = otherServer(path)
	} else if err == nil {
		l.release = release
		if err = l.tidy(); err == nil {
			return nil
		}
		l.release = nil
		err = fault.Wrap(fault.Unavailable, errors.Join(err, release()), "cannot remove what a server has left beside %s", l.of)
	}
	_ = l.file.Unlock(serving) // the first error is the one to report
	return err
}

// tidy removes what a server that was killed has left, and the files that earlier builds had instead of
// this one.
func (l *Lock) tidy() error {
	err := Remove(l.of.Path + CopyDraft)
	for _, part := range []string{".serve.lock", ".migrate.lock", ".serve.addr", ".serve.wal", ".serve.shm"} {
		err = errors.Join(err, Remove(l.of.Path+part))
	}
	return errors.Join(err, l.Announce(""))
}

// Serves reports whether this process is the one server.
func (l *Lock) Serves() bool { return l != nil && l.release != nil }

// Opened lets other processes open the database to write. A server keeps its own lock.
func (l *Lock) Opened() error {
	err := l.file.Unlock(opening)
	if !l.Serves() {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// Unlock ends the lock of a server. Opened ends the other.
func (l *Lock) Unlock() error {
	return errors.Join(l.release(), l.file.Unlock(serving), l.file.Close())
}

// Served reports whether a process holds the lock of the one server. Unavailable: it cannot tell.
func (f File) Served() (served bool, err error) {
	path := f.Path + LockFile
	file, err := disk.OpenExistingLocks(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EROFS) { // nobody serves where nothing can be written
		return false, nil
	}
	if err == nil {
		var free bool
		if free, err = file.TryLock(serving); free {
			err = file.Unlock(serving)
		}
		served = !free
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return false, fault.Wrap(fault.Unavailable, err, "cannot tell whether %s is served: cannot lock %s", f, path)
	}
	return served, nil
}

// ServedUnlocked is Served, but also works after somebody removed the lock file. The caller must not
// have the database open. Unavailable: it cannot tell.
func (f File) ServedUnlocked() (bool, error) {
	if served, err := f.Served(); err != nil || served {
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

// otherServer is the error of a file that another process serves.
func otherServer(path string) error {
	return fault.New(fault.Unavailable, "another process already serves or restores %s", path)
}
