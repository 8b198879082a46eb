//go:build unix

package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Where no database was, a restored one lets in nobody whom its backup kept out, however
// open the folder is; and it is the backup's owner's, where this process may give it.
func TestWhoMayReadWhatIsNew(t *testing.T) {
	file, _ := backupOf(t, aRecordOfEach(t))
	_ = os.Chown(file, 12345, 23456) // refused where the test is not root's
	owner := func(path string) (of [2]uint32, mode fs.FileMode) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		stat := info.Sys().(*syscall.Stat_t)
		return [2]uint32{stat.Uid, stat.Gid}, info.Mode().Perm()
	}
	for mode, want := range map[fs.FileMode]fs.FileMode{0o600: 0o600, 0o640: 0o640, 0o660: 0o660, 0o644: 0o644, 0o755: 0o644, 0o400: 0o600} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(dir, "app.db")
		if _, err := Restore(t.Context(), file, target, nil, midday); err != nil {
			t.Fatal(err)
		}
		wantOf, _ := owner(file)
		if of, got := owner(target); got != want || of != wantOf {
			t.Errorf("%v: got %v of %v, want %v of %v", mode, got, of, want, wantOf)
		}
	}
}
