package file

import (
	"context"
	"strings"
	"time"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// Announced is the path of the file beside a database in which its server writes its address. The file
// is valid while that server holds its lock. The server removes it when it ends.
func (f File) Announced() string { return f.Path + serveAddr }

// longestAddress is longer than any address, in bytes.
const longestAddress = 4 << 10

// Served returns the address of the one server of a database, and whether there is a server. It waits
// for a server that has only begun, until ctx ends. Unavailable: the server does not announce its
// address, or as for Open.
func Served(ctx context.Context, path string) (address string, served bool, err error) {
	f, err := locate(path)
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
			return "", true, fault.New(fault.Unavailable, "another process serves or restores %s, and does not say where", path)
		}
	}
}

// joinable checks that a process which opens the file beside its server shares the server's log and
// index. It waits a moment for a server that has only begun or is about to end. Unavailable: the server
// runs, and its log or index is missing. SQLite would make a new one, even for a reader. The server
// could then not save what is in its own log.
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
	return fault.New(fault.Unavailable, "a server runs on %s, and %s%s, which it needs, was removed; end other programs that have the database open, then stop the server and start it again", f, f, removed)
}
