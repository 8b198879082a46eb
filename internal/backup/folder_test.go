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

// TestAFolderThatIsBusy: a process waits only for some time for another one that is busy with the
// folder.
func TestAFolderThatIsBusy(t *testing.T) {
	dir := t.TempDir()
	busy, err := OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = openFolder(t.Context(), dir, 50*time.Millisecond)
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "busy with the backups in "+dir+" for 50ms") {
		t.Errorf("got %v, want it unavailable because another process is busy", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openFolder(ctx, dir, time.Hour); fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "busy") {
		t.Errorf("after the context ended: got %v, want it unavailable, not because another process is busy", err)
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

// TestAManifestOfABackupThatWasMoved: a manifest and its signature stay if their backup was moved or
// compressed, also if a kill left a draft of another backup with the same bytes. No new backup gets the
// name of the manifest.
func TestAManifestOfABackupThatWasMoved(t *testing.T) {
	s := newScene(t)
	key, _ := keyPair(t)
	signed := Signed(t.Context(), key)
	k := NewKeeper(s.config(0))
	m, err := k.Take(signed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, m.File)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".gz"); err != nil {
		t.Fatal(err)
	}
	f := Folder{path: s.dir}
	for _, left := range []string{"draft.db", "app-20260101-130000.db", "app-20260101-130000.db-journal"} {
		if err := os.WriteFile(f.Draft(left), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next, err := k.Take(signed)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{m.File + ".gz", m.File + ".json", m.File + ".json.sig", next.File, next.File + ".json", next.File + ".json.sig"}
	if got := s.files(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := f.Remove(m); err != nil {
		t.Errorf("removing the backup that was moved: got %v, want no error", err)
	}
	if got := s.files(); !slices.Equal(got, want) {
		t.Errorf("after removing the backup that was moved: got %v, want %v", got, want)
	}
}

// TestAKillAtEachStep: after a kill at any step of publishing or removing a backup, the backup is
// complete or removed. The manifest of another backup with the same bytes, which was moved away, stays.
func TestAKillAtEachStep(t *testing.T) {
	const name, moved = "by hand.db", "moved.db"
	s := newScene(t)
	key, _ := keyPair(t)
	m, err := s.take(Signed(t.Context(), key), filepath.Join(s.dir, name), start)
	if err != nil {
		t.Fatal(err)
	}
	m.File = moved
	other, err := m.Format()
	if err != nil {
		t.Fatal(err)
	}
	const draft, manifest, signature = DraftPrefix + name, name + manifestSuffix, name + manifestSuffix + signatureSuffix
	witness := []string{moved + manifestSuffix, moved + manifestSuffix + signatureSuffix}
	for _, c := range []struct {
		step string
		left []string
		want []string
	}{
		{"the draft is written", []string{draft, draft + "-journal"}, nil},
		{"the draft of the manifest is written", []string{draft, DraftPrefix + manifest}, nil},
		{"the manifest has its name", []string{draft, manifest}, nil},
		{"the draft of the signature is written", []string{draft, manifest, DraftPrefix + signature}, nil},
		{"the signature has its name; the backup is a draft again", []string{draft, manifest, signature}, nil},
		{"the backup has its name", []string{name, manifest, signature}, []string{name, manifest, signature}},
	} {
		dir := t.TempDir()
		put := func(file string, content []byte) {
			if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range witness {
			put(file, other)
		}
		for _, file := range c.left {
			content, err := os.ReadFile(filepath.Join(s.dir, strings.TrimSuffix(strings.TrimPrefix(file, DraftPrefix), "-journal")))
			if err != nil {
				t.Fatal(err)
			}
			put(file, content)
		}
		f, err := OpenFolder(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		got := (&scene{t: t, dir: dir}).files()
		if want := slices.Concat(c.want, witness); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.step, got, want)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAStrangersManifestBesideADraft: a file that gets the name of the manifest while the draft is
// written does not belong to the backup. It stays.
func TestAStrangersManifestBesideADraft(t *testing.T) {
	s := newScene(t)
	if _, err := s.take(t.Context(), filepath.Join(s.dir, "a.db"), start); err != nil {
		t.Fatal(err)
	}
	f := Folder{path: s.dir}
	if err := os.Remove(filepath.Join(s.dir, "a.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Draft("a.db"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.sweep(); err != nil {
		t.Fatal(err)
	}
	if got, want := s.files(), []string{"a.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestABackupNamedAsADraft: a backup cannot have a name like a draft or like a file beside a database.
// It would be removed like those.
func TestABackupNamedAsADraft(t *testing.T) {
	s := newScene(t)
	for _, name := range []string{DraftPrefix + "mine.db", "app.db-wal", "app.db-journal", "app.db.restoring", "app.db.lock"} {
		_, err := s.take(t.Context(), filepath.Join(s.dir, name), start)
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), name+" cannot be the name of a backup") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	if got := s.files(); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// TestABackupWhoseNameNoManifestCanHold: a name that is not UTF-8 is refused before anything is copied.
func TestABackupWhoseNameNoManifestCanHold(t *testing.T) {
	s := newScene(t)
	f, err := OpenFolder(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := f.Free("a\xff.db"); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), `"a\xff.db" cannot be the name of a backup`) {
		t.Errorf("got %v, want an error that names it", err)
	}
}
