//go:build unix

package file_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
)

// TestAJournalBeside: SQLite undoes a broken transaction with the rollback journal beside the database.
// A process that only reads does not let it. Every process refuses a rollback journal that belongs to
// another user, or that other users can write to. As a control, a process that writes uses a journal of
// the owner.
func TestAJournalBeside(t *testing.T) {
	const nobody = 65534
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	victim, forged := sqlitetest.RecordOfEach(t, sqlite.Open), sqlitetest.RollbackJournal(t, good)
	genuine, err := os.ReadFile(victim)
	if err != nil {
		t.Fatal(err)
	}
	readers := []string{"Verify", "Migrations", "Backup"}
	owner, plants := os.Geteuid(), map[string]struct {
		mode  os.FileMode
		owner int
		want  string // the error of a process that writes; "" if it uses the journal
	}{
		"the owner's":          {0o600, os.Geteuid(), ""},
		"for all to read":      {0o644, os.Geteuid(), ""},
		"for all to write":     {0o666, os.Geteuid(), "chmod 600 "},
		"for a group to write": {0o660, os.Geteuid(), "chmod 600 "},
		"another's":            {0o600, nobody, "belongs to "},
	}
	if owner != file.Superuser {
		delete(plants, "another's") // only root can make it; the tests of disk.Stranger run as any user
	}
	for what, plant := range plants {
		for name, use := range uses(good) {
			path := filepath.Join(t.TempDir(), "app.db")
			sqlitetest.CopyOver(t, victim, path)
			if err := errors.Join(os.WriteFile(path+"-journal", forged, 0o600), os.Chmod(path+"-journal", plant.mode), os.Chown(path+"-journal", plant.owner, -1)); err != nil {
				t.Fatal(err)
			}
			want := plant.want
			if want == "" && slices.Contains(readers, name) {
				want = "app migrate does that"
			}
			err := use(t.Context(), path)
			after, reading := os.ReadFile(path)
			switch {
			case want == "" && err != nil:
				t.Errorf("%s, %s: got %v, want no error", what, name, err)
			case want == "":
				if file.Exists(path+"-journal") && name != "Served" {
					t.Errorf("%s, %s, the control: got the rollback journal unused, want it used and removed", what, name)
				}
			case fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
				t.Errorf("%s, %s: got %v, want %q", what, name, err, want)
			case reading != nil || !bytes.Equal(after, genuine) || !file.Exists(path+"-journal"):
				t.Errorf("%s, %s: got the database or the journal changed, want both unchanged", what, name)
			}
		}
	}
}
