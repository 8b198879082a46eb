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

// TestBackupFullDisk: a backup to a full disk or to one that fills up meanwhile, and a
// restore on a full one, fail in one line; the database is as it was, nothing is left,
// and with space again they work.
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
	balloon := filepath.Join(disk, "balloon")
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
				t.Errorf("place %d, app %v: got %q, want a backup refused before it begins", place, args, said)
			}
			if got := namesIn(t, disk); !slices.Equal(got, before) {
				t.Errorf("place %d, app %v: got %v left, want %v", place, args, got, before)
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
		"backup and restore on a full disk", "one line, nothing left, both databases as they were",
		fmt.Sprintf("full at %d places of each, and filling up at as many: as promised; with space again both work", places),
		"with space: both succeed",
	}.report(t)
}

// fillsUp takes a backup whose disk takes no more than some bytes of a file, though it
// had room for all of it when the backup began: one line says so, and nothing is left.
func fillsUp(t *testing.T, source, to string, most int64) {
	t.Helper()
	before := namesIn(t, filepath.Dir(to))
	const block = 512 // bytes, of ulimit -f
	script := fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, most/block)
	command := exec.CommandContext(t.Context(), "sh", "-c", script, app, "backup", "--db", source, to)
	command.Env = plainEnvironment()
	said, err := command.CombinedOutput()
	if complaint := errorLine(string(said), err); complaint != nil || strings.Contains(string(said), "no room for a backup") {
		t.Errorf("a disk that fills up after %d bytes: got %q, %v", most, said, complaint)
	}
	if got := namesIn(t, filepath.Dir(to)); !slices.Equal(got, before) {
		t.Errorf("a disk that fills up after %d bytes: got %v left, want %v", most, got, before)
	}
}
