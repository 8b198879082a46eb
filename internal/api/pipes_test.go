package api_test

import (
	"errors"
	"net"
	"sync"
)

// pipes is a listener whose connections hold nothing between their ends: what one end
// sends waits until the other takes it.
type pipes struct {
	calls  chan net.Conn
	closed chan struct{}

	mu    sync.Mutex
	lines []net.Conn // the ends of the clients
}

func newPipes() *pipes { return &pipes{calls: make(chan net.Conn), closed: make(chan struct{})} }

// dial returns the end of a client.
func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.calls <- there:
	case <-p.closed:
		return nil, net.ErrClosed
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, here)
	return here, nil
}

// hangUp closes the ends of all clients.
func (p *pipes) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		_ = l.Close() // of a pipe never fails
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.calls:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return errors.New("closed twice")
	default:
		close(p.closed)
		return nil
	}
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }
