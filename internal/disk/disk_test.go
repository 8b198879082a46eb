package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// put writes a file of the current user into a folder.
func put(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadHasALimit(t *testing.T) {
	path := put(t, "manifest", strings.Repeat("x", 100))
	if data, err := Read(path, 100); err != nil || len(data) != 100 {
		t.Errorf("got %d bytes, %v, want 100", len(data), err)
	}
	if _, err := Read(path, 99); err == nil || !strings.Contains(err.Error(), "more than 99 bytes") {
		t.Errorf("got %v, want an error", err)
	}
	if _, err := Read(path+"-missing", 99); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: got %v, want that it does not exist", err)
	}
}

func TestWriteReplacesNothing(t *testing.T) {
	path := put(t, "there", "content")
	if err := Write(path, []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want an error", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "content" {
		t.Errorf("got %q, %v, want the content unchanged", data, err)
	}
	if err := Write(path+"-new", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path+"-new", 3); err != nil || string(data) != "new" {
		t.Errorf("got %q, %v, want new", data, err)
	}
}

// TestALockIsHeldOnce: a lock can be held once. Looking for a lock makes no file.
func TestALockIsHeldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	if _, err := OpenExistingLocks(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a lock that does not exist: got %v, want that it does not exist", err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("got a lock file made by looking for it, want none")
	}
	take := func(number int64, want bool) Locks {
		t.Helper()
		l, err := OpenLocks(path)
		if err != nil {
			t.Fatal(err)
		}
		if locked, err := l.TryLock(number); err != nil || locked != want {
			t.Errorf("lock %d: got %t, %v, want %t", number, locked, err, want)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	first := take(0, true)
	take(0, false)
	take(1, true)
	take(1, false)
	waiting, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop()
	if err := take(0, false).Lock(waiting, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for a lock that is held: got %v, want the end of the context", err)
	}
	if err := first.Unlock(0); err != nil {
		t.Fatal(err)
	}
	take(0, true)
}

// TestLinks: Links returns the number of names of a file.
func TestLinks(t *testing.T) {
	path := put(t, "one", "x")
	for want := 1; want < 4; want++ {
		if n, err := Links(path); err != nil || n != want {
			t.Errorf("got %d names, %v, want %d", n, err, want)
		}
		if err := os.Link(path, path+strings.Repeat("x", want)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoom(t *testing.T) {
	free, all, err := Room(t.TempDir())
	if err != nil || free < 0 || free > all || all < 1<<20 {
		t.Errorf("got %d bytes free of %d, %v, want a part of at least 1 MiB", free, all, err)
	}
	if _, _, err := Room(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a missing folder: got no error, want one")
	}
}

// TestRename: rename does not replace a file that has the new name. A file has one name before and
// after.
func TestRename(t *testing.T) {
	for name, rename := range map[string]func(from, to string) error{"Rename": Rename, "where the system cannot": lookAndRename} {
		from, taken := put(t, "from", "content"), put(t, "taken", "other")
		if err := rename(from, taken); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v, want that the name is taken", name, err)
		}
		for path, want := range map[string]string{from: "content", taken: "other"} {
			if data, err := os.ReadFile(path); string(data) != want || err != nil {
				t.Errorf("%s: %s: got %q, %v, want %q", name, filepath.Base(path), data, err, want)
			}
		}
		if err := rename(from, from+"-free"); err != nil {
			t.Errorf("%s: got %v, want no error", name, err)
		}
		if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want the old name gone", name, err)
		}
		if data, err := os.ReadFile(from + "-free"); string(data) != "content" || err != nil {
			t.Errorf("%s: got %q, %v, want the content", name, data, err)
		}
		if err := rename(from, from+"-again"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want that the file does not exist", name, err)
		}
	}
}
