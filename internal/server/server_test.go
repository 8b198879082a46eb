package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for an answer. Only a broken server takes longer.
const patience = 5 * time.Minute

// lockedBuffer is a log that a server writes and a test reads.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// running is a server that is stopped at the end of the test.
type running struct {
	addrs []string
	log   *lockedBuffer
	stop  func() error // asks it to end, and waits for the end
}

// start serves a handler on an address.
func start(t *testing.T, addr string, s *Server) *running {
	t.Helper()
	listeners, err := Listen(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, s, listeners...)
}

func startOn(t *testing.T, s *Server, listeners ...net.Listener) *running {
	t.Helper()
	r := &running{log: &lockedBuffer{}}
	s.Log = slog.New(slog.NewTextHandler(r.log, nil))
	for _, l := range listeners {
		r.addrs = append(r.addrs, l.Addr().String())
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listeners) }()
	r.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return r
}

// limits returns the default limits with a shorter time for the shutdown.
func limits() Limits {
	l := DefaultLimits()
	l.DrainTime = 50 * time.Millisecond
	return l
}

var hello = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })

// line is a connection to which a test writes byte by byte.
type line struct {
	net.Conn
	answers *bufio.Reader
}

func dial(t *testing.T, network, addr string) *line {
	t.Helper()
	var d net.Dialer
	c, err := d.DialContext(t.Context(), network, addr)
	if err != nil {
		t.Fatal(err)
	}
	return lineOf(t, c, patience)
}

// lineOf returns a line on a connection. The test waits for it for at most patience. The server may have
// closed a connection in memory already; then it takes no deadline, and needs none.
func lineOf(t *testing.T, c net.Conn, patience time.Duration) *line {
	t.Helper()
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Fatal(err)
	}
	return &line{c, bufio.NewReader(c)}
}

func (l *line) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(l, text); err != nil {
		t.Fatal(err)
	}
}

// answer reads a whole answer and returns its status.
func (l *line) answer(t *testing.T) int {
	t.Helper()
	got, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, got.Body); err != nil {
		t.Fatal(err)
	}
	if err := got.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return got.StatusCode
}

// ask sends a request and expects 200.
func (l *line) ask(t *testing.T) {
	t.Helper()
	l.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got, want := l.answer(t), http.StatusOK; got != want {
		t.Fatalf("got %d, want %d", got, want)
	}
}

// closes waits until the server closes the connection, and returns how long that took.
func (l *line) closes(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	_, err := io.Copy(io.Discard, l.answers)
	if ne, is := errors.AsType[net.Error](err); is && ne.Timeout() {
		t.Fatalf("got the connection open after %s, want it closed", time.Since(began))
	}
	return time.Since(began)
}

