package sqlitetest

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"daybook/db/sqlite/migrations"
	"daybook/db/sqlite/schema"
)

// AnotherProgram returns the bytes of a database that the statements make.
func AnotherProgram(t *testing.T, statements string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path) //nolint:gosec // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// NewerDaybook is a database of a later program.
func NewerDaybook(t *testing.T) []byte {
	t.Helper()
	return AnotherProgram(t, fmt.Sprintf(`PRAGMA application_id = %d;
		CREATE TABLE goose_db_version (version_id INTEGER);
		INSERT INTO goose_db_version VALUES (%d)`, schema.ApplicationID, schema.Released.Newest()+1))
}

// Later is a schema with one migration more than the released one.
func Later(t *testing.T) *schema.Schema {
	t.Helper()
	return LaterBy(t, "ALTER TABLE trades ADD COLUMN remark TEXT NOT NULL DEFAULT ''")
}

// LaterBy is Later with another statement.
func LaterBy(t *testing.T, statement string) *schema.Schema {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: content}
	}
	name := fmt.Sprintf("%05d_later.sql", schema.Released.Newest()+1)
	files[name] = &fstest.MapFile{Data: []byte("-- +goose Up\n\n" + statement + ";\n")}
	return schema.New(files, "")
}
