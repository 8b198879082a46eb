package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSeedThatIsKilledLeavesNothing: killed when much of its data is in the files, it
// leaves an empty database, which the next one fills.
func TestSeedThatIsKilledLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	command := exec.CommandContext(t.Context(), "app", "seed", "--trades", "1000000") // which it never comes to the end of
	command.Dir, command.Env = dir, plainEnvironment()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	const much = 8 << 20
	for deadline := time.Now().Add(patience); sizes(dir, "app.db", "app.db-wal") < much; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing grows")
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Fatal("it was done before it was killed")
	}
	if r := runIn(t, dir, "app", "seed", "--trades", few, "--years", "1"); r.err != nil || !strings.Contains(r.stdout, few+" trades") {
		t.Errorf("the next time: got %+v, want the database filled", r)
	}
	if r := runIn(t, dir, "app", "verify"); r.err != nil {
		t.Errorf("got %+v, want nothing found", r)
	}
	if r := runIn(t, dir, "app", "seed"); r.err == nil || !strings.Contains(r.stderr, "holds data") {
		t.Errorf("as a control: got %+v, want a part of the data to be noticed", r)
	}
}

// sizes is the bytes of files in a folder; a file that is not there has none.
func sizes(dir string, names ...string) (sum int64) {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
