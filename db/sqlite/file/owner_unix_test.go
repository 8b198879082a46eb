//go:build unix

package file_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// TestFilesAreTheOwners: with any umask, only the owner can use the files of a database, of its
// server and of a backup, and those that a restore makes and keeps aside.
func TestFilesAreTheOwners(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o277, 0o777} {
		dir := t.TempDir()
		path := filepath.Join(dir, "app.db")
		func() {
			defer syscall.Umask(syscall.Umask(umask))
			serveAndBackUp(t, path)
			if err := backup.MakeFolder(filepath.Join(dir, "backups")); err != nil {
				t.Fatal(err)
			}
		}()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				t.Fatal(err)
			}
			if seen = append(seen, entry.Name()); info.Mode() != 0o600 && info.Mode() != fs.ModeDir|0o700 {
				t.Errorf("umask %o: got mode %v of %s, want 0600, or 0700 for a folder", umask, info.Mode(), entry.Name())
			}
		}
		for _, want := range []string{"app.db", "app.db-wal", "app.db-shm", "app.db.lock", "b.db", "b.db.json", "new.db", "new.db.before-restore-20260102-120000", ".daybook-backup.lock"} {
			if !slices.Contains(seen, want) {
				t.Errorf("umask %o: got the files %v, want %s among them", umask, seen, want)
			}
		}
	}
}

// serveAndBackUp makes every possible file in the folder of a database, which stays open until the test
// ends.
func serveAndBackUp(t *testing.T, path string) {
	t.Helper()
	guarded, err := sqlite.Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = guarded.Release() })
	s, err := guarded.Open(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	copied, target := filepath.Join(filepath.Dir(path), "b.db"), filepath.Join(filepath.Dir(path), "new.db")
	_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "AAA", Name: "A"})
	if err = errors.Join(err, guarded.Announce("http://localhost:1/")); err == nil {
		_, err = sqlitebackup.Backup(t.Context(), path, copied, "test", sqlitetest.Midday)
	}
	for range 2 {
		if err == nil {
			_, err = sqlitebackup.Restore(t.Context(), copied, target, nil, sqlitetest.Midday)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyTheCallerMayReadARestoredDatabase: a restored database belongs to the user who restores it, and
// nobody else can read it. This does not depend on the permissions of the backup and of the old database.
func TestOnlyTheCallerMayReadARestoredDatabase(t *testing.T) {
	copied, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := filepath.Join(t.TempDir(), "app.db")
	_ = os.Chown(copied, 12345, 23456) // fails unless the test runs as root
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o644, 0o755, 0o400} {
		for _, path := range []string{copied, target} {
			if err := os.Chmod(path, mode); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if _, err := sqlitebackup.Restore(t.Context(), copied, target, nil, sqlitetest.Midday); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(target)
		if err != nil || info.Mode() != 0o600 || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			t.Errorf("%v: got %v, %v, want 0600 of this user", mode, info.Mode(), err)
		}
	}
}

// uses returns the commands that work on an existing database.
func uses(good string) map[string]func(ctx context.Context, path string) error {
	return map[string]func(ctx context.Context, path string) error{
		"Open": func(ctx context.Context, path string) error {
			s, err := sqlite.Open(ctx, path, time.Now)
			if err == nil {
				err = s.Close()
			}
			return err
		},
		"Guard": func(ctx context.Context, path string) error {
			guarded, err := sqlite.Guard(ctx, path)
			if err == nil {
				err = guarded.Release()
			}
			return err
		},
		"Migrate":    func(ctx context.Context, path string) error { _, err := sqlite.Migrate(ctx, path); return err },
		"Migrations": func(ctx context.Context, path string) error { _, err := sqlite.Migrations(ctx, path); return err },
		"Verify":     func(ctx context.Context, path string) error { _, err := verify.Database(ctx, path, nil); return err },
		"Served":     func(ctx context.Context, path string) error { _, _, err := file.Served(ctx, path); return err },
		"Backup": func(ctx context.Context, path string) error {
			to := filepath.Join(filepath.Dir(good), backup.Name("x.db", time.Now()))
			_, err := sqlitebackup.Backup(ctx, path, to, "test", sqlitetest.Midday)
			return errors.Join(err, file.Remove(to), file.Remove(backup.ManifestOf(to)))
		},
		"Restore": func(ctx context.Context, path string) error {
			_, err := sqlitebackup.Restore(ctx, good, path, nil, sqlitetest.Midday)
			return err
		},
	}
}

// TestSomethingElseInThePlace: a link, a pipe or a folder in the place of a file of the database is
// refused at once, and the target of a link is not changed.
func TestSomethingElseInThePlace(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := victim + "-missing"
	plants := map[string]func(at string) error{
		"a link":            func(at string) error { return os.Symlink(victim, at) },
		"a link to nothing": func(at string) error { return os.Symlink(missing, at) },
		"a pipe":            func(at string) error { return syscall.Mkfifo(at, 0o666) },
		"a folder":          func(at string) error { return os.Mkdir(at, 0o700) },
	}
	for _, part := range file.Companions {
		for what, plant := range plants {
			path := sqlitetest.RecordOfEach(t, sqlite.Open)
			if err := errors.Join(file.Remove(path+part), plant(path+part)); err != nil {
				t.Fatal(err)
			}
			for name, use := range uses(good) {
				if err := use(t.Context(), path); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), path+part) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s in the place of %s, %s: got %v, want it refused with the name of the file", what, part, name, err)
				}
			}
		}
	}
	if content, err := os.ReadFile(victim); err != nil || string(content) != "another's" || file.Exists(missing) {
		t.Errorf("the target of a link: got %q, %v, want it unchanged, and no file made for a link to nothing", content, err)
	}
}

