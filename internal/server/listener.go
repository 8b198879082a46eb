package server

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// sendBuffer is how much the system holds of what a peer has yet to take. With more, a
// peer that takes slowly would seem to take nothing.
const sendBuffer = 128 << 10

// listener takes no more connections than there are places, and goes on after whatever
// keeps the system from giving it one.
type listener struct {
	net.Listener
	places *places
	from   func(net.Addr) netip.Prefix // the peer at an address, as far as it has a share
	stall  func() time.Duration
	log    *slog.Logger
	full   *sparingLog // tells of peers that are refused
	close  sync.Once
	closed chan struct{}
}

// Accept waits for a connection, and then for a place. It refuses those of a peer that
// holds its share already.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, stall: l.stall, places: l.places, from: l.from(accepted.RemoteAddr())}
		err = l.places.take(c, l.closed)
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

// accept tries until the listener is closed: too many open files, say, are fewer later.
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
