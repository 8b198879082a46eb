package backup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/fault"
)

// A folder that another is busy with is not waited for without end.
func TestAFolderThatIsBusy(t *testing.T) {
	dir := t.TempDir()
	busy, err := OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = openFolder(t.Context(), dir, 50*time.Millisecond)
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "busy with the backups in "+dir+" for 50ms") {
		t.Errorf("got %v, want it unavailable because another is busy", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openFolder(ctx, dir, time.Hour); fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "busy") {
		t.Errorf("given up: got %v, want it unavailable, and nobody blamed", err)
	}
	if err := busy.Close(); err != nil {
		t.Fatal(err)
	}
	free, err := openFolder(t.Context(), dir, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
}

// A manifest stays where somebody moved or compressed its backup, also when a kill has
// left a draft of another backup of that size, and no backup takes its name.
func TestAManifestOfABackupThatWasMoved(t *testing.T) {
	s := newScene(t)
	k := NewKeeper(s.config(0))
	m, err := k.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, m.File)
	if err := os.Rename(path, path+".gz"); err != nil {
		t.Fatal(err)
	}
	draft := (&Folder{path: s.dir}).Draft()
	for _, left := range []string{draft, draft + "-journal"} {
		if err := os.WriteFile(left, []byte(strings.Repeat("x", int(m.Bytes))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next, err := k.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{m.File + ".gz", m.File + ".json", next.File, next.File + ".json"}
	if got := s.files(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What a kill left in the midst of putting a backup there is removed, whatever its name.
func TestAPublicationThatWasKilled(t *testing.T) {
	s := newScene(t)
	for _, name := range []string{"by hand.db", "app-20260101-120000.db", "without"} {
		if _, err := s.take(t.Context(), filepath.Join(s.dir, name), start); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(s.dir, name), (&Folder{path: s.dir}).Draft()); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFolder(t.Context(), s.dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.files(); len(got) > 0 {
			t.Errorf("%s: got %v, want nothing", name, got)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
