package server

import (
	"container/ring"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
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
	stall func() time.Duration // for a piece that begins now
	pool  *pool
	from  netip.Prefix // the peer, as far as it has a share; zero = it has none

	writing atomic.Int32 // counts the calls of Write that go on

	// These are changed under the lock of places.
	inside        bool // has a place
	peer          *peer
	requests      int
	since         time.Time // when it became idle
	inAll, inPeer ring.Ring // its links among those that are idle

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

// isHTTP2 reports whether the handshake of a connection chose HTTP/2.
func isHTTP2(c net.Conn) bool {
	wrapped, is := c.(*tls.Conn)
	return is && wrapped.ConnectionState().NegotiatedProtocol == "h2"
}

// Write fails if the peer reads less than a piece within the stall time. A peer that reads slowly, but at
// least that much, gets everything.
func (c *conn) Write(p []byte) (n int, err error) {
	c.writing.Add(1)
	defer c.writing.Add(-1)
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
	deadline := time.Now().Add(c.stall())
	if !c.given.IsZero() && c.given.Before(deadline) {
		deadline = c.given
	}
	return c.Conn.SetWriteDeadline(deadline)
}

// SetWriteDeadline requests a deadline, which counts only if it is earlier than that of the stall time.
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
