package file_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// bindMounts is the environment variable of the child process. It names the folder of the database that
// the child mounts.
const bindMounts = "DAYBOOK_TEST_BIND_MOUNTS"

// TestAFileThatIsAMountPoint: a database file that is a mount point is refused, because it would have
// other locks and another log than under its own name. A database in a mounted folder is accepted.
func TestAFileThatIsAMountPoint(t *testing.T) {
	if dir := os.Getenv(bindMounts); dir != "" {
		useMounts(t, dir)
		return
	}
	if is, err := disk.Mounted("/proc"); !is || err != nil {
		t.Errorf("/proc: got %t, %v, want a mount point", is, err)
	}
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	if is, err := disk.Mounted(path); is || err != nil {
		t.Errorf("a file: got %t, %v, want no mount point", is, err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAFileThatIsAMountPoint$")
	child.Env = append(os.Environ(), bindMounts+"="+filepath.Dir(path))
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Log("only root can mount: the test checked disk.Mounted with /proc and a file, but mounted no database")
	} else if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// useMounts is the test in the child process: it mounts the database in the folder, and then the folder.
func useMounts(t *testing.T, dir string) {
	t.Helper()
	other, folder := t.TempDir(), t.TempDir()
	names, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil || len(names) != 1 {
		t.Fatalf("got %v, %v, want one database", names, err)
	}
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	file := filepath.Join(other, "app.db")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), syscall.Mount(names[0], file, "", syscall.MS_BIND, ""), syscall.Mount(dir, folder, "", syscall.MS_BIND, "")); err != nil {
		t.Fatal(err)
	}
	defer func() { // the folders are removed after the test
		if err := errors.Join(syscall.Unmount(file, 0), syscall.Unmount(folder, 0)); err != nil {
			t.Error(err)
		}
	}()
	for name, use := range uses(good) {
		if err := use(context.Background(), file); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "mount the folder") {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
	}
	if got := sqlitetest.NamesIn(t, other); !slices.Equal(got, []string{"app.db"}) {
		t.Errorf("got the files %v, want no new one", got)
	}
	s, err := sqlite.Open(context.Background(), filepath.Join(folder, filepath.Base(names[0])), time.Now)
	if err != nil {
		t.Fatalf("a database in a mounted folder: got %v, want no error", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
