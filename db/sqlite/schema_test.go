package sqlite

import (
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
)

// later is a schema with one migration more than the released one.
func later(t *testing.T) *schema {
	t.Helper()
	return laterBy(t, "ALTER TABLE trades ADD COLUMN note TEXT NOT NULL DEFAULT ''")
}

func laterBy(t *testing.T, statement string) *schema {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(migrations, "migrations/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(migrations, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: content}
	}
	name := fmt.Sprintf("migrations/%05d_later.sql", released.newest()+1)
	files[name] = &fstest.MapFile{Data: []byte("-- +goose Up\n\n" + statement + ";\n")}
	return newSchema(files)
}
