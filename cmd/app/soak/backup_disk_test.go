//go:build linux

package soak_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestBackupFullDisk: a backup to a full disk, and a restore on one, fail in one line;
// the database is as it was, nothing is left, and with space again they work.
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
			if got := namesIn(t, disk); !slices.Equal(got, before) {
				t.Errorf("place %d, app %v: got %v left, want %v", place, args, got, before)
			}
		}
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
		fmt.Sprintf("full at %d places of each: as promised; with space again both work", places),
		"with space: both succeed",
	}.report(t)
}
