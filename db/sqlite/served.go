package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// announced is the file beside a database in which its one server says where it is
// reached. It counts while that server holds its lock, and goes with it.
func (f file) announced() string { return f.path + serveAddr }

// longestAddress is more bytes than an address has.
const longestAddress = 4 << 10

// Announce says where the caller serves the database. Unavailable: the disk refuses.
func (g *Guarded) Announce(address string) error {
	draft := g.file.announced() + ".new" // nobody reads half an address
	err := remove(draft)                 // a kill left it
	if err == nil {
		err = disk.Write(draft, []byte(address+"\n"))
	}
	var written os.FileInfo
	if err == nil {
		written, err = os.Lstat(draft)
	}
	if err == nil {
		err = os.Rename(draft, g.file.announced())
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
	is, err := os.Lstat(g.file.announced())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case g.announcement == nil || !os.SameFile(is, g.announcement):
		return nil
	}
	return remove(g.file.announced())
}

// Served returns where the one server of a database is reached, and whether there is one.
// A server that has only begun is waited for, as long as ctx allows. Unavailable: it does
// not say where, or as for Open.
func Served(ctx context.Context, path string) (address string, served bool, err error) {
	f, err := locate(path)
	if err != nil {
		return "", false, err
	}
	for {
		if served, err := f.served(); err != nil || !served {
			return "", false, err
		}
		if said, err := disk.Read(f.announced(), longestAddress); err == nil {
			return strings.TrimSpace(string(said)), true, nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return "", true, fault.New(fault.Unavailable, "another process serves %s, and does not say where", path)
		}
	}
}

// joinable checks that who opens the file beside its server shares the log and the index of it
// with the server. A server that has only begun, or is about to end, is waited for a moment.
// Unavailable: the server runs and one of them is not there. SQLite would make another, for who
// only reads too. The server could then not save what its own log holds.
func (f file) joinable(ctx context.Context) error {
	const tries = 50
	var removed string
	for range tries {
		switch {
		case !exists(f.announced()):
			return nil
		case !exists(f.path + "-wal"):
			removed = "-wal"
		case !exists(f.path + "-shm"):
			removed = "-shm"
		default:
			return nil
		}
		if served, err := f.served(); err != nil || !served {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return classify(ctx.Err())
		}
	}
	return fault.New(fault.Unavailable, "a server runs on %s, and %s%s, which it needs, was removed; stop the server and start it again", f, f, removed)
}
