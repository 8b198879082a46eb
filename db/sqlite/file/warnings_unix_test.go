//go:build unix

package file_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/backup"
)

// TestStartsWithAWarning: every command works on a database that others could change, and the warning says how
// they could. As a control, there is no warning of a database that only its owner can use.
func TestStartsWithAWarning(t *testing.T) {
	const nobody = 65534
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	starts := map[string]struct {
		prepare func(path, dir string) error
		want    []string
	}{
		"its own":               {func(_, dir string) error { return os.Chmod(dir, 0o755) }, nil},
		"a folder of a group":   {func(_, dir string) error { return os.Chmod(dir, 0o775) }, []string{"make files in the folder", "chmod go-w "}},
		"a folder of everyone":  {func(_, dir string) error { return os.Chmod(dir, 0o777) }, []string{"make files in the folder", "chmod go-w "}},
		"a sticky folder":       {func(_, dir string) error { return os.Chmod(dir, 0o777|fs.ModeSticky) }, []string{"make files in the folder", "mkdir -m 700 "}},
		"a file that all use":   {func(path, _ string) error { return os.Chmod(path, 0o666) }, []string{"may use the file app.db", "chmod 600 "}},
		"a second name":         {func(path, _ string) error { return os.Link(path, filepath.Join(t.TempDir(), "other.db")) }, []string{"has 2 names"}},
		"what a restore left":   {func(path, _ string) error { return os.Link(path, path+file.BeforeRestore+"20260101-000000") }, []string{"has 2 names"}},
		"another's folder":      {func(_, dir string) error { return os.Chown(dir, nobody, nobody) }, []string{"the folder of app.db belongs to "}},
		"another's file":        {func(path, _ string) error { return os.Chown(path, nobody, nobody) }, []string{"app.db belongs to "}},
		"another's folder, 777": {func(_, dir string) error { return errors.Join(os.Chown(dir, nobody, nobody), os.Chmod(dir, 0o777)) }, []string{"belongs to ", "make files in the folder"}},
	}
	for what, c := range starts {
		if os.Geteuid() != 0 && strings.Contains(what, "another's") {
			continue // only root can give files away
		}
		for name, use := range uses(good) {
			dir := t.TempDir()
			path := filepath.Join(dir, "app.db")
			sqlitetest.CopyOver(t, good, path)
			if err := c.prepare(path, dir); err != nil {
				t.Fatal(err)
			}
			got, err := file.Warnings(t.Context(), path)
			said := fmt.Sprint(got)
			if err != nil || (len(got) == 0) != (len(c.want) == 0) {
				t.Errorf("%s: got the warnings %s, %v, want %q", what, said, err, c.want)
			}
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("%s: got the warnings %s, want %q", what, said, want)
				}
			}
			for _, w := range got {
				if strings.Contains(w.Text, filepath.Dir(dir)) {
					t.Errorf("%s: got the text %q, want no folder of this machine in it", what, w.Text)
				}
			}
			if err := errors.Join(use(t.Context(), path), backup.MakeFolder(filepath.Join(dir, "backups"))); err != nil {
				t.Errorf("%s, %s: got %v, want no error", what, name, err)
			}
		}
	}
}
