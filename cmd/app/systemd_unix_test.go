//go:build unix

package main

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// supervised starts a server as systemd does: without a terminal, and with a socket for what it says. wait
// reads there until a message has a text.
func supervised(t *testing.T, dir string, args ...string) (p *process, wait func(text string)) {
	t.Helper()
	notify := filepath.Join(dir, "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // the test is over
	wait = func(text string) {
		t.Helper()
		var said strings.Builder
		for message := make([]byte, 4096); ; {
			if err := l.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			n, err := l.Read(message)
			if err != nil {
				t.Fatalf("got %q and %v, want %q", said.String(), err, text)
			}
			if strings.Contains(string(message[:n]), text) {
				return
			}
			said.Write(message[:n])
		}
	}
	command := exec.CommandContext(t.Context(), "app", append([]string{"serve"}, args...)...)
	command.Dir, command.Env = dir, append(plainEnvironment(), "NOTIFY_SOCKET="+notify, "WATCHDOG_USEC=3000000")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p, err = start(command); err != nil {
		t.Fatal(err)
	}
	return p, wait
}

// TestUnderSystemd: a server says what it does at the start, that it is ready, and that it ends. Its watchdog
// is fed, but not while the database hangs.
func TestUnderSystemd(t *testing.T) {
	dir := shortFolder(t)
	p, wait := supervised(t, dir, "--db", "app.db", "--addr", "127.0.0.1:0")
	wait("STATUS=Opening app.db")
	wait("READY=1\nSTATUS=Serving app.db on http://127.0.0.1:")
	wait("WATCHDOG=1")
	unlock := lockReaders(t, filepath.Join(dir, "app.db-shm"))
	wait("STATUS=The database does not answer")
	unlock()
	wait("WATCHDOG=1")
	wait("STATUS=Serving app.db")
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, p.stderr.String())
	}
	wait("STOPPING=1")
}

// TestHangup: SIGHUP makes a server without a terminal read its certificate and its settings again. What
// cannot be used leaves all as it was, and the log says why; so does what needs a restart.
func TestHangup(t *testing.T) {
	dir := shortFolder(t)
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const good = "addr = '127.0.0.1:0'\ntls-cert = 'cert.pem'\ntls-key = 'key.pem'\n"
	write("daybook.toml", good)
	cert, key := selfSigned(t, "first")
	write("cert.pem", cert)
	write("key.pem", key)
	p, wait := supervised(t, dir, "--config", "daybook.toml", "--max-conns", "99")
	wait("READY=1\nSTATUS=Serving")
	hangUp := func() {
		t.Helper()
		if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		wait("RELOADING=1\n")
		wait("READY=1")
	}
	hangUp()
	write("cert.pem", "no certificate")
	write("daybook.toml", good+"max-conns = 7\nbackup-every = '1h'\n")
	hangUp()
	if got := servedName(t, p.addr); got != "first" {
		t.Errorf("with a broken certificate: got that of %q, want the first", got)
	}
	cert, key = selfSigned(t, "second")
	write("cert.pem", cert)
	write("key.pem", key)
	write("daybook.toml", good+"allow-host = ['a b']")
	hangUp()
	if got := servedName(t, p.addr); got != "second" {
		t.Errorf("with a new certificate: got that of %q, want the second", got)
	}
	write("daybook.toml", good+"adr = 'x'")
	hangUp()
	write("daybook.toml", good+"log-level = 'error'")
	hangUp()
	write("cert.pem", "no certificate")
	hangUp() // a warning, which is not logged now
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	log := p.stderr.String()
	for text, want := range map[string]int{
		"the old certificate stays in use":                      1,
		"a new certificate is in use":                           4,
		"the settings were read again":                          2,
		"needs a restart":                                       1,
		"setting=backup-every where=daybook.toml:5":             1,
		"all settings stay as they are":                         2,
		`daybook.toml:4: --allow-host: \"a b\" is not the name`: 1,
		"daybook.toml:4: adr is no setting":                     1,
	} {
		if got := strings.Count(log, text); got != want {
			t.Errorf("got %d lines with %q, want %d:\n%s", got, text, want, log)
		}
	}
}

// servedName is the name in the certificate that a server uses.
func servedName(t *testing.T, addr string) string {
	t.Helper()
	d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // the test looks at the certificate itself
	c, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // nothing is sent
	return c.(*tls.Conn).ConnectionState().PeerCertificates[0].Subject.CommonName
}

// selfSigned makes a certificate and its key, in PEM.
func selfSigned(t *testing.T, name string) (cert, key string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(nil, like, like, public, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

// lockReaders takes the locks that every reader of a database needs a part of, as a program that hangs in the
// middle of SQLite's work can hold them. unlock releases them.
func lockReaders(t *testing.T, shm string) (unlock func()) {
	t.Helper()
	file, err := os.OpenFile(shm, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	locks := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 123, Len: 5} // WAL_READ_LOCK(0) to (4)
	for syscall.FcntlFlock(file.Fd(), syscall.F_SETLKW, &locks) == syscall.EINTR {
		continue
	}
	return func() { _ = file.Close() } // releases them
}