func TestDefaultLimits(t *testing.T) {
	want := Limits{
		Connections: 2048, HeaderBytes: 16384, HeaderTime: 5 * time.Second, IdleTime: time.Minute,
		StallTime: 30 * time.Second, DrainTime: 8 * time.Second,
	}
	if got := DefaultLimits(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestHeaderBytes: headers of exactly the limit are accepted, and one byte more is refused.
func TestHeaderBytes(t *testing.T) {
	addr := start(t, "127.0.0.1:0", &Server{Handler: hello, Limits: limits()}).addrs[0]
	for size, want := range map[int]int{
		16 << 10:                           http.StatusOK,
		16<<10 + 1:                         http.StatusRequestHeaderFieldsTooLarge,
		64 << 10:                           http.StatusRequestHeaderFieldsTooLarge,
		16<<10 - 1:                         http.StatusOK,
		DefaultLimits().HeaderBytes + 4096: http.StatusRequestHeaderFieldsTooLarge,
	} {
		const begin, end = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", "\r\n\r\n"
		c := dial(t, "tcp", addr)
		c.send(t, begin+strings.Repeat("a", size-len(begin)-len(end))+end)
		if got := c.answer(t); got != want {
			t.Errorf("headers of %d bytes: got %d, want %d", size, got, want)
		}
	}
}

// TestConnectionsThatWaitEndWithTheServer: a connection that waits to be served does not delay the
// shutdown.
func TestConnectionsThatWaitEndWithTheServer(t *testing.T) {
	work := newWork()
	s := &Server{Handler: work, Limits: limits()}
	s.Limits.Connections = 1
	r := start(t, "127.0.0.1:0", s)
	dial(t, "tcp", r.addrs[0]).begin(t)
	<-work.begun
	defer close(work.finish)
	waiting := dial(t, "tcp", r.addrs[0])
	waiting.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	waiting.closes(t)
}

// TestOpenConnectionsAreCounted: only open connections count.
func TestOpenConnectionsAreCounted(t *testing.T) {
	s := &Server{Handler: hello, Limits: limits()}
	if got := s.Connections(); got != 0 {
		t.Errorf("before it serves: got %d connections, want 0", got)
	}
	r := start(t, "127.0.0.1:0", s)
	for i := range 3 {
		dial(t, "tcp", r.addrs[0]).ask(t)
		if got := s.Connections(); got != i+1 {
			t.Errorf("got %d connections, want %d", got, i+1)
		}
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if got := s.Connections(); got != 0 {
		t.Errorf("after the end: got %d connections, want 0", got)
	}
}

// flaky is a listener whose first calls of Accept fail.
type flaky struct {
	net.Listener
	failures []error
}

func (f *flaky) Accept() (net.Conn, error) {
	if len(f.failures) > 0 {
		err := f.failures[0]
		f.failures = f.failures[1:]
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: err}
	}
	return f.Listener.Accept()
}

// TestAcceptGoesOn: an error of accept does not end the server.
func TestAcceptGoesOn(t *testing.T) {
	listeners, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	failing := &flaky{listeners[0], []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EPERM, syscall.ECONNABORTED}}
	r := startOn(t, &Server{Handler: hello, Limits: limits()}, failing)
	dial(t, "tcp", r.addrs[0]).ask(t)
	if got, want := strings.Count(r.log.String(), "cannot be accepted"), 1; got != want {
		t.Errorf("got %d lines in the log, want %d: %s", got, want, r.log)
	}
}

// TestWhatAPeerHasYetToTakeIsBounded: the send buffers for a peer are small, so that the server notices
// whether a slow peer reads.
func TestWhatAPeerHasYetToTakeIsBounded(t *testing.T) {
	const most = 1 << 20 // the system's default buffers hold several times as much
	handler := newEndless(8 << 20)
	s := &Server{Handler: handler, Limits: limits()}
	s.Limits.StallTime = 300 * time.Millisecond
	c := dial(t, "tcp", start(t, "127.0.0.1:0", s).addrs[0])
	if err := c.Conn.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		t.Fatal(err)
	}
	c.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got := (<-handler.failed).taken; got > most {
		t.Errorf("got %d bytes sent to a peer that reads nothing, want at most %d", got, most)
	}
}

// TestRequestedDeadlines: a caller's deadline counts if it is earlier than that of the stall time.
func TestRequestedDeadlines(t *testing.T) {
	here, there := net.Pipe()
	t.Cleanup(func() { _ = errors.Join(here.Close(), there.Close()) }) // closing a pipe does not fail
	c := &conn{Conn: here, stall: time.Hour}
	for _, set := range []func(time.Time) error{c.SetWriteDeadline, c.SetDeadline} {
		if err := set(time.Now().Add(10 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte("taken by nobody")); err == nil {
			t.Error("a Write after its deadline: got no error, want one")
		}
	}
}

// TestDrain: a request in flight gets its response after the server was told to end.
func TestDrain(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	s := &Server{Limits: limits(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-finish
		hello(w, r)
	})}
	s.Limits.DrainTime = patience
	r := start(t, "127.0.0.1:0", s)
	c := dial(t, "tcp", r.addrs[0])
	c.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-begun
	ended := make(chan error, 1)
	go func() { ended <- r.stop() }()
	waitUntilClosed(t, r.addrs[0])
	close(finish)
	if got, want := c.answer(t), http.StatusOK; got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if log := r.log.String(); strings.Contains(log, "cut off") {
		t.Errorf("got the log %s, want no line about clients that were cut off", log)
	}
}

// waitUntilClosed returns when no process listens on the address any more.
func waitUntilClosed(t *testing.T, addr string) {
	t.Helper()
	var d net.Dialer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		c, err := d.DialContext(t.Context(), "tcp", addr)
		if err != nil {
			return
		}
		_ = c.Close() // it was opened only to see whether that is possible
	}
	t.Fatalf("got the server still listening after %s, want its port closed", patience)
}
