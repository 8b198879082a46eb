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

// An onslaught is many clients that make the server hold what they send, or what it
// answers them.
type onslaught struct {
	name    string
	clients int
	sent    string // by each of them
	whole   bool   // the request, so that it is answered
	reads   bool   // the answer
}

const (
	ingestHead = "POST /api/v1/actuals/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	summary    = "/api/v1/variance/summary?year=2026&period=1&by=line"
)

// onslaughts are those that once ended the process. The answers take 10 MB each.
func onslaughts() []onslaught {
	whole := func(body string) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", ingestHead, len(body), body)
	}
	var keys strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&keys, `"k%07d":1,`, i)
	}
	const mebibyte = 1 << 20
	stalled := fmt.Sprintf("%sContent-Length: %d\r\n\r\n", ingestHead, mebibyte) + `{"x":"` + strings.Repeat("a", mebibyte-100)
	return []onslaught{
		{"stalled bodies", 1_500, stalled, false, true},
		{"bodies of 80,000 keys", 300, whole("{" + keys.String() + `"z":1}`), true, true},
		{"arrays of 340,000", 40, whole("[" + strings.Repeat("{},", 340_000) + "{}]"), true, true},
		{"clients that do not read 10 MB", 60, "GET " + summary + " HTTP/1.1\r\nHost: localhost\r\n\r\n", false, false},
	}
}

// storm is an onslaught that goes on.
type storm struct {
	onslaught
	calm   context.CancelFunc
	there  sync.WaitGroup
	coming atomic.Int64 // clients that have more to send, or wait for their answer to all of it

	mu       sync.Mutex
	outcomes map[string]int
}

// rage lets an onslaught begin.
func rage(t *testing.T, server *process, o onslaught) *storm {
	t.Helper()
	ctx, calm := context.WithCancel(t.Context())
	s := &storm{onslaught: o, calm: calm, outcomes: map[string]int{}}
	sent := []byte(o.sent)
	s.coming.Store(int64(o.clients))
	for range o.clients {
		s.there.Go(func() {
			outcome := s.come(ctx, strings.TrimPrefix(server.base, "http://"), sent)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.outcomes[outcome]++
		})
	}
	return s
}

// rages reports whether some have yet to do what they came for.
func (s *storm) rages() bool { return s.coming.Load() > 0 }

// end lets all go.
func (s *storm) end() {
	s.calm()
	s.there.Wait()
}

// come is one of the many. It stays until the storm ends or the server cuts it, and
// returns what it was told.
func (s *storm) come(ctx context.Context, addr string, sent []byte) (outcome string) {
	here := sync.OnceFunc(func() { s.coming.Add(-1) })
	defer here()
	d := net.Dialer{Timeout: patience}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "not let in"
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
