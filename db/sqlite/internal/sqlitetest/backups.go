package sqlitetest

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/trading"
)

// BackupOf backs a database up into a folder of its own.
func BackupOf(t *testing.T, path string) (copied string, m backup.Manifest) {
	t.Helper()
	copied = filepath.Join(t.TempDir(), "backup.db")
	m, err := sqlitebackup.Backup(t.Context(), path, copied, "test", Midday)
	if err != nil {
		t.Fatal(err)
	}
	return copied, m
}

// Midday is when every backup of these tests is taken.
var Midday = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// Held returns every row of a database by table, including SQLite's own tables, but without log_base, which
// each log writes. A damaged file gives an error.
func Held(t *testing.T, path string) (map[string][]string, error) {
	t.Helper()
	f := file.File{Path: path, Immutable: true}
	db, err := f.Open(t.Context(), "ro", 1, file.ReaderPragmas)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	tables, err := texts(t.Context(), db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'log_base' ORDER BY name")
	if err != nil {
		return nil, err
	}
	rows := map[string][]string{}
	if rows["sqlite_schema"], err = texts(t.Context(), db, "SELECT concat_ws('|', type, name, tbl_name, sql) FROM sqlite_schema ORDER BY name"); err != nil {
		return nil, err
	}
	for _, table := range tables {
		columns, err := texts(t.Context(), db, "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('"+table+"') ORDER BY cid")
		if err != nil {
			return nil, err
		}
		list := strings.Join(columns, ", ")
		if rows[table], err = texts(t.Context(), db, fmt.Sprintf("SELECT concat_ws('|', %s) FROM %q ORDER BY %s", list, table, list)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func texts(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	return verify.Texts(ctx, tx, query)
}

// MustHold is Held for a whole file.
func MustHold(t *testing.T, path string) map[string][]string {
	t.Helper()
	rows, err := Held(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// SignedOut returns the rows of a backup after a restore.
func SignedOut(rows map[string][]string) map[string][]string {
	rows["sessions"] = nil
	return rows
}

// WithoutRestores returns the rows of a restored database without what the restore noted in its journal.
func WithoutRestores(rows, of map[string][]string) map[string][]string {
	for _, table := range []string{"journal", "journal_links"} {
		rows[table] = slices.DeleteFunc(rows[table], func(row string) bool { return !slices.Contains(of[table], row) })
	}
	return rows
}

// SameRows reports whether two databases hold the same rows.
func SameRows(a, b map[string][]string) bool { return maps.EqualFunc(a, b, slices.Equal) }

// NamesIn lists a folder without locks.
func NamesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// Crashed makes a database whose one record is only in its log, as a kill leaves it.
func Crashed[S closable](t *testing.T, open opening[S], path string) {
	t.Helper()
	living := filepath.Join(t.TempDir(), "app.db")
	s, err := open(t.Context(), living, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	BehindItsBack(t, living, "PRAGMA wal_checkpoint(TRUNCATE)")
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "LOG", Name: "In the log"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"", "-wal"} {
		if err := sqlitebackup.Duplicate(living+part, path+part); err != nil {
			t.Fatal(err)
		}
	}
}
