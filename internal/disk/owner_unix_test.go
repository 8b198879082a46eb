//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// opened closes the file, and returns the error.
func opened(file *os.File, err error) error {
	if err == nil {
		err = file.Close()
	}
	return err
}

// ways are the functions that open an existing file.
var ways = map[string]func(path string) error{
	"Open":              func(path string) error { return opened(Open(path)) },
	"OpenToWrite":       func(path string) error { return opened(OpenToWrite(path)) },
	"Read":              func(path string) error { _, err := Read(path, 10); return err },
	"OpenLocks":         func(path string) error { l, err := OpenLocks(path); return opened(l.File, err) },
	"OpenExistingLocks": func(path string) error { l, err := OpenExistingLocks(path); return opened(l.File, err) },
	"ReadLocks":         func(path string) error { _, err := ReadLocks(path, 10); return err },
}

// TestOnlyRegularFilesAreOpened: a link is not followed, and a pipe without another end does not block.
// A regular file is opened.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	regular := put(t, "regular", "content")
	link, nothing, pipe, folder := filepath.Join(dir, "link"), filepath.Join(dir, "nothing"), filepath.Join(dir, "pipe"), filepath.Join(dir, "folder")
	if err := errors.Join(os.Symlink(regular, link), os.Symlink(regular+"-made", nothing), syscall.Mkfifo(pipe, 0o600), os.Mkdir(folder, 0o700)); err != nil {
		t.Fatal(err)
	}
	for name, open := range ways {
		if err := open(regular); err != nil {
			t.Errorf("%s of a regular file: got %v, want no error", name, err)
		}
		for path, want := range map[string]string{link: "symbolic link", nothing: "symbolic link", pipe: "not a regular file", folder: "not a regular file"} {
			if err := open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s of %s: got %v, want %q and the path", name, filepath.Base(path), err, want)
			}
		}
	}
	if _, err := os.Lstat(regular + "-made"); err == nil {
		t.Error("got a file made through a link, want none")
	}
}

// TestAFileThatAUserNames: a link is followed, a pipe does not block, and the size is limited.
func TestAFileThatAUserNames(t *testing.T) {
	dir := t.TempDir()
	key, large := put(t, "key", "content"), put(t, "large", strings.Repeat("x", mostNamed+1))
	link, pipe, piped := filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), filepath.Join(dir, "piped")
	if err := errors.Join(os.Symlink(key, link), syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, piped)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{key, link} {
		if data, err := ReadNamed(path); string(data) != "content" || err != nil {
			t.Errorf("%s: got %q, %v, want its content", filepath.Base(path), data, err)
		}
	}
	for path, want := range map[string]string{pipe: "not a regular file", piped: "not a regular file", dir: "not a regular file", "/dev/zero": "not a regular file", large: "more than 1048576 bytes"} {
		if _, err := ReadNamed(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

// TestAFileThatIsExchanged: a link or a pipe that replaces a file after the check is not followed and
// does not block.
func TestAFileThatIsExchanged(t *testing.T) {
	dir := t.TempDir()
	regular, link, pipe := put(t, "regular", "content"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(regular, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := opened(os.OpenFile(link, os.O_RDONLY|careful, 0)); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a link: got %v, want an error", err)
	}
	if err := opened(os.OpenFile(pipe, os.O_RDONLY|careful, 0)); err != nil { // it must not block; Open checks the file afterwards
		t.Errorf("a pipe: got %v, want no error", err)
	}
	if err := opened(os.OpenFile(link, os.O_RDONLY, 0)); err != nil {
		t.Errorf("as a control, without the flag: got %v, want the link followed", err)
	}
}

// TestCreateIsPrivate: whatever the umask is, only its owner may read and write a new file or lock.
func TestCreateIsPrivate(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077, 0o777} {
		path := filepath.Join(t.TempDir(), "new")
		old := syscall.Umask(umask)
		err := Write(path, nil)
		lock, lockErr := OpenLocks(path + ".lock")
		syscall.Umask(old)
		if err := errors.Join(err, lockErr); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = lock.Close() })
		for _, path := range []string{path, lock.Name()} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode() != 0o600 {
				t.Errorf("umask %o: got %v of %s, want 0600", umask, info.Mode(), filepath.Base(path))
			}
		}
	}
}

