package server

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// sendBuffer is how much the system holds of what a peer has yet to take. With more, a
// peer that takes slowly would seem to take nothing.
const sendBuffer = 128 << 10

// listener takes no more connections than there are slots, and goes on after whatever
// keeps the system from giving it one.
type listener struct {
	net.Listener
	slots  chan struct{} // holds an element for each open connection; shared
	open   *atomic.Int64 // counts them; shared
	stall  time.Duration
	log    *slog.Logger
	close  sync.Once
	closed chan struct{}
}

// Accept waits for a connection, and then for a slot.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, errors.Join(net.ErrClosed, accepted.Close())
	}
	if tcp, is := accepted.(*net.TCPConn); is {
		_ = tcp.SetWriteBuffer(sendBuffer) // a peer that is gone already is found out when it is read
	}
	l.open.Add(1)
	release := sync.OnceFunc(func() {
		l.open.Add(-1)
		<-l.slots
	})
	return &conn{Conn: accepted, stall: l.stall, release: release}, nil
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
