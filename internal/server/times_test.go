package server

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/wiretest"
)

func lineOn(t *testing.T, w *wiretest.Wire) *line {
	t.Helper()
	c, err := w.Dial()
	if err != nil {
		t.Fatal(err)
	}
	return lineOf(t, c, time.Hour)
}

// startOnWire serves a handler with the default limits.
func startOnWire(t *testing.T, h http.Handler) *wiretest.Wire {
	t.Helper()
	w := wiretest.New()
	startOn(t, &Server{Handler: h, Limits: DefaultLimits()}, w)
	return w
}

// TestHeaderTime: the server does not wait for headers that arrive byte by byte, in the first request
// of a connection and in later ones.
func TestHeaderTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startOnWire(t, hello)
		for _, asked := range []bool{false, true} {
			c := lineOn(t, w)
			if asked {
				c.ask(t)
			}
			began := time.Now()
			for b := range strings.SplitSeq("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "+strings.Repeat("a", 10_000), "") {
				if _, err := io.WriteString(c, b); err != nil {
					break // it was cut off, as wanted
				}
				time.Sleep(time.Millisecond)
			}
			c.closes(t)
			// The time of a later request begins with its fourth byte. The cut shows only at the next
			// write.
			if got, least := time.Since(began), DefaultLimits().HeaderTime; got < least || got > least+4*time.Millisecond {
				t.Errorf("after a request %t: got the connection closed after %s, want %s", asked, got, least)
			}
		}
	})
}

// TestIdleTime: a connection without requests is closed. One with a request now and then is not.
func TestIdleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := lineOn(t, startOnWire(t, hello))
		for range 4 {
			c.ask(t)
			time.Sleep(DefaultLimits().IdleTime - time.Millisecond)
		}
		c.ask(t)
		if got, want := c.closes(t), DefaultLimits().IdleTime; got != want {
			t.Errorf("closed after %s, want %s", got, want)
		}
	})
}

// TestHandshakeTime: a peer that does not complete its handshake is cut.
func TestHandshakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wiretest.New()
		startTLSOn(t, &Server{Handler: hello, Limits: DefaultLimits()}, w)
		c := lineOn(t, w)
		c.send(t, "\x16\x03")
		if got, want := c.closes(t), DefaultLimits().HeaderTime; got != want {
			t.Errorf("closed after %s, want %s", got, want)
		}
	})
}

// TestDrainTime: a server that was told to end cuts off a request that takes too long, and logs that.
func TestDrainTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, finish, w := make(chan struct{}), make(chan struct{}), wiretest.New()
		r := startOn(t, &Server{Limits: DefaultLimits(), Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(begun)
			<-finish
		})}, w)
		c := lineOn(t, w)
		c.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		<-begun
		asked := time.Now()
		if err := r.stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
		if got, want := time.Since(asked), DefaultLimits().DrainTime; got != want {
			t.Errorf("ended after %s, want %s", got, want)
		}
		if got := c.closes(t); got != 0 {
			t.Errorf("got the request in flight cut off %s after the end, want at once", got)
		}
		close(finish)
		if log := r.log.String(); !strings.Contains(log, "cut off") {
			t.Errorf("got the log %q, want a line about clients that were cut off", log)
		}
	})
}

// endless is a handler that writes until a Write fails. Then it sends on failed how long the last Write
// took, and how many bytes were written in all.
type endless struct {
	piece  []byte
	failed chan failure
}

type failure struct {
	after time.Duration
	taken int
	err   error
}

func newEndless(pieceBytes int) *endless {
	return &endless{make([]byte, pieceBytes), make(chan failure, 1)}
}

func (e *endless) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for taken := 0; ; {
		began := time.Now()
		n, err := w.Write(e.piece)
		if taken += n; err != nil {
			e.failed <- failure{time.Since(began), taken, err}
			return
		}
	}
}

// TestStall: a peer that reads in small pieces is served as long as it takes. When it stops reading, it
// is cut.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler := newEndless(8 << 20) // so large that this peer does not read all of one Write
		c := lineOn(t, startOnWire(t, handler))
		c.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		piece := make([]byte, 16<<10)
		for range 10 {
			time.Sleep(DefaultLimits().StallTime - time.Millisecond)
			if _, err := io.ReadFull(c, piece); err != nil {
				t.Fatalf("a peer that reads slowly: got %v, want no error", err)
			}
		}
		stopped := time.Now()
		<-handler.failed
		// The last read may have been at any moment of the stall time before.
		if got, least := time.Since(stopped), DefaultLimits().StallTime; got < least || got >= 2*least {
			t.Errorf("a peer that reads nothing: got it cut off after %s, want at least %s and less than twice that", got, least)
		}
	})
}

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
