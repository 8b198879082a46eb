package file_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/internal/fault"
)

// TestServed: Served returns the address of a server while the server holds its lock, also by a symbolic
// link to the database.
func TestServed(t *testing.T) {
	dir := t.TempDir()
	path, alias := filepath.Join(dir, "app.db"), filepath.Join(dir, "alias.db")
	if _, err := sqlite.Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, alias); err != nil {
		t.Fatal(err)
	}
	wantServed(t, alias, "")
	guarded, err := sqlite.Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"http://localhost:8080/", "http://localhost:8081/"} {
		if err := guarded.Announce(address); err != nil {
			t.Fatal(err)
		}
		wantServed(t, alias, address)
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
	wantServed(t, path, "")
}

// wantServed fails the test unless Served returns the address; "" means that no server runs.
func wantServed(t *testing.T, path, want string) {
	t.Helper()
	got, served, err := file.Served(t.Context(), path)
	if got != want || served != (want != "") || err != nil {
		t.Errorf("got %q, served %t, %v, want %q", got, served, err, want)
	}
}

// TestServedAfterAKill: Served does not return the address that a killed server left, neither while no
// server runs nor before the next server has announced its address.
func TestServedAfterAKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "app.db")
		if err := os.WriteFile(path+file.LockFile, []byte("address http://localhost:1/\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		wantServed(t, path, "")
		guarded, err := sqlite.Guard(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		if got, served, err := file.Served(ctx, path); got != "" || !served || fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "does not say where") {
			t.Errorf("before the server announces its address: got %q, served %t, %v, want Unavailable", got, served, err)
		}
		if err := guarded.Announce("http://localhost:2/"); err != nil {
			t.Fatal(err)
		}
		wantServed(t, path, "http://localhost:2/")
		if err := guarded.Release(); err != nil {
			t.Error(err)
		}
	})
}

// TestAServerWhoseFolderWasMovedAwayLeavesTheOtherAlone: the folder of a server is moved, and a second
// server serves another database at the old path. When the first server ends, it removes only its own
// address, so the second one is still found.
func TestAServerWhoseFolderWasMovedAwayLeavesTheOtherAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "books")
	path := filepath.Join(dir, "app.db")
	serve := func(address string) *sqlite.Guarded {
		t.Helper()
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		guarded, err := sqlite.Guard(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := guarded.Announce(address); err != nil {
			t.Fatal(err)
		}
		return guarded
	}
	first := serve("http://localhost:1/")
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	second := serve("http://localhost:2/")
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	wantServed(t, path, "http://localhost:2/")
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
	wantServed(t, path, "")
}
