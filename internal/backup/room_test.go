package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/internal/fault"
)

// TestFits: a backup needs its size and a reserve on the disk. The reserve is 64 MiB, or a twentieth of
// a small disk.
func TestFits(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		size, free, all int64
		fits            bool
	}{
		{100 * mib, 164 * mib, 10_000 * mib, true},
		{100 * mib, 164*mib - 1, 10_000 * mib, false},
		{1 * mib, 2 * mib, 20 * mib, true},
		{1 * mib, 2*mib - 1, 20 * mib, false},
		{0, 0, 20 * mib, false},
		{math.MaxInt64, 164 * mib, 10_000 * mib, false},
	} {
		err := fits(c.size, c.free, c.all)
		if (err == nil) != c.fits || err != nil && fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%+v: got %v, want no error: %t", c, err, c.fits)
		}
	}
	if err := Fits(t.TempDir(), 1); err != nil {
		t.Errorf("one byte: got %v, want no error", err)
	}
	if err := Fits(t.TempDir(), math.MaxInt64); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "no room for a backup") {
		t.Errorf("more than the disk has: got %v, want an error", err)
	}
}

// TestClientsLearnNoFolder: the error for a client names files but no folder. Its cause, for the log,
// names the folders.
func TestClientsLearnNoFolder(t *testing.T) {
	s := newScene(t)
	data := filepath.Join(s.dir, "data") // the folder of the database is inside the folder of the backups
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, link); err != nil {
		t.Fatal(err)
	}
	cause := &fs.PathError{Op: "open", Path: filepath.Join(s.dir, ".daybook-backup-draft.db"), Err: fs.ErrPermission}
	for name, c := range map[string]struct {
		dir string
		err error
	}{
		"a message":      {s.dir, fault.New(fault.Unavailable, "cannot back up %s to %s", filepath.Join(data, "app.db"), filepath.Join(s.dir, "app-1.db"))},
		"a cause":        {s.dir, fault.Wrap(fault.Unavailable, cause, "cannot write")},
		"a folder alone": {s.dir, fault.New(fault.Unavailable, "cannot lock the backups in %s", s.dir)},
		"a folder above": {s.dir, fault.Wrap(fault.Unavailable, fmt.Errorf("users other than its owner may write to %s", filepath.Dir(s.dir)), "cannot hold backups")},
		"by a link":      {link, fault.Wrap(fault.Unavailable, cause, "%s is busy, as is %s", link, s.dir)},
	} {
		config := s.config(0)
		config.Database, config.Dir = filepath.Join(data, "app.db"), c.dir
		config.Take = func(context.Context, string, time.Time) (Manifest, error) { return Manifest{}, c.err }
		k := NewKeeper(config)
		_, err := k.Take(t.Context())
		refused, is := errors.AsType[*fault.Error](err)
		if !is || refused.Kind != fault.Unavailable || !errors.Is(err, c.err) {
			t.Fatalf("%s: got %v, want the failure", name, err)
		}
		for _, told := range []string{refused.Message, k.Status().Problem} {
			if told == "" || strings.Contains(told, "/") {
				t.Errorf("%s: got %q for clients, want a message without a folder", name, told)
			}
		}
		if !strings.Contains(err.Error(), "/") {
			t.Errorf("%s: got %v for the log, want an error with the folder", name, err)
		}
	}
}
