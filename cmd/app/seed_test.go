package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSeedThatIsKilledLeavesNothing kills `app seed` when much of its data is written. The database is
// then empty, and the next `app seed` fills it.
func TestSeedThatIsKilledLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	command := exec.CommandContext(t.Context(), "app", "seed", "--trades", "1000000") // so many that it is killed before the end
	command.Dir, command.Env = dir, plainEnvironment()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	const much = 8 << 20
	for deadline := time.Now().Add(patience); sizes(dir, "app.db", "app.db-wal") < much; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got fewer than %d bytes written within %s", much, patience)
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Fatal("app seed ended before it was killed")
	}
	if r := runIn(t, dir, "app", "seed", "--trades", few, "--years", "1"); r.err != nil || !strings.Contains(r.stdout, few+" trades") {
		t.Errorf("the next time: got %+v, want the database filled", r)
	}
	if r := runIn(t, dir, "app", "verify"); r.err != nil {
		t.Errorf("app verify: got %+v, want no error", r)
	}
	if r := runIn(t, dir, "app", "seed"); r.err == nil || !strings.Contains(r.stderr, "holds data") {
		t.Errorf("as a control, app seed on a filled database: got %+v, want it refused", r)
	}
}

// sizes returns the sum of the sizes of files in a folder. A missing file has size 0.
func sizes(dir string, names ...string) (sum int64) {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
