// Package wiretest is a network in memory, for tests of servers.
//
// A Wire that is made in a bubble of testing/synctest blocks durably there, so that tests do not depend on
// how busy the machine is.
//
// It must not know what is sent over it.
package wiretest

import (
	"net"
	"sync"
)

// Wire is a listener whose connections hold nothing between their ends: what one end
// sends waits until the other takes it.
type Wire struct {
	calls  chan net.Conn
	closed chan struct{}

	mu   sync.Mutex // held to close, and to change ends; nothing blocks under it
	ends []net.Conn // those of the clients
}

// New returns a listener that is open.
func New() *Wire { return &Wire{calls: make(chan net.Conn), closed: make(chan struct{})} }

// Dial returns the end of a client, once the other was accepted. net.ErrClosed.
func (w *Wire) Dial() (net.Conn, error) {
	here, there := net.Pipe()
	w.mu.Lock()
	w.ends = append(w.ends, here)
	w.mu.Unlock()
	select {
	case w.calls <- there:
		return here, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// HangUp closes the ends of all clients.
func (w *Wire) HangUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		_ = end.Close() // of a pipe never fails
	}
}

// Accept implements net.Listener.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.calls:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. net.ErrClosed: it is closed already.
func (w *Wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.closed:
		return net.ErrClosed
	default:
		close(w.closed)
		return nil
	}
}

// Addr implements net.Listener.
func (*Wire) Addr() net.Addr { return &net.UnixAddr{Name: "wire", Net: "unix"} }
