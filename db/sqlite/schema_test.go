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

// TestAColumnIsAddedToAJournalledTable: a migration can add a column to a table whose records are
// journalled. A new database and an upgraded one with records can both be written afterwards, and verify
// finds nothing.
func TestAColumnIsAddedToAJournalledTable(t *testing.T) {
	made := sqlitetest.Later(t)
	for name, path := range map[string]string{
		"new":      filepath.Join(t.TempDir(), "app.db"),
		"upgraded": baseline(t),
	} {
		f, err := file.Locate(path)
		if err != nil {
			t.Fatal(err)
		}
		f.Schema = made
		s, err := OpenFile(t.Context(), f, time.Now)
		if err != nil {
			t.Fatalf("%s: got %v, want it opened", name, err)
		}
		if name == "new" {
			sqlitetest.Fill(t, withSpacing(s, 1))
		}
		if _, err := s.AddTrades(t.Context(), []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Sell, Price: 1, Date: sqlitetest.Midday}}); err != nil {
			t.Errorf("%s: AddTrades: got %v, want no error", name, err)
		}
		if _, err := s.VoidTrade(t.Context(), 1); err != nil {
			t.Errorf("%s: VoidTrade: got %v, want no error", name, err)
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

// older makes a database of the newest released schema, with records. Its file is set to a later schema, so
// that it can be migrated.
func older(t *testing.T, made *schema.Schema) file.File {
	t.Helper()
	f, err := file.Locate(ofSchema(t, schema.Released.Newest()))
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = made
	return f
}

// backupSuffix is the end of the name of the backup that is taken before the migration to the later
// schema.
func backupSuffix() string { return fmt.Sprintf(".before-schema-%d", schema.Released.Newest()+1) }

// TestABackupComesBeforeAMigration: before a migration changes a database with records, it makes a
// backup that can be restored.
func TestABackupComesBeforeAMigration(t *testing.T) {
	f := older(t, sqlitetest.Later(t))
	before := sqlitetest.MustHold(t, f.Path)
	u, err := MigrateFile(t.Context(), f)
	if err != nil || len(u.Steps) != 1 {
		t.Fatalf("got %+v, %v, want one step", u, err)
	}
	if want := f.Path + backupSuffix(); u.Backup != want {
		t.Errorf("got the backup %q, want %q", u.Backup, want)
	}
	if got := sqlitetest.MustHold(t, u.Backup); !sqlitetest.SameRows(got, before) {
		t.Errorf("got %v, want %v", got, before)
	}
	target := filepath.Join(t.TempDir(), "app.db")
	if r, err := sqlitebackup.Restore(t.Context(), u.Backup, target, nil, sqlitetest.Midday); err != nil || r.Schema != schema.Released.Newest() {
		t.Errorf("restoring it: got %+v, %v, want the released schema", r, err)
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("restoring it: got %q, want nothing", got)
	}
	if u, err := MigrateFile(t.Context(), f); err != nil || u.Backup != "" || len(u.Steps) != 0 {
		t.Errorf("a second time: got %+v, %v, want no step and no backup", u, err)
	}
}

// TestAnEmptyDatabaseIsMigratedWithoutABackup: the migration of a database without records makes no
// backup.
func TestAnEmptyDatabaseIsMigratedWithoutABackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	f, err := file.Locate(path)
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

// TestAMigrationThatFails: a migration that fails does not change the database. Several attempts make
// one backup. If the records have changed, or the backup is damaged, the next attempt makes another one.
func TestAMigrationThatFails(t *testing.T) {
	f := older(t, sqlitetest.LaterBy(t, "ALTER TABLE trades ADD COLUMN remark TEXT; INSERT INTO nowhere VALUES (1)"))
	before := sqlitetest.MustHold(t, f.Path)
	tries := func(want ...string) {
		t.Helper()
		for range 3 {
			if _, err := MigrateFile(t.Context(), f); err == nil || !strings.Contains(err.Error(), "cannot migrate") {
				t.Fatalf("got %v, want the migration to fail", err)
			}
		}
		if got := sqlitetest.NamesIn(t, filepath.Dir(f.Path)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	first := "app.db" + backupSuffix()
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
	if err := os.Truncate(f.Path+backupSuffix()+"-2", 4096); err != nil {
		t.Fatal(err)
	}
	tries("app.db", first, first+"-2", first+"-2.json", first+"-3", first+"-3.json", first+".json")
}

// TestNoMigrationWithoutRoomForItsBackup: a database is not migrated if the disk has no room for its
// backup. As a control, it is migrated if there is room.
func TestNoMigrationWithoutRoomForItsBackup(t *testing.T) {
	t.Run("full", func(t *testing.T) {
		f, disk := olderOnFaultDisk(t)
		before := sqlitetest.MustHold(t, f.Path)
		disk.Fail(faultdisk.Fault{Kind: faultdisk.Write, File: ".daybook-backup-app.db" + backupSuffix(), Nth: 20, Code: sqlite3.SQLITE_FULL, Lasts: true})
		_, err := MigrateFile(t.Context(), f)
		if fault.KindOf(err) != fault.Unavailable || !strings.HasPrefix(err.Error(), "cannot migrate "+f.Path+" without a backup of it: ") || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("got %v, want it refused because the disk is full", err)
		}
		if got := sqlitetest.NamesIn(t, filepath.Dir(f.Path)); !slices.Equal(got, []string{"app.db"}) {
			t.Errorf("got the files %q, want only the database", got)
		}
		if got := sqlitetest.MustHold(t, f.Path); !sqlitetest.SameRows(got, before) {
			t.Errorf("got %v, want the database as it was, %v", got, before)
		}
	})
	t.Run("with room", func(t *testing.T) {
		f, _ := olderOnFaultDisk(t)
		if u, err := MigrateFile(t.Context(), f); err != nil || u.Backup == "" || len(u.Steps) != 1 {
			t.Errorf("got %+v, %v, want it migrated", u, err)
		}
	})
}

// olderOnFaultDisk is older, on a disk that can fail.
func olderOnFaultDisk(t *testing.T) (file.File, *faultdisk.Disk) {
	t.Helper()
	f, disk := older(t, sqlitetest.Later(t)), faultdisk.New()
	t.Cleanup(disk.Close)
	f.VFS = disk.Name
	return f, disk
}

// TestADamagedDatabaseIsNotMigrated: a database with a record that refers to a missing one is not migrated.
// However often that is tried, one backup of it is taken, and the error names that backup.
func TestADamagedDatabaseIsNotMigrated(t *testing.T) {
	f := older(t, sqlitetest.Later(t))
	sqlitetest.BehindItsBack(t, f.Path, "UPDATE revenues SET company_id = 9999 WHERE id = (SELECT min(id) FROM revenues)")
	var names []string
	for i := range 3 {
		_, err := MigrateFile(t.Context(), f)
		if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), ".before-schema-") {
			t.Errorf("got %v, want an error that names the damage and the backup", err)
		}
		now := sqlitetest.NamesIn(t, filepath.Dir(f.Path))
		if i > 0 && !slices.Equal(now, names) {
			t.Errorf("the next time: got the files %q, want %q", now, names)
		}
		names = now
	}
}
