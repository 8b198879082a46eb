package schema_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"testing"

	"daybook/db/sqlite/migrations"
	"daybook/db/sqlite/schema"
)

// The sum that saves a start from running the migrations is that of what they make.
func TestTheSumOfTheSchemaIsKnown(t *testing.T) {
	t.Parallel()
	made, err := schema.Released.Objects(schema.Released.Newest())
	if err != nil {
		t.Fatal(err)
	}
	if got := schema.SumOf(made); got != schema.ReleasedSum {
		t.Errorf("ReleasedSum in schema/schema.go must be %q", got)
	}
}

// A migration that was released is in databases somewhere, and never changes again, not
// even by a space: verifying compares a schema with the text that made it. Later ones
// are added below it. No migration is Go that calls the program's queries, because these
// change with the newest schema.
func TestMigrationsAreFrozen(t *testing.T) {
	frozen := map[string]string{
		"00011_baseline.sql": "eaa6157c57dd707eec35853d11cbb9e1137966604918a9943920e7fcb73e28f9",
	}
	if len(schema.Released.Steps(nil)) != len(frozen) {
		t.Errorf("got %d migrations, want the %d that are listed here", len(schema.Released.Steps(nil)), len(frozen))
	}
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(frozen) {
		t.Errorf("got the files %q, want those of the %d migrations that are listed here", files, len(frozen))
	}
	for _, file := range files {
		content, err := fs.ReadFile(migrations.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		got, want := hex.EncodeToString(sum[:]), frozen[filepath.Base(file)]
		if want == "" {
			t.Errorf("%s is new: before its release, add its SHA-256 %s to the list above", file, got)
		} else if got != want {
			t.Errorf("%s: got the SHA-256 %s, want %s: it was released and never changes; a change of the schema is a migration of its own", file, got, want)
		}
	}
}
