//go:build unix

package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// TestALinkInThePlaceOfADraft: another user who can write to the folder of backups could put a link in
// the place of the draft, to get the data. A link that exists before the backup begins is removed. One
// that appears later is refused.
func TestALinkInThePlaceOfADraft(t *testing.T) {
	path, dir := sqlitetest.RecordOfEach(t, sqlite.Open), t.TempDir()
	loot, draft := filepath.Join(dir, "loot"), filepath.Join(dir, ".daybook-backup-b.db")
	if err := errors.Join(os.WriteFile(loot, nil, 0o600), os.Symlink(loot, draft)); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Backup(t.Context(), path, filepath.Join(dir, "b.db"), "test", sqlitetest.Midday); err != nil {
		t.Errorf("a link that exists before: got %v, want no error", err)
	}
	folder, err := backup.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(loot, draft); err != nil {
		t.Fatal(err)
	}
	f, err := file.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sqlitebackup.CopyTo(t.Context(), f, file.File{Path: draft, Synchronous: "FULL", Immutable: true, Schema: schema.Released}, func() error { return folder.Create("b.db") }); err == nil {
		t.Error("a link that appears later: got no error, want it refused")
	}
	if err := folder.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(loot); err != nil || info.Size() > 0 {
		t.Errorf("got %v, %v, want the file behind the link unchanged", info, err)
	}
}

// TestACopyThatIsExchanged: a restore copies the backup, checks the copy and then puts it in the place
// of the database. If somebody exchanges the content of the copy after the check, with a rollback
// journal, the database is not replaced. As a control, without the journal it is.
func TestACopyThatIsExchanged(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	other, _ := sqlitetest.BackupOf(t, anotherDatabase(t))
	for _, planted := range []bool{true, false} {
		path := sqlitetest.RecordOfEach(t, sqlite.Open)
		before := sqlitetest.MustHold(t, path)
		f, err := file.Locate(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sqlitebackup.OpenSource(good, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		copied := file.File{Path: path + ".restoring", Name: good, Synchronous: "FULL", Immutable: true, Schema: schema.Released}
		size, contents, err := s.CopyTo(t.Context(), copied)
		if err = errors.Join(err, s.File.Close()); err != nil {
			t.Fatal(err)
		}
		if planted {
			if err := os.WriteFile(copied.Path+"-journal", sqlitetest.RollbackJournal(t, other), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err = sqlitebackup.Replaced(t.Context(), f, copied, sqlitebackup.Restoration{Bytes: size, Contents: contents}, sqlitetest.Midday)
		if !planted && err != nil {
			t.Errorf("the control: got %v, want no error", err)
		}
		if !planted {
			continue
		}
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "the link was noted of another journal") && !strings.Contains(err.Error(), "names this link") {
			t.Errorf("got %v, want it refused", err)
		}
		if !sqlitetest.SameRows(sqlitetest.MustHold(t, path), before) {
			t.Error("got the database changed, want it unchanged")
		}
	}
}

// anotherDatabase makes a database with other records than RecordOfEach.
func anotherDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	if _, err := sqlite.Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "EVL", Name: "Another"})
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}
