package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/wiretest"
)

// work is a handler that answers /work when finish receives or is closed, and any other path at once.
type work struct{ begun, finish chan struct{} }

func newWork() *work { return &work{make(chan struct{}, 1000), make(chan struct{})} }

func (w *work) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/work" {
		w.begun <- struct{}{}
		select {
		case <-w.finish:
		case <-r.Context().Done():
		}
	}
	_, _ = io.WriteString(rw, "hello")
}

// begin sends a request for /work.
func (l *line) begin(t *testing.T) {
	t.Helper()
	l.send(t, "GET /work HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

// takesAnswer reads a response to its end. It must be a complete 200.
func (l *line) takesAnswer(t *testing.T) {
	t.Helper()
	got, err := http.ReadResponse(l.answers, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, got.Body)
		err = errors.Join(err, got.Body.Close())
	}
	if err != nil || got.StatusCode != http.StatusOK {
		t.Errorf("a request that was begun: got %v, want a complete answer of 200", err)
	}
}

// open reports whether the server keeps a connection open. Nothing may be left to read.
func (l *line) open(t *testing.T) bool {
	t.Helper()
	synctest.Wait()
	if err := l.SetReadDeadline(time.Now().Add(time.Nanosecond)); err != nil {
		return false // setting a deadline on a pipe fails only if its other end is closed
	}
	_, err := l.answers.Peek(1)
	if err := l.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		return false
	}
	late, is := errors.AsType[net.Error](err)
	return is && late.Timeout()
}

// callers is a network in memory whose clients have addresses.
type callers struct {
	*wiretest.Wire
	addrs chan net.Addr
}

func newCallers() callers { return callers{wiretest.New(), make(chan net.Addr, 1)} }

type caller struct {
	net.Conn
	addr net.Addr
}

func (c caller) RemoteAddr() net.Addr { return c.addr }

func (c callers) Accept() (net.Conn, error) {
	conn, err := c.Wire.Accept()
	if err != nil {
		return nil, err
	}
	return caller{conn, <-c.addrs}, nil
}

// from connects from an address. The address "unix" means a Unix socket.
func (c callers) from(t *testing.T, addr string) *line {
	t.Helper()
	if addr == "unix" {
		c.addrs <- &net.UnixAddr{Net: "unix"}
	} else {
		c.addrs <- net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(addr), 40_000))
	}
	return lineOn(t, c.Wire)
}

// serveFew serves a work on a network in memory, with a limit on the connections.
func serveFew(t *testing.T, connections int) *wiretest.Wire {
	t.Helper()
	wire := wiretest.New()
	s := &Server{Handler: newWork(), Limits: DefaultLimits()}
	s.Limits.Connections = connections
	startOn(t, s, wire)
	return wire
}

// TestTheConnectionIdleLongestMakesRoom: when all connections are open, a new one closes the connection
// that was idle longest, and no other. It does not matter in which state that one was idle.
func TestTheConnectionIdleLongestMakesRoom(t *testing.T) {
	for name, idle := range map[string]func(*testing.T, *line){
		"after a request":         func(t *testing.T, l *line) { l.ask(t) },
		"before any byte":         func(*testing.T, *line) {},
		"in its headers":          func(t *testing.T, l *line) { l.send(t, "GET / HTTP/1.1\r\nHost: ") },
		"in its headers, further": func(t *testing.T, l *line) { l.ask(t); l.send(t, "GET / HTTP/1.1\r\nHost: ") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wire := serveFew(t, 4)
				lines := make([]*line, 4)
				for i := range lines {
					lines[i] = lineOn(t, wire)
					if i == 1 {
						idle(t, lines[i])
					} else {
						lines[i].ask(t)
					}
					time.Sleep(time.Second)
				}
				lines[0].ask(t) // now the second connection was idle longest
				began := time.Now()
				lineOn(t, wire).ask(t)
				if took := time.Since(began); took != 0 {
					t.Errorf("got the new connection answered after %s, want at once", took)
				}
				for i, l := range lines {
					if got, want := l.open(t), i != 1; got != want {
						t.Errorf("connection %d: got open %t, want %t", i, got, want)
					}
				}
			})
		})
	}
}

