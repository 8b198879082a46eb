package server

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/wiretest"
)

// TestDrip: a peer that reads one byte now and then is cut off like one that reads nothing.
func TestDrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler := newEndless(8 << 20)
		c := lineOn(t, startOnWire(t, handler))
		c.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		began := time.Now()
		for taken := make([]byte, 1); time.Since(began) < time.Hour; time.Sleep(time.Second) {
			if _, err := c.Read(taken); err != nil {
				break // it was cut off, as wanted
			}
		}
		if got, least := time.Since(began), DefaultLimits().StallTime; got < least || got > least+time.Second {
			t.Errorf("got the connection cut after %s, want %s and at most a second more", got, least)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		<-handler.failed
	})
}

// startHTTP2 serves a handler to clients of HTTP/2 in a bubble. Each client has a
// connection of its own.
func startHTTP2(t *testing.T, h http.Handler, limits Limits) (newClient func() *http.Client) {
	t.Helper()
	w := wiretest.New()
	_, trust := startTLSOn(t, &Server{Handler: h, Limits: limits}, w)
	dial := func(context.Context, string, string) (net.Conn, error) { return w.Dial() }
	return func() *http.Client {
		return clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust, ForceAttemptHTTP2: true})
	}
}

// counted is a body without an end. It counts the bytes that were read.
type counted struct{ read atomic.Int64 }

func (c *counted) Read(p []byte) (int, error) {
	n := min(len(p), 1<<10) // so that the client has few bytes that it read and did not send
	c.read.Add(int64(n))
	return n, nil
}

// TestUnreadBodiesOfHTTP2: the server holds only little of unread bodies, for all streams of a
// connection together.
func TestUnreadBodiesOfHTTP2(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				<-release
			}
		})
		client := startHTTP2(t, handler, DefaultLimits())()
		get(t, client, "https://localhost/") // the next requests use its connection
		var body counted
		for range 4 {
			q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://localhost/", io.NopCloser(&body))
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				if response, err := client.Do(q); err == nil {
					_ = response.Body.Close()
				}
			}()
		}
		synctest.Wait()
		const most = receiveBytes + 4<<10
		if got := body.read.Load(); got == 0 || got > most {
			t.Errorf("got %d bytes received of bodies that the handler does not read, want some and at most %d", got, most)
		}
		close(release)
	})
}

// TestFramesOfHTTP2: a connection reads frames of at most 16 KiB, because it keeps a buffer for the
// largest one.
func TestFramesOfHTTP2(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wiretest.New()
		_, trust := startTLSOn(t, &Server{Handler: hello, Limits: DefaultLimits()}, w)
		plain, err := w.Dial()
		if err != nil {
			t.Fatal(err)
		}
		trust = trust.Clone()
		trust.ServerName, trust.NextProtos = "localhost", []string{"h2"}
		c := lineOf(t, tls.Client(plain, trust), time.Hour)
		go func() {
			_, _ = io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		}()
		frame := make([]byte, 9)
		if _, err := io.ReadFull(c.answers, frame); err != nil {
			t.Fatal(err)
		}
		settings := make([]byte, binary.BigEndian.Uint32(frame)>>8)
		if _, err := io.ReadFull(c.answers, settings); err != nil {
			t.Fatal(err)
		}
		const maxFrameSize = 5 // RFC 9113, section 6.5.2
		for setting := range slices.Chunk(settings, 6) {
			if binary.BigEndian.Uint16(setting) == maxFrameSize {
				if got, want := binary.BigEndian.Uint32(setting[2:]), uint32(16<<10); got != want {
					t.Errorf("got frames of %d bytes, want at most %d", got, want)
				}
				return
			}
		}
	})
}

// TestThePrefaceOfHTTP2OverHTTP1: net/http passes it to the handler as a request of HTTP/2. It is no stream,
// so it does not count as one, and its connection ends.
func TestThePrefaceOfHTTP2OverHTTP1(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := &Server{Handler: hello, Limits: DefaultLimits()}, wiretest.New()
		startOn(t, s, w)
		for range 3 {
			c := lineOn(t, w)
			go func() { _, _ = io.WriteString(c, "PRI * HTTP/2.0\r\n\r\n") }()
			if _, err := io.ReadAll(c); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.streams.Load(); got != 0 {
			t.Errorf("got %d streams, want 0", got)
		}
	})
}

// TestStreamsAreBounded: all HTTP/2 connections together may have as many requests in flight as the
// server allows connections. The server does not begin the next request, and answers it with 503.
func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := DefaultLimits()
		limits.Connections = 4
		release := make(chan struct{})
		var inFlight atomic.Int64
		newClient := startHTTP2(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			inFlight.Add(1)
			<-release
			_, _ = io.WriteString(w, "hello")
		}), limits)
		statuses := make(chan int, 6)
		for _, client := range []*http.Client{newClient(), newClient()} {
			for range 3 {
				go func() { statuses <- statusOf(t.Context(), client) }()
				synctest.Wait()
			}
		}
		if got, want := inFlight.Load(), int64(limits.Connections); got != want {
			t.Errorf("got %d requests in flight, want %d", got, want)
		}
		for range 2 {
			if got, want := <-statuses, http.StatusServiceUnavailable; got != want {
				t.Errorf("one more: got %d, want %d", got, want)
			}
		}
		close(release)
		for range limits.Connections {
			if got, want := <-statuses, http.StatusOK; got != want {
				t.Errorf("one of those in flight: got %d, want %d", got, want)
			}
		}
	})
}

// statusOf requests / and returns the status of the response, 0 if there is none.
func statusOf(ctx context.Context, client *http.Client) int {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://localhost/", http.NoBody)
	if err != nil {
		return 0
	}
	answer, err := client.Do(q)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close() // only the status matters
	return answer.StatusCode
}
