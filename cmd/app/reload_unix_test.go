//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHangupAppliesNames: SIGHUP puts other host names, origins and proxies in force for the requests that come
// then. A mistake in one of them leaves all as they were, and is one line of the log. The control: before the
// signal, a changed file changes nothing.
func TestHangupAppliesNames(t *testing.T) {
	dir := shortFolder(t)
	write := func(settings string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "daybook.toml"), []byte("addr = '127.0.0.1:0'\n"+settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	p, wait := supervised(t, dir, "--config", "daybook.toml")
	wait("READY=1\nSTATUS=Serving")
	const all = "allow-host = ['books.example.com']\ncors-origin = ['https://reports.example.com']\ntrusted-proxy = ['127.0.0.1']\n"
	before := ""
	for _, c := range []struct{ settings, want string }{
		{all, "host origin proxy"},
		{"trusted-proxy = ['10.0.0.0/8']\nallow-host = ['books.example.com']\n", "host"},
		{all, "host origin proxy"},
		{"cors-origin = ['reports.example.com']\n", "host origin proxy"},
		{"trusted-proxy = ['localhost']\n", "host origin proxy"},
		{"allow-host = 'books.example.com'\n", "host origin proxy"},
		{"require-token = true\n", ""},
		{"require-token = true\n", ""},
	} {
		write(c.settings)
		if got := inForce(t, p.addr); got != before {
			t.Errorf("%q is written: got %q in force before the signal, want %q", c.settings, got, before)
		}
		if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		wait("RELOADING=1\n")
		wait("READY=1")
		if got := inForce(t, p.addr); got != c.want {
			t.Errorf("after %q: got %q in force, want %q", c.settings, got, c.want)
		}
		before = c.want
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	log := p.stderr.String()
	for text, want := range map[string]int{
		"all settings stay as they are":                                           3,
		"is in use\" setting=allow-host where=daybook.toml:2":                     1,
		"is in use\" setting=allow-host where=default":                            1,
		"is in use\" setting=cors-origin where=daybook.toml:3":                    2,
		"is in use\" setting=trusted-proxy where=daybook.toml:4":                  2,
		"is in use\" setting=trusted-proxy where=daybook.toml:2":                  1,
		"needs a restart\" setting=require-token where=daybook.toml:2":            2,
		`daybook.toml:2: --cors-origin: \"reports.example.com\" is not an origin`: 1,
		`daybook.toml:2: --trusted-proxy: \"localhost\" is neither an address`:    1,
		`daybook.toml:2: allow-host must be a list of texts`:                      1,
	} {
		if got := strings.Count(log, text); got != want {
			t.Errorf("got %d lines with %q, want %d:\n%s", got, text, want, log)
		}
	}
}

// inForce says what of the names of TestHangupAppliesNames a server knows.
func inForce(t *testing.T, addr string) string {
	t.Helper()
	var known []string
	send := func(method, path, header, value string) (status int, head http.Header) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set(header, value)
		if header == "Host" {
			q.Host = value
		}
		a, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = a.Body.Close() // only the head is looked at
		return a.StatusCode, a.Header
	}
	if status, _ := send(http.MethodGet, "/health", "Host", "books.example.com"); status == http.StatusOK {
		known = append(known, "host")
	}
	if _, head := send(http.MethodGet, "/health", "Origin", "https://reports.example.com"); head.Get("Access-Control-Allow-Origin") != "" {
		known = append(known, "origin")
	}
	if _, head := send(http.MethodDelete, "/api/v1/session", "X-Forwarded-Proto", "https"); strings.HasPrefix(head.Get("Set-Cookie"), "__Host-") {
		known = append(known, "proxy")
	}
	return strings.Join(known, " ")
}
