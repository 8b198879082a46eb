package soak_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An overload is many clients that make the server keep their requests, or its answers to them, in
// memory.
type overload struct {
	name    string
	clients int
	sent    string // what each client sends
	whole   bool   // whether the request is complete, so that it is answered
	reads   bool   // whether the clients read the answer
}

const (
	ingestHead = "POST /api/v1/actuals/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	summary    = "/api/v1/variance/summary?year=2026&period=1&by=line"
)

// overloads returns four overloads that once ended the process. Each answer to the last one has 10 MB.
func overloads() []overload {
	whole := func(body string) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", ingestHead, len(body), body)
	}
	var keys strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&keys, `"k%07d":1,`, i)
	}
	const mebibyte = 1 << 20
	stalled := fmt.Sprintf("%sContent-Length: %d\r\n\r\n", ingestHead, mebibyte) + `{"x":"` + strings.Repeat("a", mebibyte-100)
	return []overload{
		{"stalled bodies", 1_500, stalled, false, true},
		{"bodies of 80,000 keys", 300, whole("{" + keys.String() + `"z":1}`), true, true},
		{"arrays of 340,000", 40, whole("[" + strings.Repeat("{},", 340_000) + "{}]"), true, true},
		{"clients that do not read 10 MB", 60, "GET " + summary + " HTTP/1.1\r\nHost: localhost\r\n\r\n", false, false},
	}
}

// runningOverload is an overload that has begun.
type runningOverload struct {
	overload
	cancel         context.CancelFunc
	clientsRunning sync.WaitGroup
	pending        atomic.Int64 // clients that still send, or that sent all and wait for the answer

	mu       sync.Mutex
	outcomes map[string]int
}

// startOverload starts the clients of an overload.
func startOverload(t *testing.T, server *process, o overload) *runningOverload {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &runningOverload{overload: o, cancel: cancel, outcomes: map[string]int{}}
	sent := []byte(o.sent)
	s.pending.Store(int64(o.clients))
	for range o.clients {
		s.clientsRunning.Go(func() {
			outcome := s.runClient(ctx, strings.TrimPrefix(server.base, "http://"), sent)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.outcomes[outcome]++
		})
	}
	return s
}

// sending reports whether some clients still send, or wait for the answer to a complete request.
func (s *runningOverload) sending() bool { return s.pending.Load() > 0 }

// end closes all connections, and waits for the clients.
func (s *runningOverload) end() {
	s.cancel()
	s.clientsRunning.Wait()
}

// runClient is one client. It stays connected until the overload ends or the server closes the
// connection. It returns the status it got, or what happened to the connection.
func (s *runningOverload) runClient(ctx context.Context, addr string, sent []byte) (outcome string) {
	here := sync.OnceFunc(func() { s.pending.Add(-1) })
	defer here()
	d := net.Dialer{Timeout: patience}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "not connected"
	}
	defer func() { _ = c.Close() }() // the server may have closed it
	leave := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })
	defer leave()
	_, err = c.Write(sent) // the server may refuse to take it all
	if !s.whole {
		here()
	}
	if !s.reads {
		<-ctx.Done()
		return "waited"
	}
	got, readErr := http.ReadResponse(bufio.NewReaderSize(c, 512), nil)
	if readErr != nil {
		if ctx.Err() != nil {
			return "waited"
		}
		return "cut"
	}
	_, _ = io.Copy(io.Discard, got.Body)
	_ = errors.Join(err, got.Body.Close())
	return fmt.Sprint(got.StatusCode)
}
