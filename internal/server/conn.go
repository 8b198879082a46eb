package server

import (
	"container/list"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// pieceBytes is how much a peer must read within the stall time, or less if less is written. A peer that
// reads a byte now and then is cut like one that reads nothing, so that it cannot hold a response for
// ever.
const pieceBytes = 16 << 10

// conn is a connection that is cut if its peer reads too little for too long. When it closes, it leaves the
// pool.
type conn struct {
	net.Conn
	stall time.Duration // for a piece
	pool  *pool
	from  netip.Prefix // the peer, as far as it has a share; zero = it has none

	// These are changed under the lock of the pool.
	inside bool          // has a place
	idle   *list.Element // its place among those that are idle; nil while it has a request
	since  time.Time     // when it became idle

	mu    sync.Mutex // held to set the deadline of writing
	given time.Time  // the deadline that was asked for; zero = none
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// connOf returns the connection of a listener, which TLS may wrap.
func connOf(c net.Conn) *conn {
	if wrapped, is := c.(*tls.Conn); is {
		c = wrapped.NetConn()
	}
	own, _ := c.(*conn) // every listener accepts these
	return own
}

// Write fails if the peer reads less than a piece within the stall time. A peer that reads slowly, but at
// least that much, gets everything.
func (c *conn) Write(p []byte) (n int, err error) {
	for {
		if err := c.setWriteDeadline(); err != nil {
			return n, err
		}
		taken, err := c.Conn.Write(p[n:])
		n += taken
		if taken < pieceBytes || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
}

// setWriteDeadline sets the deadline of writing: the requested one, or the stall time from now, whichever
// is earlier.
func (c *conn) setWriteDeadline() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	deadline := time.Now().Add(c.stall)
	if !c.given.IsZero() && c.given.Before(deadline) {
		deadline = c.given
	}
	return c.Conn.SetWriteDeadline(deadline)
}

// SetWriteDeadline requests a deadline, which counts only if it is earlier than that of the stall time. TLS
// asks for one when it closes a connection.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	c.given = t
	c.mu.Unlock()
	return c.setWriteDeadline()
}

// SetDeadline is SetWriteDeadline and SetReadDeadline.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// CloseWrite tells the peer that nothing more comes, if the connection can.
func (c *conn) CloseWrite() error {
	if half, can := c.Conn.(interface{ CloseWrite() error }); can {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *conn) Close() error {
	defer c.pool.leave(c)
	return c.Conn.Close()
}
