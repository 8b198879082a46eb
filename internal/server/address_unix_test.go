//go:build unix

package server

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// TestTheSocketIsMadeWithItsMode: the socket has its mode whatever the umask is, and the umask is
// restored.
func TestTheSocketIsMadeWithItsMode(t *testing.T) {
	path := filepath.Join(socketDir(t), "app.sock")
	for _, umask := range []int{0, 0o022, 0o077, 0o777} {
		func() {
			defer syscall.Umask(syscall.Umask(umask))
			listeners, err := Listen(t.Context(), "unix:"+path)
			if after := syscall.Umask(umask); after != umask {
				t.Errorf("umask %o: got %o afterwards, want it unchanged", umask, after)
			}
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(path)
			if err != nil || info.Mode() != fs.ModeSocket|socketMode {
				t.Errorf("umask %o: got %v, %v, want %v", umask, info.Mode(), err, fs.ModeSocket|socketMode)
			}
			if err := listeners[0].Close(); err != nil {
				t.Error(err)
			}
		}()
	}
}

// TestALinkInThePlaceOfTheSocket: a user who may make files in the folder of the socket replaces it by
// a link as soon as it exists. The mode of the link's target does not change.
func TestALinkInThePlaceOfTheSocket(t *testing.T) {
	dir := socketDir(t)
	path, victim, link := filepath.Join(dir, "app.sock"), filepath.Join(dir, "victim"), filepath.Join(dir, "link")
	if err := os.WriteFile(victim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var racing sync.WaitGroup
	racing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSocket {
				continue
			}
			_ = os.Symlink(victim, link) // it may exist already
			_ = os.Rename(link, path)
		}
	})
	for range 500 {
		listeners, err := Listen(t.Context(), "unix:"+path)
		if err == nil {
			_ = listeners[0].Close() // the name may be gone
		}
		_ = os.Remove(path) // it may be gone
	}
	close(done)
	racing.Wait()
	if info, err := os.Stat(victim); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want the mode that the file had", info.Mode(), err)
	}
}
