//go:build unix

package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestAPlantedLinkIsNotFollowed: another user replaces a draft by a link, before or during the backup.
// No byte of the backup is written to the target of the link.
func TestAPlantedLinkIsNotFollowed(t *testing.T) {
	s := newScene(t)
	loot := filepath.Join(t.TempDir(), "loot")
	if err := os.WriteFile(loot, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	draft := (&Folder{path: s.dir}).Draft("a.db")
	plant := func() {
		t.Helper()
		if err := os.Symlink(loot, draft); err != nil {
			t.Fatal(err)
		}
	}
	plant()
	f, err := OpenFolder(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if exists(draft) {
		t.Error("got the link kept, want it removed")
	}
	plant()
	if err := f.Create("a.db"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want that the name is taken", err)
	}
	if err := errors.Join(os.Remove(draft), f.Create("a.db"), os.Remove(draft)); err != nil {
		t.Fatal(err)
	}
	m := Manifest{File: "a.db", TakenAt: start, Contents: Contents{Schema: 1, Counts: map[string]int64{"trades": 1}}}
	plant()
	if _, err := f.Publish(m); err == nil {
		t.Error("a link: got it published, want an error")
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := errors.Join(os.Remove(draft), f.Create("a.db"), os.WriteFile(other, []byte("another"), 0o600), os.Rename(other, draft)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Publish(m); err == nil {
		t.Error("a file that replaced the draft: got it published, want an error")
	}
	if err := errors.Join(os.Remove(draft), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := s.files(); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
	if got, err := os.ReadFile(loot); err != nil || string(got) != "mine" {
		t.Errorf("got %q, %v, want the target of the link unchanged", got, err)
	}
}