// TestIdleConnectionsUnderTLSMakeRoom: a connection in the handshake or between two requests may be closed for
// a new one. One with a request may not.
func TestIdleConnectionsUnderTLSMakeRoom(t *testing.T) {
	for _, state := range []string{"handshake", "idle", "busy"} {
		t.Run(state, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				work, wire := newWork(), wiretest.New()
				s := &Server{Handler: work, Limits: DefaultLimits()}
				s.Limits.Connections = 1
				_, trust := startTLSOn(t, s, wire)
				newClient := func() *http.Client {
					dial := func(context.Context, string, string) (net.Conn, error) { return wire.Dial() }
					client := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust.Clone()})
					client.Timeout = time.Hour
					return client
				}
				var answered sync.WaitGroup
				if state == "handshake" {
					lineOn(t, wire).send(t, "\x16\x03")
				} else {
					client, path := newClient(), map[string]string{"idle": "/", "busy": "/work"}[state]
					answered.Go(func() {
						if body, err := io.ReadAll(get(t, client, "https://localhost"+path).body); err != nil {
							t.Errorf("got %q, %v, want a whole answer", body, err)
						}
					})
				}
				time.Sleep(time.Second)
				began := time.Now()
				if state == "busy" {
					time.AfterFunc(time.Minute, func() { close(work.finish) })
				}
				if got := get(t, newClient(), "https://localhost/"); got.status != http.StatusOK {
					t.Errorf("got %d, want 200", got.status)
				}
				took, want := time.Since(began), time.Duration(0)
				if state == "busy" {
					want = time.Minute + settleTime
				}
				if took != want {
					t.Errorf("answered after %s, want %s", took, want)
				}
				answered.Wait()
			})
		})
	}
}

// TestConnections: all listeners together serve no more connections than the limit. If all have a
// request, one more waits, and is served when another request or connection ends.
func TestConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wires := []*wiretest.Wire{wiretest.New(), wiretest.New()}
		work := newWork()
		s := &Server{Handler: work, Limits: DefaultLimits()}
		s.Limits.Connections = 3
		startOn(t, s, wires[0], wires[1])
		busy := make([]*line, s.Limits.Connections)
		var waiting sync.WaitGroup
		for i := range busy {
			busy[i] = lineOn(t, wires[i%2])
			busy[i].begin(t)
			<-work.begun
			if i > 0 {
				waiting.Go(func() { busy[i].takesAnswer(t) })
			}
		}
		var answered atomic.Int32
		for _, w := range wires {
			c := lineOn(t, w)
			waiting.Go(func() {
				c.ask(t)
				answered.Add(1)
				c.begin(t) // so that its connection is not idle
			})
		}
		wants := func(want int32) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := answered.Load(); got != want {
				t.Errorf("got %d waiting requests answered, want %d", got, want)
			}
		}
		wants(0)
		if err := busy[0].Close(); err != nil {
			t.Fatal(err)
		}
		wants(1)
		work.finish <- struct{}{}
		wants(2)
		close(work.finish)
		waiting.Wait()
	})
}

// TestANewConnectionHasTimeToAsk: a connection that has just opened, or just got a response, is not
// closed for the next.
func TestANewConnectionHasTimeToAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := serveFew(t, 1)
		first := lineOn(t, wire)
		began := time.Now()
		second := lineOn(t, wire)
		time.AfterFunc(settleTime-1, func() { first.ask(t) })
		second.ask(t)
		if took, least := time.Since(began), 2*settleTime-1; took < least || took > least+settleTime {
			t.Errorf("answered after %s, want %s and little more", took, least)
		}
	})
}

