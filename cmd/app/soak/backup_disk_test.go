//go:build linux

package soak_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBackupFullDisk runs a backup to a full disk and to one that becomes full during the backup, and
// a restore on a full disk. Each fails with one line of error, leaves no file, and does not change
// the database. When there is space again, both succeed.
func TestBackupFullDisk(t *testing.T) {
	if os.Getenv(ownMounts) == "" {
		runInOwnMounts(t, "backup and restore on a full disk")
		return
	}
	disk := t.TempDir()
	mount(t, disk)
	source, target := newFile(t), filepath.Join(disk, "app.db")
	mustRunApp(t, "seed", "--db", source, "--trades", "1000", "--departments", "3", "--accounts", "10", "--years", "1")
	mustRunApp(t, "migrate", "--db", target)
	good := filepath.Join(filepath.Dir(source), "good.db")
	mustRunApp(t, "backup", "--db", source, good)
	size, held := fileSize(t, good), headOf(t, target)
	balloon := filepath.Join(disk, "balloon") // takes the free space of the disk
	places := times(4, 60)
	for place := range places {
		before := append(namesIn(t, disk), "balloon")
		slices.Sort(before)
		inflate(t, balloon, size*int64(place)/int64(places))
		for _, args := range [][]string{{"backup", "--db", source, filepath.Join(disk, "new.db")}, {"restore", "--db", target, good}} {
			said, err := runApp(t, args...)
			if complaint := errorLine(said, err); complaint != nil {
				t.Errorf("place %d, app %v: %v", place, args, complaint)
			}
			if foreseen := strings.Contains(said, "no room for a backup"); foreseen != (args[0] == "backup") {
				t.Errorf("place %d, app %v: got %q, want that only a backup is refused before it begins", place, args, said)
			}
			if got := namesIn(t, disk); !slices.Equal(got, before) {
				t.Errorf("place %d, app %v: got the files %v, want %v", place, args, got, before)
			}
		}
		fillsUp(t, source, filepath.Join(filepath.Dir(source), "full.db"), size*int64(place)/int64(places))
		if err := os.Remove(balloon); err != nil {
			t.Fatal(err)
		}
		if got := headOf(t, target); got != held {
			t.Errorf("place %d: got a database with chain head %q, want %q", place, got, held)
		}
	}
	mustRunApp(t, "backup", "--db", source, filepath.Join(disk, "new.db"))
	mustRunApp(t, "restore", "--db", target, filepath.Join(disk, "new.db"))
	if got, want := headOf(t, target), headOf(t, source); got != want || want == "" {
		t.Errorf("with space again: got chain head %q, want %q", got, want)
	}
	figure{
		"backup and restore on a full disk", "one line of error, no file left, both databases unchanged",
		fmt.Sprintf("a disk full at %d sizes, and becoming full at as many: as promised; with space again both succeed", places),
		"with space: both succeed",
	}.report(t)
}

// fillsUp takes a backup that cannot write more than most bytes (a limit of ulimit), although the
// disk has room when the backup begins. The backup must fail with one line and leave no file.
func fillsUp(t *testing.T, source, to string, most int64) {
	t.Helper()
	before := namesIn(t, filepath.Dir(to))
	const block = 512 // bytes, of ulimit -f
	script := fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, most/block)
	command := exec.CommandContext(t.Context(), "sh", "-c", script, app, "backup", "--db", source, to)
	command.Env = plainEnvironment()
	said, err := command.CombinedOutput()
	if complaint := errorLine(string(said), err); complaint != nil || strings.Contains(string(said), "no room for a backup") {
		t.Errorf("a disk that is full after %d bytes: got %q, %v, want one line of error after the backup began", most, said, complaint)
	}
	if got := namesIn(t, filepath.Dir(to)); !slices.Equal(got, before) {
		t.Errorf("a disk that is full after %d bytes: got the files %v, want %v", most, got, before)
	}
}