// TestADraftThatIsPlanted: Daybook makes some files as drafts and then renames them. If a link or a pipe
// is in the place of a draft, Daybook removes it and does not change the target of the link.
func TestADraftThatIsPlanted(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, plant := range map[string]func(at string) error{
		"a link": func(at string) error { return os.Symlink(victim, at) },
		"a pipe": func(at string) error { return syscall.Mkfifo(at, 0o666) },
	} {
		path := sqlitetest.RecordOfEach(t, sqlite.Open)
		good, _ := sqlitetest.BackupOf(t, path)
		guarded, err := sqlite.Guard(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := plant(path + ".restoring"); err != nil {
			t.Fatal(err)
		}
		if err := guarded.Announce("http://localhost:1/"); err != nil {
			t.Errorf("%s: got %v, want no error", what, err)
		}
		wantServed(t, path, "http://localhost:1/")
		if err := guarded.Release(); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlitebackup.Restore(t.Context(), good, path, nil, sqlitetest.Midday); err != nil {
			t.Errorf("%s: got %v, want no error", what, err)
		}
	}
	if content, err := os.ReadFile(victim); err != nil || string(content) != "another's" {
		t.Errorf("the target of the link: got %q, %v, want it unchanged", content, err)
	}
}

// TestPlantedBesideABackup: a manifest or a lock that is not a regular file, and a manifest that is too
// large, are refused at once.
func TestPlantedBesideABackup(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	good, _ := sqlitetest.BackupOf(t, path)
	manifest := backup.ManifestOf(good)
	genuine := filepath.Join(t.TempDir(), "genuine.json")
	if err := os.Rename(manifest, genuine); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(genuine)
	if err != nil {
		t.Fatal(err)
	}
	padded := slices.Concat(text, []byte(strings.Repeat(" ", 1<<20)))
	for what, plant := range map[string]func(at string) error{
		"is a symbolic link":           func(at string) error { return os.Symlink(genuine, at) },
		"is not a regular file":        func(at string) error { return syscall.Mkfifo(at, 0o666) },
		"has more than 1048576 bytes":  func(at string) error { return os.WriteFile(at, padded, 0o600) },
		"not the manifest of a backup": func(at string) error { return os.WriteFile(at, nil, 0o600) },
	} {
		if err := plant(manifest); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(t.TempDir(), "app.db")
		if _, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want that it %s", err, what)
		}
		if file.Exists(target) {
			t.Errorf("%s: got a restored database, want none", what)
		}
		if err := os.Remove(manifest); err != nil {
			t.Fatal(err)
		}
	}
	for what, plant := range map[string]func(at string) error{
		"is a symbolic link":    func(at string) error { return os.Symlink(genuine, at) },
		"is not a regular file": func(at string) error { return syscall.Mkfifo(at, 0o666) },
	} {
		dir := t.TempDir()
		if err := plant(filepath.Join(dir, ".daybook-backup.lock")); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlitebackup.Backup(t.Context(), path, filepath.Join(dir, "b.db"), "test", sqlitetest.Midday); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want that it %s", err, what)
		}
	}
}

// TestReadingAMissingDatabaseMakesNoFile: without a database, or with an empty file, OpenExisting,
// Verify and Backup make no file and say that there is no database.
func TestReadingAMissingDatabaseMakesNoFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "app.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "app.db"), empty} {
		before, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		_, opening := sqlite.OpenExisting(t.Context(), path, time.Now)
		_, verifying := verify.Database(t.Context(), path, nil)
		_, backing := sqlitebackup.Backup(t.Context(), path, filepath.Join(filepath.Dir(path), "b.db"), "test", sqlitetest.Midday)
		for name, err := range map[string]error{"OpenExisting": opening, "Verify": verifying, "Backup": backing} {
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "holds no database") {
				t.Errorf("%s: got %v, want an error that there is no database", name, err)
			}
		}
		after, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(after) != len(before) || file.Exists(path) && file.SizeOf(path) > 0 {
			t.Errorf("got the files %v, %v, want %v", after, err, before)
		}
	}
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.OpenExisting(t.Context(), path, time.Now)
	if err != nil {
		t.Fatalf("a database that exists: got %v, want no error", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := slices.Collect(maps.Keys(sqlitetest.MustHold(t, path))); len(got) == 0 {
		t.Error("a database that exists: got no records, want some")
	}
}

// emptyDatabase returns the path of a database without records.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	if _, err := sqlite.Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNamesBesideADatabaseAreNoBackups: no backup can have the name of a file that Daybook makes and
// removes beside a database.
func TestNamesBesideADatabaseAreNoBackups(t *testing.T) {
	for _, part := range file.Companions {
		if backup.Reserved("app.db"+part) == "" {
			t.Errorf("%s: got it accepted as the name of a backup, want it reserved", part)
		}
	}
}

// TestADatabaseHasNoNameOfAManifest: a database cannot have the name of a manifest. The program opens and
// closes all manifests in its folder, and closing the database that way would drop its own locks on it.
func TestADatabaseHasNoNameOfAManifest(t *testing.T) {
	for name, refused := range map[string]bool{"data.json": true, "data.db.json.sig": true, "json": false, "data.json.db": false} {
		_, err := file.Locate(filepath.Join(t.TempDir(), name))
		if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "manifests of backups; give it another name") {
			t.Errorf("%s: got %v, want it refused: %t", name, err, refused)
		}
	}
}
