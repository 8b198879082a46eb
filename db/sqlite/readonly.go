package sqlite

import (
	"context"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/fault"
)

// readable is inspect for who only reads. Beside a database SQLite makes the files by
// which a writer and its readers share it. On a medium or in a folder where nothing can
// be written it cannot, and so refuses. What readable returns can then be read without
// them, as a file that nobody writes. Unavailable: as for inspect; or somebody may be
// writing it.
func (f file) readable(ctx context.Context) (file, int64, error) {
	version, err := f.inspect(ctx)
	code := resultCode(err)
	if code == sqlite3.SQLITE_READONLY_ROLLBACK || code&0xff != sqlite3.SQLITE_CANTOPEN && code&0xff != sqlite3.SQLITE_READONLY {
		return f, version, err
	}
	for _, part := range parts {
		switch info, err := os.Lstat(f.path + part); {
		case err != nil:
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
