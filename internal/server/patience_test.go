package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
)

// TestIdleConnectionsShortenNoTime: connections without a request leave a peer its whole time for a piece of its
// response, because new connections take their places.
func TestIdleConnectionsShortenNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := newEndless(1 << 20)
		s, wire := &Server{Handler: endless, Limits: DefaultLimits()}, newCallers()
		s.Limits.Connections = 8
		startOn(t, s, wire)
		wire.from(t, "unix").send(t, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
		for range 7 {
			wire.from(t, "unix")
		}
		if got, want := <-endless.failed, 30*time.Second; got.after != want {
			t.Errorf("got the connection cut off after %s, want %s", got.after, want)
		}
	})
}

// TestStallTimeUnderPressure: when more than half of the allowed connections have a request, a peer has less
// and less time for a piece of its response.
func TestStallTimeUnderPressure(t *testing.T) {
	for open, want := range map[int]time.Duration{
		1: 30 * time.Second, 3: 30 * time.Second, 4: 22500 * time.Millisecond, 5: 15 * time.Second,
		6: 7500 * time.Millisecond, 7: leastPatience, 8: leastPatience,
	} {
		synctest.Test(t, func(t *testing.T) {
			endless, work := newEndless(1<<20), newWork()
			routes := http.NewServeMux()
			routes.Handle("/endless", endless)
			routes.Handle("/", work)
			s, wire := &Server{Handler: routes, Limits: DefaultLimits()}, newCallers()
			s.Limits.Connections = 8
			startOn(t, s, wire)
			for range open - 1 {
				wire.from(t, "unix").begin(t)
				<-work.begun
			}
			wire.from(t, "unix").send(t, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if got := <-endless.failed; got.after != want {
				t.Errorf("%d of 8 open: got the connection cut off after %s, want %s", open, got.after, want)
			}
			close(work.finish)
		})
	}
}

// TestTwoPeersThatReadSlowlyCannotHoldAllPlaces: two peers hold half of the connections each. They read
// a little more than a piece of their responses in each stall time, and connect again when they are
// cut. Other peers still get responses.
func TestTwoPeersThatReadSlowlyCannotHoldAllPlaces(t *testing.T) {
	const most = 8
	synctest.Test(t, func(t *testing.T) {
		routes := http.NewServeMux()
		routes.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 8<<20)) })
		routes.Handle("/", hello)
		s, wire := &Server{Handler: routes, Limits: DefaultLimits()}, newCallers()
		s.Limits.Connections = most
		startOn(t, s, wire)
		ctx, end := context.WithCancel(t.Context())
		var calling sync.Mutex // held to connect, because the address is that of the next connection
		from := func(addr string) *line {
			calling.Lock()
			defer calling.Unlock()
			return wire.from(t, addr)
		}
		var peers sync.WaitGroup
		for i := range most {
			peers.Go(func() {
				for ctx.Err() == nil {
					readSlowly(ctx, from([]string{"192.0.2.1", "192.0.2.2"}[i%2]))
				}
			})
		}
		time.Sleep(time.Minute)
		for range 10 {
			began := time.Now()
			honest := from("203.0.113.1")
			honest.ask(t)
			if took, longest := time.Since(began), DefaultLimits().StallTime/2; took > longest {
				t.Errorf("got another peer answered after %s, want at most %s", took, longest)
			}
			if err := honest.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		end()
		wire.HangUp()
		peers.Wait()
	})
}

// readSlowly requests a large response, and reads it as slowly as the stall time allows with few
// connections.
func readSlowly(ctx context.Context, l *line) {
	defer func() { _ = l.Close() }() // the server may have closed it
	if _, err := io.WriteString(l, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return
	}
	for piece := make([]byte, pieceBytes+1<<10); ctx.Err() == nil; {
		if _, err := io.ReadFull(l, piece); err != nil {
			return
		}
		select {
		case <-time.After(25 * time.Second):
		case <-ctx.Done():
		}
	}
}

// TestStreamsThatAreNotTakenMakeRoom: two peers hold all streams of HTTP/2 and read nothing of their
// responses. Soon another peer gets a stream.
func TestStreamsThatAreNotTakenMakeRoom(t *testing.T) {
	const most = 8
	synctest.Test(t, func(t *testing.T) {
		callers := newCallers()
		s := &Server{Handler: hello, Limits: DefaultLimits()}
		s.Limits.Connections = most
		_, trust := startTLSOn(t, s, callers)
		dial := func(context.Context, string, string) (net.Conn, error) {
			return callers.from(t, "203.0.113.1"), nil
		}
		other := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust, ForceAttemptHTTP2: true})
		for _, addr := range []string{"192.0.2.1", "192.0.2.2"} {
			holdStreams(t, callers.from(t, addr), trust, most/2)
		}
		if got, want := statusOf(t.Context(), other), http.StatusServiceUnavailable; got != want {
			t.Errorf("while all streams are held: got %d, want %d", got, want)
		}
		time.Sleep(leastPatience)
		synctest.Wait()
		if got, want := statusOf(t.Context(), other), http.StatusOK; got != want {
			t.Errorf("after %s: got %d, want %d", leastPatience, got, want)
		}
	})
}

// TestAStreamCountsUntilItEnds: a stream counts until its last frame is sent. That is after its handler
// has returned, and the frame waits until the peer reads.
func TestAStreamCountsUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work, callers := newWork(), newCallers()
		s := &Server{Handler: work, Limits: DefaultLimits()}
		s.Limits.Connections = 2
		_, trust := startTLSOn(t, s, callers)
		takeNothing(t, callers.from(t, "198.51.100.1"), trust, work)
		dial := func(context.Context, string, string) (net.Conn, error) { return callers.from(t, "unix"), nil }
		other := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust, ForceAttemptHTTP2: true})
		var working sync.WaitGroup
		working.Go(func() { _ = get(t, other, "https://localhost/work") })
		<-work.begun
		if got, want := statusOf(t.Context(), other), http.StatusServiceUnavailable; got != want {
			t.Errorf("beside a stream whose handler returned and one with a handler: got %d, want %d", got, want)
		}
		close(work.finish)
		working.Wait()
	})
}

// takeNothing requests /work over HTTP/2, lets it end, and reads nothing of the response.
func takeNothing(t *testing.T, l *line, trust *tls.Config, work *work) {
	t.Helper()
	trust = trust.Clone()
	trust.ServerName, trust.NextProtos = "localhost", []string{"h2"}
	c := tls.Client(l.Conn, trust)
	if err := c.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	frames := http2.NewFramer(c, c)
	go func() {
		_, _ = io.WriteString(c, http2.ClientPreface)
		_ = frames.WriteSettings() // if this fails, the handler is not called
		_ = frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: headers(t, "/work"), EndStream: true, EndHeaders: true})
	}()
	for range 2 { // the server's settings, and its acknowledgement of ours
		if f, err := frames.ReadFrame(); err != nil || f.Header().Type != http2.FrameSettings {
			t.Fatalf("got the frame %v, %v, want settings", f, err)
		}
	}
	<-work.begun
	work.finish <- struct{}{}
	synctest.Wait()
}
