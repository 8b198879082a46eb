//go:build unix

package file_test

import (
	"bytes"
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
// A process that only reads does not let it; a process that writes does.
func TestAJournalBeside(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	victim, forged := sqlitetest.RecordOfEach(t, sqlite.Open), sqlitetest.RollbackJournal(t, good)
	genuine, err := os.ReadFile(victim)
	if err != nil {
		t.Fatal(err)
	}
	readers := []string{"Verify", "Migrations", "Backup"}
	for name, use := range uses(good) {
		path := filepath.Join(t.TempDir(), "app.db")
		sqlitetest.CopyOver(t, victim, path)
		if err := os.WriteFile(path+"-journal", forged, 0o600); err != nil {
			t.Fatal(err)
		}
		err := use(t.Context(), path)
		after, reading := os.ReadFile(path)
		switch {
		case !slices.Contains(readers, name):
			if err != nil || file.Exists(path+"-journal") && name != "Served" {
				t.Errorf("%s: got %v, the journal there: %t, want it used and removed", name, err, file.Exists(path+"-journal"))
			}
		case fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "app migrate does that") || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: got %v, want it refused with what to do", name, err)
		case reading != nil || !bytes.Equal(after, genuine) || !file.Exists(path+"-journal"):
			t.Errorf("%s: got the database or the journal changed, want both unchanged", name)
		}
	}
}
