package server

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"daybook/internal/disk"
)

// KeyPair is a certificate and its key, in two files of PEM. It follows the files: a handshake that is a
// second after the last check uses what has changed.
type KeyPair struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time

	current atomic.Pointer[tls.Certificate]

	mu     sync.Mutex // held to look at the files
	seen   files
	looked time.Time
}

// lookEvery is the shortest time between two checks of the files.
const lookEvery = time.Second

// LoadKeyPair reads a certificate and its key. The error says which file is wrong, and how.
func LoadKeyPair(certFile, keyFile string, log *slog.Logger) (*KeyPair, error) {
	p := &KeyPair{certFile: certFile, keyFile: keyFile, log: log, now: time.Now}
	p.seen, p.looked = p.read(), p.now()
	certificate, err := p.seen.parse()
	if err != nil {
		return nil, p.complaint(err)
	}
	p.serve(certificate)
	return p, nil
}

// serve uses a certificate. One that has expired is used too: a wrong clock must not keep the server from its clients.
func (p *KeyPair) serve(certificate *tls.Certificate) {
	p.current.Store(certificate)
	if until := certificate.Leaf.NotAfter; p.now().After(until) {
		p.log.Warn("the certificate has expired, so clients refuse it; renew it", "file", p.certFile, "until", until)
	}
}

func (p *KeyPair) complaint(err error) error {
	return fmt.Errorf("the certificate %s with the key %s cannot be used: %w", p.certFile, p.keyFile, err)
}

// certificate is the one for a handshake. A handshake does not wait while another checks the files.
func (p *KeyPair) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
		if now := p.now(); now.Sub(p.looked) >= lookEvery {
			p.looked = now
			p.look()
		}
	}
	return p.current.Load(), nil
}

// Reload uses what is in the files now, without waiting for a handshake. If that is invalid, the old pair stays
// in use. Both are logged.
func (p *KeyPair) Reload() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looked = p.now()
	p.use(p.read())
}

// look uses the files if they have changed.
func (p *KeyPair) look() {
	if found := p.read(); !found.equal(p.seen) {
		p.use(found)
	}
}

func (p *KeyPair) use(found files) {
	p.seen = found
	certificate, err := found.parse()
	if err != nil {
		p.log.Warn("the old certificate stays in use", "err", p.complaint(err))
		return
	}
	p.serve(certificate)
	p.log.Info("a new certificate is in use", "file", p.certFile, "until", certificate.Leaf.NotAfter)
}

// files are the contents of both files, or the reason why they could not be read.
type files struct {
	cert, key []byte
	err       error
}

// read reads both files, because their times do not show every change.
func (p *KeyPair) read() (f files) {
	var certErr, keyErr error
	f.cert, certErr = disk.ReadNamed(p.certFile)
	f.key, keyErr = disk.ReadNamed(p.keyFile)
	f.err = errors.Join(certErr, keyErr)
	return f
}

func (f files) parse() (*tls.Certificate, error) {
	if f.err != nil {
		return nil, f.err
	}
	certificate, err := tls.X509KeyPair(f.cert, f.key)
	return &certificate, err
}

func (f files) equal(g files) bool {
	return bytes.Equal(f.cert, g.cert) && bytes.Equal(f.key, g.key) && fmt.Sprint(f.err) == fmt.Sprint(g.err)
}
