package schema_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"daybook/db/sqlite/migrations"
)

// TestSqlcKnowsEveryColumn: the migrations that query/sqlc.yaml lists make the same tables and columns as all
// migrations. So one may be left out there only if sqlc can do without it. As a control, the last of the list
// is missed.
func TestSqlcKnowsEveryColumn(t *testing.T) {
	t.Parallel()
	config, err := os.ReadFile(filepath.Join("..", "..", "..", "query", "sqlc.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, found := range regexp.MustCompile(`(?m)^ *- \.\./db/sqlite/migrations/(.+)$`).FindAllStringSubmatch(string(config), -1) {
		listed = append(listed, found[1])
	}
	all, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	want := columns(t, all)
	if got := columns(t, listed); got != want {
		t.Errorf("query/sqlc.yaml lacks a migration that changes columns; its list gives\n%s\nall migrations give\n%s", got, want)
	}
	if got := columns(t, listed[:len(listed)-1]); got == want {
		t.Errorf("without %s the columns are the same, want them different", listed[len(listed)-1])
	}
}

// columns are the columns of all tables, after some migrations.
func columns(t *testing.T, names []string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "app.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, name := range names {
		statements, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), string(statements)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	rows, err := db.QueryContext(t.Context(), `SELECT m.name, c.name, c.type, c."notnull", c.pk, coalesce(c.dflt_value, '')
		FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var found strings.Builder
	for rows.Next() {
		var table, column, kind, given string
		var needed bool
		var key int
		if err := rows.Scan(&table, &column, &kind, &needed, &key, &given); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&found, table, column, kind, needed, key, given)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found.String()
}
