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

// bindMounts names the folder in which a child with mounts of its own mounts a database.
const bindMounts = "DAYBOOK_TEST_BIND_MOUNTS"

// TestAFileThatIsAMountPoint: a database that is mounted by itself has other locks and another log than
// under its own name, and is refused. One in a mounted folder is accepted.
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
		t.Log("only root mounts: what a mount point is was held against /proc alone")
	} else if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

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
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
	if got := sqlitetest.NamesIn(t, other); !slices.Equal(got, []string{"app.db"}) {
		t.Errorf("got %v, want nothing new", got)
	}
	s, err := sqlite.Open(context.Background(), filepath.Join(folder, filepath.Base(names[0])), time.Now)
	if err != nil {
		t.Fatalf("in a folder that is mounted: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
