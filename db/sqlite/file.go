package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"daybook/internal/fault"
)

// applicationID marks a database file as Daybook's: "DAYB".
const applicationID = 0x44415942

// file is the path of a database. SQLite alone opens it: opening and closing it with
// calls of our own would drop SQLite's locks on it.
type file string

// locate returns the absolute path, with links followed, so that every process
// that works on a file derives the same lock from it.
func locate(path string) (file, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "cannot find %s", path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	switch info, err := os.Stat(abs); {
	case err == nil && info.IsDir():
		return "", fault.New(fault.Unavailable, "%s is a directory, not a database file", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fault.Wrap(fault.Unavailable, err, "cannot open %s", path)
	case err != nil:
		if _, err := os.Stat(filepath.Dir(abs)); err != nil {
			return "", fault.New(fault.Unavailable, "cannot create %s: there is no directory %s", path, filepath.Dir(abs))
		}
	}
	return file(abs), nil
}

// A pragma is set through the DSN, so that every connection of a pool has it, and
// read back when the pool opens.
type pragma struct{ name, value, readBack string }

var (
	writerPragmas = []pragma{
		{"busy_timeout", "5000", "5000"},
		{"journal_mode", "WAL", "wal"},
		{"synchronous", "FULL", "2"},
		{"foreign_keys", "ON", "1"},
		{"trusted_schema", "OFF", "0"},
	}
	readerPragmas = []pragma{
		{"busy_timeout", "5000", "5000"},
		{"query_only", "ON", "1"},
		{"trusted_schema", "OFF", "0"},
	}
	// Looking at a file that may not be ours sets nothing that would write to it.
	inspectPragmas = []pragma{{"busy_timeout", "5000", "5000"}}
)

// open returns a pool of exactly size connections that are never recycled, each
// with its pragmas in force. The mode is SQLite's: ro, rw or rwc.
func (f file) open(ctx context.Context, mode string, size int, pragmas []pragma) (*sql.DB, error) {
	values := url.Values{"mode": {mode}}
	for _, p := range pragmas {
		values.Add("_pragma", p.name+"("+p.value+")")
	}
	path := filepath.ToSlash(string(f))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: values.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, classify(err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := verifyPool(ctx, db, size, pragmas); err != nil {
		_ = db.Close() // the reason to give up is the one to report
		return nil, err
	}
	return db, nil
}

// verifyPool opens every connection of a pool and reads its pragmas back.
func verifyPool(ctx context.Context, db *sql.DB, size int, pragmas []pragma) error {
	for range size {
		conn, err := db.Conn(ctx)
		if err != nil {
			return classify(err)
		}
		defer func() { _ = conn.Close() }() // hands it back to the pool
		for _, p := range pragmas {
			var got string
			if err := conn.QueryRowContext(ctx, "PRAGMA "+p.name).Scan(&got); err != nil {
				return classify(err)
			}
			if got != p.readBack {
				return fault.New(fault.Unavailable, "the database refuses to set %s to %s: it is %s", p.name, p.value, got)
			}
		}
	}
	return nil
}

// inspect returns the schema version of the file, 0 for one that is missing or
// empty. Unavailable: it is not a database, another program's, or newer than this
// binary; the file is not touched.
func (f file) inspect(ctx context.Context) (int64, error) {
	if info, err := os.Stat(string(f)); err != nil || info.Size() == 0 {
		return 0, nil
	}
	db, err := f.open(ctx, "ro", 1, inspectPragmas)
	if err != nil {
		return 0, fault.Wrap(fault.Unavailable, err, "cannot read %s", f)
	}
	defer func() { _ = db.Close() }() // it was only read
	var id, tables int64
	err = db.QueryRowContext(ctx, "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id").
		Scan(&id, &tables)
	switch {
	case err != nil:
		return 0, fault.Wrap(fault.Unavailable, err, "%s is not a database that can be read", f)
	case id == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fault.New(fault.Unavailable, "%s is the database of another program", f)
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return 0, fault.Wrap(fault.Unavailable, err, "cannot read the schema version of %s", f)
	}
	if newest := newestMigration(); version > newest {
		return 0, fault.New(fault.Unavailable, "%s has schema version %d, this program knows %d: use a newer one", f, version, newest)
	}
	return version, nil
}

// lock takes the lock of that name beside the file, waiting as long as ctx allows.
func (f file) lock(ctx context.Context, name string) (*flock.Flock, error) {
	l := flock.New(string(f) + "." + name + ".lock")
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", l.Path())
	}
	return l, nil
}

// Guard makes the caller the one server of a database file until release is called.
// Unavailable: another process serves it.
func Guard(path string) (release func() error, err error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	l := flock.New(string(f) + ".serve.lock")
	switch locked, err := l.TryLock(); {
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", l.Path())
	case !locked:
		return nil, fault.New(fault.Unavailable, "another process already serves %s", path)
	}
	return l.Unlock, nil
}

// sameAs reports whether the path still leads to the file that info describes.
func (f file) sameAs(info os.FileInfo) error {
	now, err := os.Stat(string(f))
	if err != nil {
		return fmt.Errorf("the database file is gone: %w", err)
	}
	if !os.SameFile(info, now) {
		return errors.New("the database file was replaced by another")
	}
	return nil
}
