package server

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// sendBuffer is how much the system buffers for a peer. With more, a peer that reads slowly would seem to
// read nothing.
const sendBuffer = 128 << 10

// listener accepts no more connections than the pool allows, and goes on after errors of the system.
type listener struct {
	net.Listener
	pool   *pool
	from   func(net.Addr) netip.Prefix // the peer at an address, as far as it has a share
	stall  time.Duration
	log    *slog.Logger
	full   *limitedLog // tells of peers that are refused
	close  sync.Once
	closed chan struct{}
}

// Accept waits for a connection, and then until the pool takes it. It refuses the connections of a peer
// that has its share.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, stall: l.stall, pool: l.pool, from: l.from(accepted.RemoteAddr())}
		err = l.pool.take(c, l.closed)
		if errors.Is(err, errShare) {
			l.full.warn("a connection was refused, because its peer holds half of all that there may be; if the peer is a proxy, name it with --trusted-proxy", "peer", c.from)
			_ = accepted.Close() // nothing was said on it
			continue
		}
		if err != nil {
			return nil, errors.Join(err, accepted.Close())
		}
		if tcp, is := accepted.(*net.TCPConn); is {
			_ = tcp.SetWriteBuffer(sendBuffer) // a peer that is gone already is found out when it is read
		}
		return c, nil
	}
}

// accept tries until the listener is closed, because errors like too many open files pass.
func (l *listener) accept() (net.Conn, error) {
	const longest = time.Second
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, longest) {
		accepted, err := l.Listener.Accept()
		if err == nil || errors.Is(err, net.ErrClosed) {
			return accepted, err
		}
		if pause == 5*time.Millisecond {
			l.log.Warn("connections cannot be accepted for now", "err", err)
		}
		select {
		case <-time.After(pause):
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
}

func (l *listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
