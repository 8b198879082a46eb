package soak_test

import (
	"database/sql"
	"fmt"
	"os"
	"testing"

	_ "modernc.org/sqlite" // to open the database as another program would
)

// openAs opens a database as another program would; the mode is SQLite's.
func openAs(t *testing.T, db, mode string) *sql.DB {
	t.Helper()
	other, err := sql.Open("sqlite", fmt.Sprintf("file:%s?mode=%s&_pragma=busy_timeout(5000)", db, mode))
	if err != nil {
		t.Fatal(err)
	}
	other.SetMaxOpenConns(1)
	return other
}

// pin begins a read transaction and keeps it open. Until release, no checkpoint can copy what is
// written from now on out of the write-ahead log.
func pin(t *testing.T, db string) (release func()) {
	t.Helper()
	reader := openAs(t, db, "ro")
	tx, err := reader.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_schema").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = tx.Rollback() // nothing was written
		_ = reader.Close()
	}
}

// fill makes a database at least that large. It fills a table of Litestream, because `app verify`
// allows that table.
func fill(t *testing.T, db string, size int64) {
	t.Helper()
	const rows, body = 4_000, 3_500 // about a page each
	other := openAs(t, db, "rw")
	for fileSize(t, db) < size {
		_, err := other.ExecContext(t.Context(), `
			CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO _litestream_lock SELECT format('%.*c', ?, 'x') FROM n`, rows, body)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
