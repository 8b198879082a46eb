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

// pieceBytes is how much a peer must take within the stall time, or less where less is
// written. One that takes a byte now and then is cut like one that takes nothing, so that
// it cannot hold what it is sent for ever.
const pieceBytes = 16 << 10

// conn is a connection that is cut when its peer takes too little for too long, and gives
// its place back when it closes.
type conn struct {
	net.Conn
	stall  func() time.Duration // for a piece that begins now
	places *places
	from   netip.Prefix // the peer, as far as it has a share; zero = it has none

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

// connOf returns the connection that net/http was given by a listener, as TLS wraps it.
func connOf(c net.Conn) *conn {
	if wrapped, is := c.(*tls.Conn); is {
		c = wrapped.NetConn()
	}
	own, _ := c.(*conn) // every listener accepts these
	return own
}

// isHTTP2 reports whether HTTP/2 was agreed on in the handshake of a connection.
func isHTTP2(c net.Conn) bool {
	wrapped, is := c.(*tls.Conn)
	return is && wrapped.ConnectionState().NegotiatedProtocol == "h2"
}

// Write fails when for the stall time less than a piece is taken. What is taken slowly is
// written to its end.
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

// setWriteDeadline sets the deadline of writing: the one that was asked for, or the
// stall time from now.
func (c *conn) setWriteDeadline() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	deadline := time.Now().Add(c.stall())
	if !c.given.IsZero() && c.given.Before(deadline) {
		deadline = c.given
	}
	return c.Conn.SetWriteDeadline(deadline)
}

// SetWriteDeadline asks for a deadline; it can only come before that of the stall time.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	c.given = t
	c.mu.Unlock()
	return c.setWriteDeadline()
}

// SetDeadline is SetWriteDeadline, and as much for reading.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// CloseWrite tells the peer that nothing more comes, where the connection can.
func (c *conn) CloseWrite() error {
	if half, can := c.Conn.(interface{ CloseWrite() error }); can {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *conn) Close() error {
	defer c.places.leave(c)
	return c.Conn.Close()
}
