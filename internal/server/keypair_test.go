package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pems are a certificate with a name and its key, as PEM.
type pems struct{ cert, key []byte }

func newPems(t *testing.T, name string) pems {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, like, like, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pems{
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}),
	}
}

// write puts a pair into a directory, as cert.pem and key.pem.
func (p pems) write(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "cert.pem"), p.cert)
	write(t, filepath.Join(dir, "key.pem"), p.key)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// watched is a key pair in files, with a clock that the test sets.
type watched struct {
	*KeyPair
	dir string
	log lockedBuffer
	at  time.Time
}

func load(t *testing.T, dir string) *watched {
	t.Helper()
	w := &watched{dir: dir, at: time.Now()}
	pair, err := LoadKeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), slog.New(slog.NewTextHandler(&w.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	pair.now = func() time.Time { return w.at }
	w.KeyPair = pair
	return w
}

// want advances the time, and checks that the certificate with a name is in use.
func (w *watched) want(t *testing.T, after time.Duration, name string) {
	t.Helper()
	w.at = w.at.Add(after)
	certificate, err := w.certificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := certificate.Leaf.Subject.CommonName; got != name {
		t.Errorf("got the certificate of %s, want that of %s", got, name)
	}
}

// TestAnExpiredCertificateIsUsedWithAWarning: one that expires later is used without.
func TestAnExpiredCertificateIsUsedWithAWarning(t *testing.T) {
	dir := t.TempDir()
	newPems(t, "first").write(t, dir)
	w := load(t, dir)
	newPems(t, "second").write(t, dir)
	w.want(t, 2*time.Second, "second")
	if log := w.log.String(); strings.Contains(log, "expired") {
		t.Errorf("got %s, want no warning", log)
	}
	newPems(t, "third").write(t, dir)
	w.want(t, 2*time.Hour, "third")
	if log := w.log.String(); !strings.Contains(log, "level=WARN msg=\"the certificate has expired") {
		t.Errorf("got %s, want a warning", log)
	}
}

// TestKeyPairFollowsItsFiles: after the files of a certificate and its key have changed, the server uses
// the new ones.
func TestKeyPairFollowsItsFiles(t *testing.T) {
	first, second := newPems(t, "first"), newPems(t, "second")
	t.Run("written in place, at most once a second", func(t *testing.T) {
		dir := t.TempDir()
		first.write(t, dir)
		w := load(t, dir)
		w.want(t, 2*time.Second, "first")
		second.write(t, dir)
		w.want(t, 999*time.Millisecond, "first")
		w.want(t, time.Millisecond, "second")
	})
	t.Run("renamed, in either order", func(t *testing.T) {
		dir := t.TempDir()
		first.write(t, dir)
		w := load(t, dir)
		for _, c := range []struct {
			pems
			name, before string
			names        []string
		}{{second, "second", "first", []string{"cert.pem", "key.pem"}}, {first, "first", "second", []string{"key.pem", "cert.pem"}}} {
			next := t.TempDir()
			c.write(t, next)
			for i, name := range c.names {
				if err := os.Rename(filepath.Join(next, name), filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					w.want(t, time.Second, c.before)
				}
			}
			w.want(t, time.Second, c.name)
		}
	})
	t.Run("swapped behind a symbolic link", func(t *testing.T) {
		dir := t.TempDir()
		for name, p := range map[string]pems{"1": first, "2": second} {
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
			p.write(t, filepath.Join(dir, name))
		}
		live := filepath.Join(dir, "live")
		link(t, "1", live)
		w := load(t, live)
		w.want(t, time.Second, "first")
		link(t, "2", live)
		w.want(t, time.Second, "second")
	})
}

// link makes or replaces a symbolic link in one step.
func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// TestABrokenKeyPairIsNotUsed: the old pair stays in use, and the log says so once for each change.
func TestABrokenKeyPairIsNotUsed(t *testing.T) {
	first, second := newPems(t, "first"), newPems(t, "second")
	dir := t.TempDir()
	first.write(t, dir)
	w := load(t, dir)
	for _, broken := range []pems{
		{second.cert, first.key},                      // a mismatch
		{second.cert[:len(second.cert)/2], first.key}, // half written
		{nil, second.key},
		{first.cert, second.key[:40]},
	} {
		broken.write(t, dir)
		before := strings.Count(w.log.String(), "stays in use")
		for range 3 {
			w.want(t, time.Second, "first")
		}
		if got, want := strings.Count(w.log.String(), "stays in use")-before, 1; got != want {
			t.Errorf("got %d lines in the log, want %d: %s", got, want, &w.log)
		}
	}
	if err := os.Remove(filepath.Join(dir, "key.pem")); err != nil {
		t.Fatal(err)
	}
	w.want(t, time.Second, "first")
	w.want(t, time.Second, "first")
	if got, want := strings.Count(w.log.String(), "stays in use"), 5; got != want {
		t.Errorf("got %d lines in the log, want %d: %s", got, want, &w.log)
	}
	second.write(t, dir)
	w.want(t, time.Second, "second")
}

// TestReload: a reload uses the files at once. It says each time that it cannot use them.
func TestReload(t *testing.T) {
	first, second := newPems(t, "first"), newPems(t, "second")
	dir := t.TempDir()
	first.write(t, dir)
	w := load(t, dir)
	second.write(t, dir)
	w.want(t, 0, "first") // a second has not passed
	w.Reload()
	w.want(t, 0, "second")
	pems{second.cert, first.key}.write(t, dir)
	w.Reload()
	w.Reload()
	w.want(t, time.Second, "second")
	if got, want := strings.Count(w.log.String(), "stays in use"), 2; got != want {
		t.Errorf("got %d lines in the log, want %d: %s", got, want, &w.log)
	}
}

// TestLoadingABrokenKeyPair: one line says what is wrong.
func TestLoadingABrokenKeyPair(t *testing.T) {
	first, second := newPems(t, "first"), newPems(t, "second")
	for want, p := range map[string]pems{
		"private key does not match public key": {first.cert, second.key},
		"failed to find any PEM data":           {nil, first.key},
		"failed to find certificate PEM data":   {first.key, first.key},
		"no such file or directory":             {first.cert, nil},
	} {
		dir := t.TempDir()
		p.write(t, dir)
		if p.key == nil {
			if err := os.Remove(filepath.Join(dir, "key.pem")); err != nil {
				t.Fatal(err)
			}
		}
		cert := filepath.Join(dir, "cert.pem")
		_, err := LoadKeyPair(cert, filepath.Join(dir, "key.pem"), slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "the certificate "+cert) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one line with %q", err, want)
		}
	}
}

