package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestStreamsOfOnePeer: a peer that reads no response, or sends long requests, holds at most half of
// the streams of HTTP/2. Another peer gets responses. A proxy may hold all of them.
func TestStreamsOfOnePeer(t *testing.T) {
	const most = 8
	for _, c := range []struct {
		name, addr string
		busy       bool // the requests are long; otherwise their answers are not read
		begun      int
	}{
		{"long requests", "192.0.2.1", true, most / 2},
		{"answers not taken", "192.0.2.1", false, most / 2},
		{"long requests of a proxy", "198.51.100.7", true, most},
		{"answers not taken by a proxy", "198.51.100.7", false, most},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var begun atomic.Int64
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					begun.Add(1)
					if c.busy && r.URL.Path == "/held" {
						<-release
					}
					_, _ = io.WriteString(w, "hello")
				})
				callers := newCallers()
				s := &Server{Handler: handler, Limits: DefaultLimits()}
				s.Limits.Connections = most
				s.Proxies = func(a netip.Addr) bool { return a == netip.MustParseAddr("198.51.100.7") }
				_, trust := startTLSOn(t, s, callers)
				defer close(release)
				statuses := holdStreams(t, callers.from(t, c.addr), trust, most)
				synctest.Wait()
				if got := begun.Load(); got != int64(c.begun) {
					t.Errorf("got %d requests begun, want %d", got, c.begun)
				}
				refused := 0
				for len(statuses) > 0 {
					if <-statuses == "503" {
						refused++
					}
				}
				if want := most - c.begun; refused != want {
					t.Errorf("got %d requests refused, want %d", refused, want)
				}
				if c.begun == most {
					return
				}
				dial := func(context.Context, string, string) (net.Conn, error) {
					return callers.from(t, "203.0.113.1"), nil
				}
				other := clientOf(t, &http.Transport{DialContext: dial, TLSClientConfig: trust, ForceAttemptHTTP2: true})
				if got, want := statusOf(t.Context(), other), http.StatusOK; got != want {
					t.Errorf("another peer: got %d, want %d", got, want)
				}
			})
		})
	}
}

// holdStreams requests /held on many streams of a stalledClient. The channel receives the status of each
// response.
func holdStreams(t *testing.T, l *line, trust *tls.Config, many int) (statuses chan string) {
	t.Helper()
	c := newStalledClient(t, l, trust, many)
	for range many {
		if err := c.ask(headers(t, "/held")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	return c.statuses
}
