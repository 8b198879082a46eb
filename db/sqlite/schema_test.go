package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/faultdisk"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// A migration may add a column to a table whose records are journalled: a new database
// and an upgraded one with records are whole, and go on.
func TestAColumnIsAddedToAJournalledTable(t *testing.T) {
	made := sqlitetest.Later(t)
	for name, path := range map[string]string{
		"new":      filepath.Join(t.TempDir(), "app.db"),
		"upgraded": baseline(t),
	} {
		f, err := file.Locate(path, verify.Whole)
		if err != nil {
			t.Fatal(err)
		}
		f.Schema = made
		s, err := OpenFile(t.Context(), f, time.Now)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "new" {
			sqlitetest.Fill(t, spaced(s, 1))
		}
		if _, err := s.AddTrades(t.Context(), []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Sell, Price: 1, Date: sqlitetest.Midday}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.VoidTrade(t.Context(), 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		v, err := verify.File(t.Context(), f, nil)
		if err != nil || len(v.Findings) > 0 || v.Entries < 14 {
			t.Errorf("%s: got %+v, %v, want nothing found", name, v, err)
		}
		if got := sqlitetest.MustHold(t, path)["trades"]; len(got) < 2 || !strings.HasSuffix(got[0], "|''") {
			t.Errorf("%s: got %q, want trades with an empty remark", name, got)
		}
	}
}

// older makes a database of the released schema with records, to be migrated to a later one.
func older(t *testing.T, made *schema.Schema) file.File {
	t.Helper()
	f, err := file.Locate(baseline(t), verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = made
	return f
}

// beforeLater is what the name of the backup ends in that comes before the later schema.
func beforeLater() string { return fmt.Sprintf(".before-schema-%d", schema.Released.Newest()+1) }

// Before a migration changes a database with records, there is a backup of it.
func TestABackupComesBeforeAMigration(t *testing.T) {
	f := older(t, sqlitetest.Later(t))
	before := sqlitetest.MustHold(t, f.Path)
	u, err := MigrateFile(t.Context(), f)
	if err != nil || len(u.Steps) != 1 {
		t.Fatalf("got %+v, %v, want one step", u, err)
	}
	if want := f.Path + beforeLater(); u.Backup != want {
		t.Errorf("got the backup %q, want %q", u.Backup, want)
	}
	if got := sqlitetest.MustHold(t, u.Backup); !sqlitetest.SameRows(got, before) {
		t.Errorf("got %v, want %v", got, before)
	}
	target := filepath.Join(t.TempDir(), "app.db")
	if r, err := sqlitebackup.Restore(t.Context(), u.Backup, target, nil, sqlitetest.Midday); err != nil || r.Schema != schema.Released.Newest() {
		t.Errorf("restoring it: got %+v, %v", r, err)
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("restoring it: got %q, want nothing", got)
	}
	if u, err := MigrateFile(t.Context(), f); err != nil || u.Backup != "" || len(u.Steps) != 0 {
		t.Errorf("a second time: got %+v, %v, want nothing", u, err)
	}
}

func TestAnEmptyDatabaseIsMigratedWithoutABackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = sqlitetest.Later(t)
	if u, err := MigrateFile(t.Context(), f); err != nil || u.Backup != "" || len(u.Steps) != 1 {
		t.Errorf("got %+v, %v, want one step and no backup", u, err)
	}
	if got, want := sqlitetest.NamesIn(t, filepath.Dir(path)), []string{"app.db"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A failed migration does not change the database. Repeated attempts make one backup of the same
// records, and another one of changed records.
func TestAMigrationThatFails(t *testing.T) {
	f := older(t, sqlitetest.LaterBy(t, "ALTER TABLE trades ADD COLUMN remark TEXT; INSERT INTO nowhere VALUES (1)"))
	before := sqlitetest.MustHold(t, f.Path)
	tries := func(want ...string) {
		t.Helper()
		for range 3 {
			if _, err := MigrateFile(t.Context(), f); err == nil || !strings.Contains(err.Error(), "cannot migrate") {
				t.Fatalf("got %v, want a failure", err)
			}
		}
		if got := sqlitetest.NamesIn(t, filepath.Dir(f.Path)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	first := "app.db" + beforeLater()
	tries("app.db", first, first+".json")
	if got := sqlitetest.MustHold(t, f.Path); !sqlitetest.SameRows(got, before) {
		t.Errorf("got %v, want the database as it was, %v", got, before)
	}
	s, err := Open(t.Context(), f.Path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.VoidTrade(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tries("app.db", first, first+"-2", first+"-2.json", first+".json")
	if err := os.Truncate(f.Path+beforeLater()+"-2", 4096); err != nil {
		t.Fatal(err)
	}
	tries("app.db", first, first+"-2", first+"-2.json", first+"-3", first+"-3.json", first+".json")
}

// A database is not migrated if there is no room for its backup. The control has room.
func TestNoMigrationWithoutRoomForItsBackup(t *testing.T) {
	t.Run("full", func(t *testing.T) {
		f, disk := olderOnADisk(t)
		before := sqlitetest.MustHold(t, f.Path)
		disk.Fail(faultdisk.Fault{Kind: faultdisk.Write, File: ".daybook-backup-app.db" + beforeLater(), Nth: 20, Code: sqlite3.SQLITE_FULL, Lasts: true})
		_, err := MigrateFile(t.Context(), f)
		if fault.KindOf(err) != fault.Unavailable || !strings.HasPrefix(err.Error(), "cannot migrate "+f.Path+" without a backup of it: ") || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("got %v, want a refusal", err)
		}
		if got := sqlitetest.NamesIn(t, filepath.Dir(f.Path)); !slices.Equal(got, []string{"app.db"}) {
			t.Errorf("got %q, want nothing beside the database", got)
		}
		if got := sqlitetest.MustHold(t, f.Path); !sqlitetest.SameRows(got, before) {
			t.Errorf("got %v, want the database as it was, %v", got, before)
		}
	})
	t.Run("with room", func(t *testing.T) {
		f, _ := olderOnADisk(t)
		if u, err := MigrateFile(t.Context(), f); err != nil || u.Backup == "" || len(u.Steps) != 1 {
			t.Errorf("got %+v, %v, want it migrated", u, err)
		}
	})
}

func olderOnADisk(t *testing.T) (file.File, *faultdisk.Disk) {
	t.Helper()
	f, disk := older(t, sqlitetest.Later(t)), faultdisk.New()
	t.Cleanup(disk.Close)
	f.VFS = disk.Name
	return f, disk
}
