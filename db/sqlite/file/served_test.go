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

// TestServed: Served returns the address of a server while the server holds its lock, for every name of
// the file.
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

func wantServed(t *testing.T, path, want string) {
	t.Helper()
	got, served, err := file.Served(t.Context(), path)
	if got != want || served != (want != "") || err != nil {
		t.Errorf("got %q, served %t, %v, want %q", got, served, err, want)
	}
}

// TestServedAfterAKill: the address that a killed server left is not used, neither before there is
// another server nor before that one announces itself.
func TestServedAfterAKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "app.db")
		if err := os.WriteFile(path+".serve.addr", []byte("http://localhost:1/\n"), 0o600); err != nil {
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
			t.Errorf("before it says where: got %q, served %t, %v, want a refusal", got, served, err)
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

// TestAServerWhoseFolderWasMovedAwayLeavesTheOtherAlone: another server serves the database that is now
// under the old path. It is still found there after the first one ends, which removes only its own
// announcement.
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
	if !file.Exists(path + ".serve.addr") {
		t.Fatal("got the announcement of the second removed by the first")
	}
	wantServed(t, path, "http://localhost:2/")
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
	if file.Exists(path + ".serve.addr") {
		t.Error("the control: got the announcement of the second left, want it removed")
	}
}
