// Package server serves a handler over HTTP under limits: addresses, TLS, connections, draining.
//
// It must not know what is served.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"
)

// Limits bound what one peer, and all peers together, may use.
type Limits struct {
	Connections int           // at once, over all listeners; for one more, the one idle longest is closed; if none is idle, it waits
	HeaderBytes int           // of a request's line and headers, more than 4096
	HeaderTime  time.Duration // for these to arrive, and for the handshake of TLS
	IdleTime    time.Duration // between two requests of a connection
	StallTime   time.Duration // for a peer to read 16 KiB
	DrainTime   time.Duration // for running requests to end, after serving ends
}

// DefaultLimits are the limits by default. DrainTime is less than the ten seconds after which most
// supervisors kill a process.
func DefaultLimits() Limits {
	return Limits{
		Connections: 2048,
		HeaderBytes: 16 << 10,
		HeaderTime:  5 * time.Second,
		IdleTime:    60 * time.Second,
		StallTime:   30 * time.Second,
		DrainTime:   8 * time.Second,
	}
}

// share is how many connections one peer may hold.
func (l Limits) share() int { return max(1, l.Connections/2) }

// Server serves a handler under limits.
type Server struct {
	Handler http.Handler
	Limits  Limits
	KeyPair *KeyPair              // nil = without TLS
	Proxies func(netip.Addr) bool // whether a peer is a proxy, which may hold more than half of the connections; nil = none
	Log     *slog.Logger

	connections atomic.Int64
}

// Connections counts the connections that are open now.
func (s *Server) Connections() int { return int(s.connections.Load()) }

// Serve serves until ctx ends, then finishes the running requests and closes the listeners.
func (s *Server) Serve(ctx context.Context, listeners []net.Listener) error {
	pool := newPool(s.Limits, &s.connections)
	failures := newLimitedLog(s.Log, "more connections failed than the log shows, because of the data from their peers")
	defer failures.end()
	refused := newLimitedLog(s.Log, "more connections were refused to peers with too many than the log shows")
	defer refused.end()
	web := s.web(pool, failures)
	failed := make(chan error, len(listeners))
	for _, l := range s.bounded(listeners, pool, refused) {
		go func() { failed <- s.serveOn(web, l) }()
	}
	select {
	case err := <-failed:
		return errors.Join(err, web.Close())
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), s.Limits.DrainTime)
	defer cancel()
	if err := web.Shutdown(drain); err != nil {
		s.Log.Warn("clients that did not end their requests were cut off", "after", s.Limits.DrainTime)
		return web.Close()
	}
	return nil
}

// headerSlack is what net/http reads of headers beyond its own limit.
const headerSlack = 4096

// web is the server of net/http. It speaks only HTTP/1.1: a page needs one stream of events, and a proxy gives
// HTTP/2 to those who want it.
func (s *Server) web(pool *pool, failures *limitedLog) *http.Server {
	web := &http.Server{
		Handler:   s.begun(pool),
		ConnState: pool.note,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, connOf(c))
		},
		ReadHeaderTimeout: s.Limits.HeaderTime,
		IdleTimeout:       s.Limits.IdleTime,
		MaxHeaderBytes:    s.Limits.HeaderBytes - headerSlack,
		Protocols:         new(http.Protocols),
		// The handler responds to OPTIONS * too.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(peerLines{failures}, "", 0),
	}
	web.Protocols.SetHTTP1(true)
	if s.KeyPair != nil {
		web.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.KeyPair.certificate}
	}
	return web
}

// begun serves the handler, and tells the pool that a connection has a request.
func (s *Server) begun(pool *pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connKey{}).(*conn) // every connection is one
		if !pool.begin(c) {
			panic(http.ErrAbortHandler)
		}
		s.Handler.ServeHTTP(w, r)
	})
}

func (s *Server) serveOn(web *http.Server, l net.Listener) error {
	if s.KeyPair == nil {
		return web.Serve(l)
	}
	return web.ServeTLS(l, "", "") // the configuration has the certificate
}

// bounded puts listeners under the limits, which they share.
func (s *Server) bounded(listeners []net.Listener, pool *pool, refused *limitedLog) []net.Listener {
	bounded := make([]net.Listener, len(listeners))
	for i, l := range listeners {
		bounded[i] = &listener{
			Listener: l, pool: pool, from: s.peer, stall: s.Limits.StallTime,
			log: s.Log, full: refused, closed: make(chan struct{}),
		}
	}
	return bounded
}

// peer returns the other end of a connection, if it has a share of the connections: an IPv4 address, or
// the 64 bits of an IPv6 address that one customer of a provider has. The zero value has no share
// limit: this machine itself, a unix socket, a proxy.
func (s *Server) peer(of net.Addr) netip.Prefix {
	tcp, is := of.(*net.TCPAddr)
	if !is {
		return netip.Prefix{}
	}
	address := tcp.AddrPort().Addr().Unmap()
	if address.IsLoopback() || s.Proxies != nil && s.Proxies(address) {
		return netip.Prefix{}
	}
	bits := 64
	if address.Is4() {
		bits = 32
	}
	peer, err := address.Prefix(bits)
	if err != nil {
		panic(err) // every address has as many bits
	}
	return peer
}
