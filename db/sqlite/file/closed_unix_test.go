//go:build unix

package file_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
)

// TestAFolderOfEveryone: every command refuses a folder in which every user can make files, sticky or
// not, and changes nothing. As a control, each command works in a folder that others can only read,
// below a sticky one.
func TestAFolderOfEveryone(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(above, "folder")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(above, 0o777|fs.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(dir, "app.db")
	all := uses(good)
	all["Restore, where none is"] = func(ctx context.Context, _ string) error {
		to := filepath.Join(dir, "new.db")
		_, err := sqlitebackup.Restore(ctx, good, to, nil, sqlitetest.Midday)
		return errors.Join(err, file.Remove(to), file.Remove(to+file.MigrateLock), file.Remove(to+file.ServeLock))
	}
	all["Backup into it"] = func(ctx context.Context, _ string) error {
		to := filepath.Join(dir, "b.db")
		_, err := sqlitebackup.Backup(ctx, good, to, "test", sqlitetest.Midday)
		return errors.Join(err, file.Remove(to), file.Remove(backup.ManifestOf(to)))
	}
	all["MakeFolder"] = func(context.Context, string) error { return backup.MakeFolder(dir) }
	all["MakeFolder below"] = func(context.Context, string) error {
		folder := filepath.Join(dir, "backups")
		return errors.Join(backup.MakeFolder(folder), file.Remove(folder))
	}
	for _, c := range []struct {
		mode fs.FileMode
		want string
	}{
		{0o777, "w " + dir}, {0o777 | fs.ModeSticky, "mkdir -m 700 " + dir}, {0o757, "w " + dir}, {0o755, ""},
	} {
		for name, use := range all {
			sqlitetest.CopyOver(t, good, there)
			if err := os.Chmod(dir, c.mode); err != nil {
				t.Fatal(err)
			}
			before := sqlitetest.NamesIn(t, dir)
			err := use(t.Context(), there)
			if c.want == "" && err != nil {
				t.Errorf("%v, %s, the control: got %v, want no error", c.mode, name, err)
			}
			if c.want == "" {
				continue
			}
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, %s: got %v, want it refused with %q", c.mode, name, err, c.want)
			}
			if after := sqlitetest.NamesIn(t, dir); !slices.Equal(after, before) {
				t.Errorf("%v, %s: got the files %v, want %v", c.mode, name, after, before)
			}
		}
	}
}

// TestAFolderBehindALink: if a path leads through a link, the folder behind the link is checked, because
// a new database would be made there.
func TestAFolderBehindALink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(link, "app.db")
	if f, err := file.Locate(path, verify.Whole); err != nil || !file.SameFile(filepath.Dir(f.Path), dir) {
		t.Errorf("the control: got %v, %v, want it in %s", f.Path, err, dir)
	}
	if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Locate(path, verify.Whole); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "mkdir -m 700 ") {
		t.Errorf("got %v, want it refused", err)
	}
	if os.Geteuid() != file.Superuser {
		return
	}
	const nobody = 65534
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Locate(path, verify.Whole); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "root makes no database") {
		t.Errorf("the folder of another user: got %v, want it refused", err)
	}
}

// TestRootFollowsNoLinkOfAnother: root follows no link of another user on the path to a database or to a
// folder of backups, also if a link of root leads to that link. As a control, root follows links of root
// only.
func TestRootFollowsNoLinkOfAnother(t *testing.T) {
	if os.Geteuid() != file.Superuser {
		t.Log("skipped: only root is refused, and the test does not run as root; the tests of disk.Resolve run as any user")
		return
	}
	const nobody = 65534
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	data, theirs, ours := t.TempDir(), t.TempDir(), t.TempDir()
	there := filepath.Join(data, "app.db")
	sqlitetest.CopyOver(t, good, there)
	second, first := filepath.Join(theirs, "second"), filepath.Join(ours, "first")
	if err := errors.Join(os.Symlink(data, second), os.Symlink(second, first)); err != nil {
		t.Fatal(err)
	}
	all := uses(good)
	all["Backup into it"] = func(ctx context.Context, path string) error {
		to := filepath.Join(filepath.Dir(path), "b.db")
		_, err := sqlitebackup.Backup(ctx, good, to, "test", sqlitetest.Midday)
		return errors.Join(err, file.Remove(to), file.Remove(backup.ManifestOf(to)))
	}
	all["MakeFolder"] = func(_ context.Context, path string) error {
		folder := filepath.Join(filepath.Dir(path), "backups")
		return errors.Join(backup.MakeFolder(folder), file.Remove(folder))
	}
	for name, use := range all {
		if err := use(t.Context(), filepath.Join(first, "app.db")); err != nil {
			t.Errorf("%s, the control: got %v, want no error", name, err)
		}
	}
	if err := os.Lchown(second, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	for name, use := range all {
		before := sqlitetest.NamesIn(t, data)
		for _, way := range []string{first, second} {
			err := use(t.Context(), filepath.Join(way, "app.db"))
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), second+" is a symbolic link of ") || !slices.Equal(sqlitetest.NamesIn(t, data), before) {
				t.Errorf("%s by %s: got %v, want it refused, and no new file", name, filepath.Base(way), err)
			}
		}
	}
}
