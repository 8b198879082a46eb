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

// Pair is a certificate and its key, in two files of PEM. It follows the files: a
// change of them counts from the first handshake that is a second after the last look.
type Pair struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time

	current atomic.Pointer[tls.Certificate]

	mu     sync.Mutex // held to look at the files
	seen   files
	looked time.Time
}

// lookEvery is how often the files are looked at, at most.
const lookEvery = time.Second

// LoadPair reads a certificate and its key. An error says what is wrong with which.
func LoadPair(certFile, keyFile string, log *slog.Logger) (*Pair, error) {
	p := &Pair{certFile: certFile, keyFile: keyFile, log: log, now: time.Now}
	p.seen, p.looked = p.read(), p.now()
	certificate, err := p.seen.parse()
	if err != nil {
		return nil, p.complaint(err)
	}
	p.current.Store(certificate)
	return p, nil
}

func (p *Pair) complaint(err error) error {
	return fmt.Errorf("the certificate %s with the key %s is of no use: %w", p.certFile, p.keyFile, err)
}

// certificate is the one to show at a handshake. Those that come while another looks at
// the files do not wait for it.
func (p *Pair) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
		if now := p.now(); now.Sub(p.looked) >= lookEvery {
			p.looked = now
			p.look()
		}
	}
	return p.current.Load(), nil
}

// look takes the pair when the files have changed. One that is of no use leaves the old
// one in force, and is said once.
func (p *Pair) look() {
	found := p.read()
	if found.equal(p.seen) {
		return
	}
	p.seen = found
	certificate, err := found.parse()
	if err != nil {
		p.log.Warn("the certificate in force is kept", "err", p.complaint(err))
		return
	}
	p.current.Store(certificate)
	p.log.Info("a new certificate is in force", "file", p.certFile, "until", certificate.Leaf.NotAfter)
}

// files are the contents of a pair, or why they could not be read.
type files struct {
	cert, key []byte
	err       error
}

// read reads both files: their times would not tell every change.
func (p *Pair) read() (f files) {
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
