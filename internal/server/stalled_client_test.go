package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"daybook/internal/wiretest"
)

// stalledClient is a client of HTTP/2 with flow-control windows of 0, so that the server cannot send it
// the body of a response.
type stalledClient struct {
	frames   *http2.Framer // writes to the server
	next     uint32        // the number of the next stream
	statuses chan string
	resets   chan http2.ErrCode
	ended    chan struct{} // closed with the connection
}

// newStalledClient connects a client that gets at most that many responses.
func newStalledClient(t *testing.T, l *line, trust *tls.Config, most int) *stalledClient {
	t.Helper()
	trust = trust.Clone()
	trust.ServerName, trust.NextProtos = "localhost", []string{"h2"}
	c := tls.Client(l.Conn, trust)
	if err := c.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := &stalledClient{http2.NewFramer(c, nil), 1, make(chan string, most), make(chan http2.ErrCode, most), make(chan struct{})}
	go h.read(c)
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := h.frames.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *stalledClient) read(c net.Conn) {
	defer close(h.ended)
	frames := http2.NewFramer(io.Discard, c)
	frames.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	for {
		f, err := frames.ReadFrame()
		if err != nil {
			return
		}
		switch f := f.(type) {
		case *http2.MetaHeadersFrame:
			h.statuses <- f.PseudoValue("status")
		case *http2.RSTStreamFrame:
			h.resets <- f.ErrCode
		}
	}
}

// ask begins one more stream. It returns an error if the server has closed the connection.
func (h *stalledClient) ask(block []byte) error {
	if err := h.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: h.next, BlockFragment: block, EndStream: true, EndHeaders: true}); err != nil {
		return err
	}
	h.next += 2
	return nil
}

// answeredByNetHTTP are requests to which net/http itself responds, with the status.
func answeredByNetHTTP(t *testing.T) map[string][]byte {
	t.Helper()
	long := slices.Repeat([][2]string{{"x-long", strings.Repeat("x", 1<<10)}}, DefaultLimits().HeaderBytes>>10-2)
	return map[string][]byte{
		"400": headers(t, "/", [2]string{"connection", "x"}),
		"431": headers(t, "/", long...),
	}
}

// TestStreamsThatNetHTTPAnswersEnd: streams to which net/http itself responds end even if their peer
// does not read the response.
func TestStreamsThatNetHTTPAnswersEnd(t *testing.T) {
	for status, block := range answeredByNetHTTP(t) {
		synctest.Test(t, func(t *testing.T) {
			w := wiretest.New()
			_, trust := startTLSOn(t, &Server{Handler: hello, Limits: DefaultLimits()}, w)
			c := newStalledClient(t, lineOn(t, w), trust, 1)
			began := time.Now()
			if err := c.ask(block); err != nil {
				t.Fatal(err)
			}
			if got := <-c.statuses; got != status {
				t.Errorf("got %s, want %s", got, status)
			}
			select {
			case <-c.resets:
			case <-time.After(time.Hour):
			}
			if got, want := time.Since(began), DefaultLimits().HeaderTime; got != want {
				t.Errorf("%s: got the end after %s, want %s", status, got, want)
			}
		})
	}
}

// TestPeersThatReadNothingCannotHoldAllPlaces: two peers hold half of the connections each. They read
// nothing of their responses over HTTP/2, and send a new request when a stream has ended. Other peers
// still get responses.
func TestPeersThatReadNothingCannotHoldAllPlaces(t *testing.T) {
	const most = 8
	requests := answeredByNetHTTP(t)
	requests["200"] = headers(t, "/")
	for status, block := range requests {
		t.Run(status, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, callers := &Server{Handler: hello, Limits: DefaultLimits()}, newCallers()
				s.Limits.Connections = most
				_, trust := startTLSOn(t, s, callers)
				var peers sync.WaitGroup
				for i := range most {
					c := newStalledClient(t, callers.from(t, []string{"192.0.2.1", "192.0.2.2"}[i%2]), trust, 1000)
					peers.Go(func() {
						for c.ask(block) == nil {
							select {
							case <-c.resets:
								time.Sleep(time.Millisecond) // until its stream no longer counts
							case <-time.After(2 * leastPatience):
							case <-c.ended:
								return
							}
						}
					})
				}
				time.Sleep(settleTime / 2)
				began := time.Now()
				dial := func(context.Context, string, string) (net.Conn, error) { return callers.from(t, "203.0.113.1"), nil }
				other := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust, ForceAttemptHTTP2: true})
				other.Timeout = time.Hour
				if got, want := statusOf(t.Context(), other), http.StatusOK; got != want {
					t.Errorf("another peer: got %d, want %d", got, want)
				}
				if took := time.Since(began); took > leastPatience {
					t.Errorf("got another peer answered after %s, want at most %s", took, leastPatience)
				}
				callers.HangUp()
				peers.Wait()
			})
		})
	}
}

// TestARequestMayTakeItsTime: the time limit for responses of net/http itself does not apply to a
// handler that takes a minute, over each protocol.
func TestARequestMayTakeItsTime(t *testing.T) {
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Minute)
		_, _ = io.WriteString(w, "hello")
	})
	synctest.Test(t, func(t *testing.T) {
		plain, secure := startOnWire(t, slow), wiretest.New()
		_, trust := startTLSOn(t, &Server{Handler: slow, Limits: DefaultLimits()}, secure)
		for name, c := range map[string]struct {
			wire  *wiretest.Wire
			url   string
			http2 bool
		}{
			"HTTP/1":          {plain, "http://localhost", false},
			"HTTP/1 over TLS": {secure, "https://localhost", false},
			"HTTP/2":          {secure, "https://localhost", true},
		} {
			dial := func(context.Context, string, string) (net.Conn, error) { return c.wire.Dial() }
			client := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust.Clone(), ForceAttemptHTTP2: c.http2})
			client.Timeout = time.Hour
			for range 2 { // the second request uses the connection of the first
				answer := get(t, client, c.url)
				if body, err := io.ReadAll(answer.body); string(body) != "hello" || err != nil || (answer.proto == 2) != c.http2 {
					t.Errorf("%s: got %q over HTTP/%d, %v, want hello", name, body, answer.proto, err)
				}
			}
		}
	})
}
