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

// desktop runs the bare command in this process until stop, and tells what it opens.
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

// TestTheBareCommand: serves and opens the page; the second time it opens the page of the
// first, and ends.
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
		t.Errorf("the second time: got %q, %v, want it to say where", said, err)
	}
	if said, err := stop(); err != nil || strings.Count(said, "Daybook serves "+db+" on http://") == 0 {
		t.Errorf("got %q, %v, want it to serve", said, err)
	}
	if _, served, err := file.Served(t.Context(), db); served || err != nil {
		t.Errorf("after the end: got served %t, %v, want nobody to", served, err)
	}
	left, err := filepath.Glob(db + ".serve.addr*")
	if err != nil || len(left) > 0 {
		t.Errorf("got %v, %v left, want nothing", left, err)
	}
}

// TestTheBareCommandTwiceAtOnce: a double click on a double click opens the page of one
// server twice, and no error.
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

// TestTheBareCommandBesideASocket: what no browser opens is said and not opened.
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
		t.Errorf("got %q, %v, want it to say where", out.String(), err)
	}
	if err := guarded.Release(); err != nil {
		t.Error(err)
	}
}

// TestTheBareCommandAfterAKill: the address of a server that is gone is not believed.
func TestTheBareCommandAfterAKill(t *testing.T) {
	db := filepath.Join(t.TempDir(), "app.db")
	if err := os.WriteFile(db+".serve.addr", []byte("http://localhost:1/\n"), 0o600); err != nil {
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

// TestAddress: what the flags name is what a browser is given.
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
		t.Cleanup(func() { _ = l.Close() }) // nobody calls
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
