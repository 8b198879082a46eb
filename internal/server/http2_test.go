package server

import (
	"bytes"
	"crypto/tls"
	"io"
	"math"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"daybook/internal/wiretest"
)

// TestAPeerThatChangesItsTableOfHeaders: a peer that changes its header table during a response does
// not change the server's encoder in use, which could end the process (CVE-2026-97032). The race
// detector shows it.
func TestAPeerThatChangesItsTableOfHeaders(t *testing.T) {
	const requests = 500
	listeners, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r, trust := startTLSOn(t, &Server{Handler: hello, Limits: limits()}, listeners[0])
	trust.NextProtos = []string{"h2"}
	d := tls.Dialer{Config: trust}
	c, err := d.DialContext(t.Context(), "tcp", r.addrs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	frames := http2.NewFramer(c, c)
	answered := make(chan error, 1)
	room := make(chan struct{}, streams-1) // an element for each request in flight
	go func() { answered <- countAnswers(c, requests, room) }()
	if err := frames.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(requests) {
		room <- struct{}{}
		if err := frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: headers(t, "/"), EndStream: true, EndHeaders: true}); err != nil {
			t.Fatal(err)
		}
		if err := frames.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: i % 2 * 4096}); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// headers returns the headers of a request without references to a table.
func headers(t *testing.T, path string, more ...[2]string) []byte {
	t.Helper()
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, f := range append([][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "localhost"}, {":path", path}}, more...) {
		if err := encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1], Sensitive: true}); err != nil {
			t.Fatal(err)
		}
	}
	return block.Bytes()
}

// countAnswers reads frames until that many streams have ended.
func countAnswers(c net.Conn, want int, room <-chan struct{}) error {
	frames := http2.NewFramer(io.Discard, c)
	for ended := 0; ended < want; {
		f, err := frames.ReadFrame()
		if err != nil {
			return err
		}
		if data, is := f.(*http2.DataFrame); is && data.StreamEnded() {
			ended++
			<-room
		}
	}
	return nil
}

// TestAnEndedStreamOfAPeerThatReadsNothing: a write that is ended for others ends soon, even if the
// peer reads nothing and so delays the reset of the stream. As a control, a write that is not ended
// continues until the peer has stalled.
func TestAnEndedStreamOfAPeerThatReadsNothing(t *testing.T) {
	for name, ends := range map[string]bool{"ended": true, "the control": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const begins = 5 * time.Second // when the write is ended
				endless := newEndless(8 << 20)
				w := wiretest.New()
				_, trust := startTLSOn(t, &Server{Limits: DefaultLimits(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.AfterFunc(begins, func() {
						if ends {
							_ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0))
						}
					})
					endless.ServeHTTP(w, r)
				})}, w)
				plain, err := w.Dial()
				if err != nil {
					t.Fatal(err)
				}
				trust = trust.Clone()
				trust.ServerName, trust.NextProtos = "localhost", []string{"h2"}
				c := lineOf(t, tls.Client(plain, trust), time.Hour)
				frames := http2.NewFramer(c, c)
				go func() {
					_, _ = io.WriteString(c, http2.ClientPreface)
					_ = frames.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: math.MaxInt32})
					_ = frames.WriteWindowUpdate(0, math.MaxInt32-1<<16)
					_ = frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: headers(t, "/"), EndStream: true, EndHeaders: true})
				}()
				if _, err := io.ReadFull(c, make([]byte, 9)); err != nil { // completes the handshake of TLS; the test reads nothing after it
					t.Fatal(err)
				}
				failed, stall := <-endless.failed, DefaultLimits().StallTime
				if soon := failed.after <= begins+resetTime+time.Second; soon != ends || failed.after > begins+stall+time.Second {
					t.Errorf("got the write failed after %s with %v, want within %s: %t", failed.after, failed.err, begins+resetTime+time.Second, ends)
				}
			})
		})
	}
}