// TestExposed: Exposed returns the files that other users may read or write, and the folders that they
// may change.
func TestExposed(t *testing.T) {
	for mode, want := range map[fs.FileMode]bool{0o600: false, 0o400: false, 0o700: false, 0o640: true, 0o604: true, 0o602: true, 0o666: true} {
		path := put(t, "file", "x")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		found := Exposed(path, path+"-missing", filepath.Dir(path))
		if got := len(found) == 1; got != want {
			t.Errorf("%v: got %v, want exposed: %t", mode, found, want)
		} else if want && (found[0].Path != path || found[0].Mode != mode) {
			t.Errorf("%v: got %v, want the path and its mode", mode, found)
		}
	}
	for mode, want := range map[fs.FileMode]bool{0o700: false, 0o755: false, 0o775: true, 0o757: true} {
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if found := Exposed(dir); (len(found) == 1) != want || want && found[0] != (Exposure{dir, fs.ModeDir | mode}) {
			t.Errorf("a folder of %v: got %v, want it exposed: %t", mode, found, want)
		}
	}
}

// TestASecret: a private key is read if no other user may use it. A key of another user may allow a
// group, because that is how this process may read it.
func TestASecret(t *testing.T) {
	for _, c := range []struct {
		mode          fs.FileMode
		mine, another bool // refused
	}{
		{0o600, false, false}, {0o400, false, false}, {0o640, true, false}, {0o440, true, false},
		{0o620, true, false}, {0o604, true, true}, {0o644, true, true}, {0o602, true, true},
	} {
		key := put(t, "key", "content")
		link := key + "-link"
		if err := errors.Join(os.Chmod(key, c.mode), os.Symlink(key, link)); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{key, link} {
			data, err := ReadSecret(path)
			if refused := err != nil; refused != c.mine || !refused && string(data) != "content" {
				t.Errorf("%v: got %q, %v, want it refused: %t", c.mode, data, err, c.mine)
			} else if refused && !strings.Contains(err.Error(), "run: chmod 600 "+path) {
				t.Errorf("%v: got %v, want an error that says to run chmod 600", c.mode, err)
			}
		}
		if got := shared(ofAnother{c.mode}); got != c.another {
			t.Errorf("%v of another user: got shared %t, want %t", c.mode, got, c.another)
		}
	}
}

// ofAnother is a file of another user.
type ofAnother struct{ mode fs.FileMode }

func (f ofAnother) Name() string       { return "key" }
func (f ofAnother) Size() int64        { return 1 }
func (f ofAnother) Mode() fs.FileMode  { return f.mode }
func (f ofAnother) ModTime() time.Time { return time.Time{} }
func (f ofAnother) IsDir() bool        { return false }
func (f ofAnother) Sys() any           { return &syscall.Stat_t{Uid: uint32(os.Geteuid()) + 1} }

// TestOwnerOfAFile: a file belongs to its owner. A link belongs to the owner of the link, whatever its
// target is.
func TestOwnerOfAFile(t *testing.T) {
	path, err := filepath.EvalSymlinks(put(t, "file", "x")) // the path of a temporary folder may contain a link
	if err != nil {
		t.Fatal(err)
	}
	me := os.Geteuid()
	link := path + "-link"
	if err := os.Symlink("/", link); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, link} {
		if is, owner, err := BelongsTo(me, file); !is || owner == "" || err != nil {
			t.Errorf("got %t, %q, %v, want that it belongs to this user", is, owner, err)
		}
		if is, owner, err := BelongsTo(me+1, file); is || owner == "" || err != nil {
			t.Errorf("got %t, %q, %v, want that it does not belong to another user", is, owner, err)
		}
	}
	if got := nameOf(1<<31 - 7); got != "#2147483641" {
		t.Errorf("a user without a name: got %q, want the number", got)
	}
}

// TestWhatRootMakes: a file that root makes belongs to the owner of its folder. As a control, one in a folder
// of root is root's.
func TestWhatRootMakes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("skipped: only root gives files away")
		return
	}
	for _, owner := range []int{65534, 0} {
		dir := t.TempDir()
		if err := os.Chown(dir, owner, owner); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "new")
		if err := Write(path, nil); err != nil {
			t.Fatal(err)
		}
		if is, got, err := BelongsTo(owner, path); !is || err != nil {
			t.Errorf("got a file of %s, %v, want one of user %d", got, err, owner)
		}
	}
}
