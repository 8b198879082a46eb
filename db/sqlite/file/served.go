package file

import (
	"context"
	"strings"
	"time"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// Announced is the file beside a database in which its one server says where it is
// reached. It counts while that server holds its lock, and goes with it.
func (f File) Announced() string { return f.Path + serveAddr }

// longestAddress is more bytes than an address has.
const longestAddress = 4 << 10

// Served returns where the one server of a database is reached, and whether there is one.
// A server that has only begun is waited for, as long as ctx allows. Unavailable: it does
// not say where, or as for Open.
func Served(ctx context.Context, path string) (address string, served bool, err error) {
	f, err := Locate(path)
	if err != nil {
		return "", false, err
	}
	for {
		if served, err := f.served(); err != nil || !served {
			return "", false, err
		}
		if said, err := disk.Read(f.Announced(), longestAddress); err == nil {
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
func (f File) joinable(ctx context.Context) error {
	const tries = 50
	var removed string
	for range tries {
		switch {
		case !Exists(f.Announced()):
			return nil
		case !Exists(f.Path + "-wal"):
			removed = "-wal"
		case !Exists(f.Path + "-shm"):
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
			return sqlerr.Classify(ctx.Err())
		}
	}
	return fault.New(fault.Unavailable, "a server runs on %s, and %s%s, which it needs, was removed; stop the server and start it again", f, f, removed)
}
