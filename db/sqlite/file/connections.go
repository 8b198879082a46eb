package file

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"daybook/db/sqlite/sqlerr"
)

// Pragma is a setting of a connection. The DSN sets it on every connection of a pool.
type Pragma struct{ Name, Value string }

var (
	// CopyingPragmas are for a connection that copies a database to a backup, or copies its log.
	CopyingPragmas = []Pragma{
		{"busy_timeout", "5000"},
		{"trusted_schema", "OFF"},
		{"cache_size", "-2000"}, // KiB; without it the file decides how much memory a connection uses
	}
	// ReaderPragmas are for a connection that only reads.
	ReaderPragmas = append([]Pragma{{"query_only", "ON"}}, CopyingPragmas...)
	// AlonePragmas are for a connection to a copy that no other process has open. The copy is one file
	// after the connection closes.
	AlonePragmas = []Pragma{
		{"journal_mode", "DELETE"}, {"synchronous", "FULL"}, {"trusted_schema", "OFF"}, {"cache_size", "-2000"}, {"foreign_keys", "ON"},
	}
)

// WriterPragmas are for a connection that writes.
func (f File) WriterPragmas() []Pragma {
	return []Pragma{
		{"busy_timeout", "5000"},
		{"journal_mode", "WAL"},
		{"synchronous", f.Synchronous},
		{"foreign_keys", "ON"},
		{"trusted_schema", "OFF"},
		{"wal_autocheckpoint", "0"},       // the writer checkpoints
		{"journal_size_limit", "4194304"}, // walComfort
		{"cache_size", "-16384"},          // KiB; a feed in random order reads the same pages again
		{"temp_store", "MEMORY"},          // where a savepoint keeps what a rollback restores
	}
}

// Open returns a pool of exactly size connections, which it opens at once and never recycles. The mode is
// SQLite's: ro, rw or rwc.
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
	var conns []*sql.Conn
	for err == nil && len(conns) < size {
		var conn *sql.Conn
		if conn, err = db.Conn(ctx); err == nil {
			conns = append(conns, conn)
		}
	}
	for _, conn := range conns {
		_ = conn.Close() // hands it back to the pool
	}
	if err != nil {
		return nil, errors.Join(sqlerr.Classify(err), db.Close())
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