// TestOnePeerHoldsHalf: a peer may have at most half of the connections. A further connection closes an
// idle one of the same peer, and is refused if there is none. A proxy may have more.
func TestOnePeerHoldsHalf(t *testing.T) {
	const most = 8
	for _, c := range []struct {
		name   string
		addrs  []string // of one peer
		shares bool
	}{
		{"IPv4", []string{"192.0.2.1"}, true},
		{"IPv4 in IPv6", []string{"192.0.2.1", "::ffff:192.0.2.1"}, true},
		{"IPv6", []string{"2001:db8:1:2::1", "2001:db8:1:2:ffff::2"}, true},
		{"two networks of IPv6", []string{"2001:db8:1:2::1", "2001:db8:1:3::1"}, false},
		{"loopback", []string{"127.0.0.1", "::1", "127.9.9.9", "::ffff:127.0.0.1"}, false},
		{"a unix socket", []string{"unix"}, false},
		{"a proxy", []string{"198.51.100.7"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				work, wire := newWork(), newCallers()
				s := &Server{Handler: work, Limits: DefaultLimits()}
				s.Limits.Connections = most
				s.Proxies = func(a netip.Addr) bool { return a == netip.MustParseAddr("198.51.100.7") }
				running := startOn(t, s, wire)
				var lines []*line
				answered := make(chan int, most)
				var reading sync.WaitGroup
				defer reading.Wait()
				defer close(work.finish)
				for i := range most / 2 {
					l := wire.from(t, c.addrs[i%len(c.addrs)])
					lines = append(lines, l)
					l.begin(t)
					<-work.begun
					reading.Go(func() { l.takesAnswer(t); answered <- i })
				}
				time.Sleep(time.Second)
				next := wire.from(t, c.addrs[len(c.addrs)-1])
				if got := next.open(t); got == c.shares {
					t.Fatalf("one connection more than half, when all others of the peer are busy: got open %t, want %t", got, !c.shares)
				}
				wire.from(t, "203.0.113.1").ask(t)
				if !c.shares {
					next.ask(t)
					return
				}
				if s.Connections() != most/2+1 {
					t.Errorf("got %d connections, want %d", s.Connections(), most/2+1)
				}
				work.finish <- struct{}{}
				time.Sleep(time.Second)
				wire.from(t, c.addrs[0]).ask(t)
				if lines[<-answered].open(t) {
					t.Error("got the idle connection of the peer open, want it closed for the peer's next connection")
				}
				if got := running.log.String(); got == "" {
					t.Error("got an empty log, want a line that a peer was refused")
				}
			})
		})
	}
}

// TestARequestIsAnsweredOrNotBegun: more clients connect and leave than the server allows connections.
// Each request that the server begins gets a complete response.
func TestARequestIsAnsweredOrNotBegun(t *testing.T) {
	const clients, requests, connections = 40, 50, 5
	synctest.Test(t, func(t *testing.T) {
		var begun sync.Map
		var refused, answers atomic.Int32
		wire := wiretest.New()
		s := &Server{Limits: DefaultLimits(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun.Store(r.URL.Path, true)
			time.Sleep(time.Duration(rand.N(3)) * settleTime)
			hello(w, r)
		})}
		s.Limits.Connections = connections
		startOn(t, s, wire)
		var all sync.WaitGroup
		for client := range clients {
			all.Go(func() {
				var l *line
				for request := range requests {
					if l == nil {
						l = lineOn(t, wire)
					}
					path := fmt.Sprintf("/%d-%d", client, request)
					_, err := io.WriteString(l, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
					var got *http.Response
					if err == nil {
						got, err = http.ReadResponse(l.answers, nil)
					}
					if err == nil {
						_, err = io.Copy(io.Discard, got.Body)
						_ = got.Body.Close()
					}
					if _, was := begun.Load(path); err != nil && was {
						t.Errorf("%s was begun: got %v, want an answer", path, err)
					}
					if err != nil {
						refused.Add(1)
						_ = l.Close() // the server has closed it
						l = nil
					} else {
						answers.Add(1)
					}
					time.Sleep(time.Duration(rand.N(4)) * settleTime)
				}
				if l != nil {
					_ = l.Close() // the server may have closed it
				}
			})
		}
		all.Wait()
		if answers.Load() == 0 || refused.Load() == 0 {
			t.Errorf("got %d answers and %d closed connections, want some of each", answers.Load(), refused.Load())
		}
		synctest.Wait()
		if got := s.Connections(); got != 0 {
			t.Errorf("at the end: got %d connections, want 0", got)
		}
	})
}

// TestARequestOfAConnectionThatWasCutIsNotBegun: after a connection was cut, the server begins none of
// its requests, even if all of one has arrived.
func TestARequestOfAConnectionThatWasCutIsNotBegun(t *testing.T) {
	for _, cut := range []bool{false, true} {
		s, c, began := &Server{Limits: DefaultLimits()}, &conn{}, false
		s.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { began = true })
		pool := newPool(s.Limits, &s.connections)
		if _, _, err := pool.try(c); err != nil {
			t.Fatal(err)
		}
		if cut {
			pool.leave(c)
		}
		r, err := http.NewRequestWithContext(context.WithValue(t.Context(), connKey{}, c), http.MethodPost, "/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				err, _ := recover().(error)
				if errors.Is(err, http.ErrAbortHandler) != cut {
					t.Errorf("cut %t: got the panic %v, want http.ErrAbortHandler: %t", cut, err, cut)
				}
			}()
			s.begun(pool).ServeHTTP(nil, r)
		}()
		if began == cut {
			t.Errorf("cut %t: got the request begun %t, want %t", cut, began, !cut)
		}
	}
}