// startTLSOn serves a handler with its own certificate, and returns a configuration that trusts it.
func startTLSOn(t *testing.T, s *Server, l net.Listener) (*running, *tls.Config) {
	t.Helper()
	p, dir := newPems(t, "localhost"), t.TempDir()
	p.write(t, dir)
	s.KeyPair = load(t, dir).KeyPair
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.cert)
	return startOn(t, s, l), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// clientOf returns a client whose connections are closed at the end of the test.
func clientOf(t *testing.T, transport *http.Transport) *http.Client {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Timeout: patience, Transport: transport}
}

// TestTLS: only HTTP/1.1 is spoken, also to a client that offers HTTP/2, from TLS 1.2 on.
func TestTLS(t *testing.T) {
	listeners, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r, trust := startTLSOn(t, &Server{Handler: hello, Limits: limits()}, listeners[0])
	client := clientOf(t, &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true})
	answer := get(t, client, "https://"+r.addrs[0])
	body, err := io.ReadAll(answer.body)
	if err != nil || string(body) != "hello" || answer.proto != 1 {
		t.Errorf("got %q over HTTP/%d, %v, want hello over HTTP/1.1", body, answer.proto, err)
	}
	for _, c := range []struct {
		least, most uint16
		works       bool
	}{
		{tls.VersionTLS10, tls.VersionTLS11, false},
		{tls.VersionTLS12, tls.VersionTLS12, true},
		{tls.VersionTLS13, tls.VersionTLS13, true},
	} {
		config := trust.Clone()
		config.MinVersion, config.MaxVersion, config.NextProtos = c.least, c.most, nil
		d := tls.Dialer{Config: config}
		conn, err := d.DialContext(t.Context(), "tcp", r.addrs[0])
		if (err == nil) != c.works {
			t.Errorf("up to %s: got %v, want success %t", tls.VersionName(c.most), err, c.works)
		}
		if err != nil {
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(patience)) // without a deadline reading the answer fails later
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if whole, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(whole), "hello") {
			t.Errorf("%s: got %q, %v, want hello", tls.VersionName(c.most), whole, err)
		}
		_ = conn.Close() // it was read to its end
	}
}

// opened is an answer whose body is there to be read.
type opened struct {
	status, proto int
	body          io.Reader
}

// get requests a target.
func get(t *testing.T, client *http.Client, url string) opened {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = answer.Body.Close() })
	return opened{answer.StatusCode, answer.ProtoMajor, answer.Body}
}
