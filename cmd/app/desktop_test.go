package main

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
)

// desktop runs `app` without a command in this process until stop. opened receives the address that it
// opens in the browser. stop returns its output and its error.
func desktop(t *testing.T, args ...string) (opened <-chan string, stop func() (said string, err error)) {
	t.Helper()
	addresses := make(chan string, 1)
	command := newCommand(func(_ context.Context, address string) { addresses <- address })
	command.SetArgs(args)
	var out strings.Builder
	command.SetOut(&out)
	command.SetErr(io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()
	return addresses, func() (string, error) {
		cancel()
		err := <-ended
		return out.String(), err
	}
}

// TestTheBareCommand: `app` without a command serves the database and opens the page. Started a second
// time, it opens the page of the first server, and ends.
func TestTheBareCommand(t *testing.T) {
	db := filepath.Join(t.TempDir(), "app.db")
	opened, stop := desktop(t, "--db", db, "--addr", "localhost:0")
	address := <-opened
	if !strings.HasPrefix(address, "http://localhost:") || !strings.HasSuffix(address, "/") {
		t.Errorf("got %s opened, want the page on localhost", address)
	}
	addr := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	if got := get(t, addr, "/"); !strings.HasPrefix(got, "<!doctype html>") {
		t.Errorf("got %q at the address, want the page", got)
	}

	again, end := desktop(t, "--db", db, "--addr", "localhost:0")
	if got := <-again; got != address {
		t.Errorf("the second time: got %s opened, want %s", got, address)
	}
	if said, err := end(); err != nil || said != "Daybook serves "+db+" already, on "+address+"\n" {
		t.Errorf("the second time: got %q, %v, want the address of the first server", said, err)
	}
	if said, err := stop(); err != nil || strings.Count(said, "Daybook serves "+db+" on http://") == 0 {
		t.Errorf("got %q, %v, want the line with the address, and no error", said, err)
	}
	if _, served, err := file.Served(t.Context(), db); served || err != nil {
		t.Errorf("after the end: got served %t, %v, want false", served, err)
	}
	if said, err := os.ReadFile(db + file.LockFile); err != nil || strings.Contains(string(said), "address") {
		t.Errorf("after the end: got %q, %v, want no address", said, err)
	}
}

// TestTheBareCommandTwiceAtOnce: the program is started twice at the same time. One of the two serves,
// and both open its page without an error.
func TestTheBareCommandTwiceAtOnce(t *testing.T) {
	for range 20 {
		db := filepath.Join(t.TempDir(), "app.db")
		one, stopOne := desktop(t, "--db", db, "--addr", "localhost:0")
		other, stopOther := desktop(t, "--db", db, "--addr", "localhost:0")
		if here, there := <-one, <-other; here != there {
			t.Errorf("got %s and %s opened, want one page", here, there)
		}
		for _, stop := range []func() (string, error){stopOne, stopOther} {
			if _, err := stop(); err != nil {
				t.Errorf("got %v, want no error", err)
			}
		}
	}
}

// TestTheBareCommandBesideASocket: another server listens on a socket, which no browser can open. The
// command prints its address and opens nothing.
func TestTheBareCommandBesideASocket(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "app.db")
	guarded, err := sqlite.Guard(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if err := guarded.Announce("unix:/run/daybook.sock"); err != nil {
		t.Fatal(err)
	}
	command := newCommand(func(_ context.Context, address string) { t.Errorf("got %s opened, want nothing", address) })
	command.SetArgs([]string{"--db", db})
	var out strings.Builder
	command.SetOut(&out)
	if err := command.ExecuteContext(t.Context()); err != nil || !strings.HasSuffix(out.String(), "already, on unix:/run/daybook.sock\n") {
		t.Errorf("got %q, %v, want the address of the socket", out.String(), err)
	}
	if err := guarded.Release(); err != nil {
		t.Error(err)
	}
}

// TestTheBareCommandAfterAKill: a killed server left a file with its address. The command ignores that
// address, and serves the database itself.
func TestTheBareCommandAfterAKill(t *testing.T) {
	db := filepath.Join(t.TempDir(), "app.db")
	if err := os.WriteFile(db+file.LockFile, []byte("address http://localhost:1/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, stop := desktop(t, "--db", db, "--addr", "127.0.0.1:0")
	if got := <-opened; got == "http://localhost:1/" || !strings.HasPrefix(got, "http://127.0.0.1:") {
		t.Errorf("got %s opened, want the page of a new server", got)
	}
	if _, err := stop(); err != nil {
		t.Error(err)
	}
}

// TestBrowser: each system has its command to open a browser. Without a display there is none.
func TestBrowser(t *testing.T) {
	display := func(name string) func(string) string {
		return func(asked string) string { return map[string]string{name: ":0"}[asked] }
	}
	for _, c := range []struct {
		system      string
		environment func(string) string
		want        []string
	}{
		{"windows", display(""), []string{"rundll32", "url.dll,FileProtocolHandler"}},
		{"darwin", display(""), []string{"open"}},
		{"linux", display("DISPLAY"), []string{"xdg-open"}},
		{"linux", display("WAYLAND_DISPLAY"), []string{"xdg-open"}},
		{"linux", display(""), nil},
		{"freebsd", display("DISPLAY"), []string{"xdg-open"}},
	} {
		if got := browser(c.system, c.environment); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.system, got, c.want)
		}
	}
}

// TestAddress: the browser gets the host of the flags, and localhost for an address that listens
// everywhere.
func TestAddress(t *testing.T) {
	for flag, want := range map[string]string{
		"localhost:0": "http://localhost:", "127.0.0.1:0": "http://127.0.0.1:", ":0": "http://localhost:", "0.0.0.0:0": "http://localhost:",
	} {
		o := serveOptions{addr: flag}
		var config net.ListenConfig
		l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() }) // nothing connects to it
		_, port, _ := strings.Cut(l.Addr().String(), ":")
		if got := o.address(l); got != want+port+"/" {
			t.Errorf("%s: got %s, want %s", flag, got, want+port+"/")
		}
		o.tlsCert = "cert.pem"
		if got := o.address(l); !strings.HasPrefix(got, "https://") {
			t.Errorf("%s with a certificate: got %s, want https", flag, got)
		}
	}
}
