package server

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLocalhostIsOnePort: localhost:0 listens on the same port of 127.0.0.1 and ::1. A port that is
// taken is an error.
func TestLocalhostIsOnePort(t *testing.T) {
	listeners, err := Listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	var ports []string
	for i, l := range listeners {
		host, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"127.0.0.1", "::1"}[i]; host != want {
			t.Errorf("got the host %s, want %s", host, want)
		}
		ports = append(ports, port)
	}
	if len(ports) == 2 && ports[0] != ports[1] {
		t.Errorf("got the ports %v, want the same twice", ports)
	}
	_, err = Listen(t.Context(), listeners[0].Addr().String())
	if err == nil || !strings.HasPrefix(err.Error(), "cannot listen on 127.0.0.1:"+ports[0]+": ") {
		t.Errorf("a port that is taken: got %v, want an error that names it", err)
	}
	for _, l := range listeners {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// socketDir makes a directory whose path is short enough for a socket.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "socket") //nolint:usetesting // the path of t.TempDir is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // after an error the system cleans it up
	return dir
}

// TestSocket: a server on a Unix socket makes its file with the mode 0660, and removes it at its end.
func TestSocket(t *testing.T) {
	path := filepath.Join(socketDir(t), "app.sock")
	r := start(t, "unix:"+path, &Server{Handler: hello, Limits: limits()})
	dial(t, "unix", path).ask(t)
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := info.Mode(), fs.ModeSocket|0o660; got != want {
		t.Errorf("got the mode %v, want %v", got, want)
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after the end: got %v, want the file gone", err)
	}
}

// TestStaleSocket: the socket of a killed server does not prevent a new one.
func TestStaleSocket(t *testing.T) {
	path := filepath.Join(socketDir(t), "app.sock")
	killed := listenUnix(t, path)
	killed.SetUnlinkOnClose(false)
	if err := killed.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	start(t, "unix:"+path, &Server{Handler: hello, Limits: limits()})
	dial(t, "unix", path).ask(t)
}

func listenUnix(t *testing.T, path string) *net.UnixListener {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestTheSocketOfASuccessorStays: the file of a socket was removed, and a second server listens on a new
// one with the same name. When the first server ends, it does not remove the new file. As a control, the
// second server removes it.
func TestTheSocketOfASuccessorStays(t *testing.T) {
	path := filepath.Join(socketDir(t), "app.sock")
	var servers []net.Listener
	for range 2 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		listeners, err := Listen(t.Context(), "unix:"+path)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, listeners...)
	}
	for n, want := range []error{nil, fs.ErrNotExist} {
		if err := servers[n].Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, want) {
			t.Errorf("after the end of server %d: got %v, want %v", n, err, want)
		}
	}
}

// TestSocketsThatAreRefused: a server refuses to listen on a path where another file is. That file
// stays.
func TestSocketsThatAreRefused(t *testing.T) {
	dir := socketDir(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	live := listenUnix(t, in("live"))
	defer func() { _ = live.Close() }()
	if err := errors.Join(
		os.WriteFile(in("file"), []byte("kept"), 0o600),
		os.Mkdir(in("dir"), 0o700),
		os.Symlink(in("live"), in("link")),
	); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		in("live"):                     "another process answers there",
		in("file"):                     "there is a file of that name that is not a socket",
		in("dir"):                      "there is a file of that name that is not a socket",
		in("link"):                     "there is a file of that name that is not a socket",
		in("none/app.sock"):            "no such file or directory",
		in(strings.Repeat("long", 50)): "the path is too long for a socket",
		"":                             "a socket needs the path of a file",
		"@abstract":                    "a socket needs the path of a file",
	} {
		before, beforeErr := os.Lstat(path)
		listeners, err := Listen(t.Context(), "unix:"+path)
		if err == nil {
			t.Errorf("%s: got %v, want an error", path, listeners)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, "cannot listen on unix:"+path+": ") || !strings.HasSuffix(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s: got %q, want one line that ends in %q", path, got, want)
		}
		after, afterErr := os.Lstat(path)
		if (beforeErr == nil) != (afterErr == nil) || beforeErr == nil && !os.SameFile(before, after) {
			t.Errorf("%s: got %v, %v, want the same file as before", path, after, afterErr)
		}
	}
}
