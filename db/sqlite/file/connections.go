package file

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// Pragma is a setting of a connection. The DSN sets it on every connection of a pool. Open reads it
// back.
type Pragma struct{ Name, Value, ReadBack string }

// Refused is the error of a pragma that did not take effect.
func (p Pragma) Refused(got string) error {
	return fault.New(fault.Unavailable, "the database refuses to set %s to %s: it is %s", p.Name, p.Value, got)
}

var (
	// CopyingPragmas are for a connection that copies a database to a backup, or copies its log.
	CopyingPragmas = []Pragma{
		{"busy_timeout", "5000", "5000"},
		{"trusted_schema", "OFF", "0"},
		{"cache_size", "-2000", "-2000"}, // KiB; without it the file decides how much memory a connection uses
	}
	// ReaderPragmas are for a connection that only reads.
	ReaderPragmas = append([]Pragma{{"query_only", "ON", "1"}}, CopyingPragmas...)
	// AlonePragmas are for a connection to a copy that no other process has open. The copy is one file
	// after the connection closes.
	AlonePragmas = []Pragma{
		{"journal_mode", "DELETE", "delete"}, {"synchronous", "FULL", "2"}, {"trusted_schema", "OFF", "0"},
		{"cache_size", "-2000", "-2000"}, {"foreign_keys", "ON", "1"},
	}
	// inspectPragmas write nothing to the file, which may belong to another program.
	inspectPragmas = []Pragma{{"busy_timeout", "5000", "5000"}}
)

// WriterPragmas are for a connection that writes.
func (f File) WriterPragmas() []Pragma {
	level := map[string]string{"NORMAL": "1", "FULL": "2"}[f.Synchronous]
	return []Pragma{
		{"busy_timeout", "5000", "5000"},
		{"journal_mode", "WAL", "wal"},
		{"synchronous", f.Synchronous, level},
		{"foreign_keys", "ON", "1"},
		{"trusted_schema", "OFF", "0"},
		{"wal_autocheckpoint", "0", "0"},             // the writer checkpoints
		{"journal_size_limit", "4194304", "4194304"}, // walComfort
		{"cache_size", "-16384", "-16384"},           // KiB; a feed in random order reads the same pages again
		{"temp_store", "MEMORY", "2"},                // where a savepoint keeps what a rollback restores
	}
}

// Open returns a pool of exactly size connections that are never recycled, each
// with its pragmas in force. The mode is SQLite's: ro, rw or rwc.
func (f File) Open(ctx context.Context, mode string, size int, pragmas []Pragma) (*sql.DB, error) {
	values := url.Values{"mode": {mode}}
	for _, p := range pragmas {
		values.Add("_pragma", p.Name+"("+p.Value+")")
	}
	db, err := sql.Open("sqlite", f.DSN(values))
	if err != nil {
		return nil, sqlerr.Classify(err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := verifyPool(ctx, db, size, pragmas); err != nil {
		_ = db.Close() // the first error is the one to report
		return nil, err
	}
	return db, nil
}

// DSN returns the name of the file for SQLite, with the given parameters.
func (f File) DSN(parameters url.Values) string {
	path := filepath.ToSlash(f.Path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	if f.VFS != "" {
		parameters.Set("vfs", f.VFS)
	}
	if f.Immutable {
		parameters.Set("immutable", "1")
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: parameters.Encode()}
	return u.String()
}

// verifyPool opens every connection of a pool, all at once, and reads its pragmas
// back.
func verifyPool(ctx context.Context, db *sql.DB, size int, pragmas []Pragma) error {
	conns := make([]*sql.Conn, 0, size)
	defer func() {
		for _, conn := range conns {
			_ = conn.Close() // hands it back to the pool
		}
	}()
	for range size {
		conn, err := db.Conn(ctx)
		if err != nil {
			return sqlerr.Classify(err)
		}
		conns = append(conns, conn)
		if err := verifyPragmas(ctx, conn, pragmas); err != nil {
			return err
		}
	}
	return nil
}

func verifyPragmas(ctx context.Context, conn *sql.Conn, pragmas []Pragma) error {
	for _, p := range pragmas {
		var got string
		if err := conn.QueryRowContext(ctx, "PRAGMA "+p.Name).Scan(&got); err != nil {
			return sqlerr.Classify(err)
		}
		if got != p.ReadBack {
			return p.Refused(got)
		}
	}
	return nil
}
