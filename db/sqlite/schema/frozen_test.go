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

// TestTheSumOfTheSchemaIsKnown: ReleasedSum is the sum of the schema that the migrations make. With it,
// a start checks the schema without running the migrations.
func TestTheSumOfTheSchemaIsKnown(t *testing.T) {
	t.Parallel()
	made, err := schema.Released.Objects(schema.Released.Newest())
	if err != nil {
		t.Fatal(err)
	}
	if got := schema.SumOf(made); got != schema.ReleasedSum {
		t.Errorf("got the sum %q, want it as releasedSum in schema/schema.go", got)
	}
}

// TestMigrationsAreFrozen: a released migration never changes again, not even by a space, because verify
// compares the schema of a database with the text of the migrations. A change of the schema is a new
// migration, which is added to the list. All migrations are SQL files. In Go they could call the queries
// of the program, which change with the newest schema.
func TestMigrationsAreFrozen(t *testing.T) {
	frozen := map[string]string{
		"00011_baseline.sql":      "eaa6157c57dd707eec35853d11cbb9e1137966604918a9943920e7fcb73e28f9",
		"00012_log_base.sql":      "3bcd4e7140b03e4a0f3461ae2661db1277a36757bd6e6275037003d9b4f35f2c",
		"00013_no_log_base.sql":   "5034b6ad1805f15b5f70db8a44911d98f6015e73aef9be330eecec3c3b9990a7",
		"00014_restores.sql":      "4749c12c256926759b7970eb44ed6283f54a25718f9a128d47b9a55a04303886",
		"00015_reasons.sql":       "8371eefc1f8cb97f543d76489ffeae1c9080e0b8ab6cd5495282512cfd1ef0e3",
		"00016_batches.sql":       "a69022e65ad26a39c37f82481772589471deccc09d2d53bd0ba93da777045c3d",
		"00017_metrics_scope.sql": "c9cd0160bf685bbf54125f9a51c2b3a74c276d7f609e43ca7f428b8bb977f22d",
		"00018_doubtful.sql":      "69b7566cc590b0630ea13e3ac3cc233611ed843488df7ba74df456115ca06eac",
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
			t.Errorf("%s: got the SHA-256 %s, want %s: a released migration never changes; add a new one to change the schema", file, got, want)
		}
	}
}
