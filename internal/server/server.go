// Package server holds the connections: addresses, TLS, limits, draining. It knows
// nothing of what is served.
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

// Limits bound what a peer, and all of them together, may take.
type Limits struct {
	Connections int           // at once, over all listeners; for one more the one that is idle longest is closed, and one more waits while none is idle
	HeaderBytes int           // of a request's line and headers, more than 4096
	HeaderTime  time.Duration // for those to arrive, and for the handshake of TLS
	IdleTime    time.Duration // between two requests of a connection; less where more than half of the connections are open
	StallTime   time.Duration // for a peer to take 16 KiB of what it is sent; less as Patience says
	DrainTime   time.Duration // for requests in flight to end, once serving ends
}

// DefaultLimits are those of a server that was told nothing else. DrainTime is less
// than the ten seconds after which most supervisors kill.
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

// share is how many connections, and how many streams of HTTP/2, one peer may hold.
func (l Limits) share() int { return max(1, l.Connections/2) }

// Server serves a handler under limits.
type Server struct {
	Handler http.Handler
	Limits  Limits
	Pair    *Pair                 // nil = without TLS
	Proxies func(netip.Addr) bool // whether a peer speaks for many, and may hold more than half of the connections; nil = none
	Log     *slog.Logger

	connections atomic.Int64
	streams     atomic.Int64 // of HTTP/2
}

// Connections counts the connections that are open now.
func (s *Server) Connections() int { return int(s.connections.Load()) }

// leastPatience is how long a peer is waited for when there is no room for another. It keeps
// its connections then only while it takes 16 KiB a second on each, which a real client
// does; two peers that hold all 2048 connections so take 32 MiB a second.
const leastPatience = time.Second

// Patience is how long a peer may be waited for that may take so long where few are
// connected. It is less and less where more than half of the connections are open, or more
// than half of the streams of HTTP/2: peers that send or take little now and then would
// hold all of them otherwise.
func (s *Server) Patience(whole time.Duration) time.Duration {
	most := s.Limits.Connections
	return min(shortened(whole, leastPatience, int(s.connections.Load()), most), shortened(whole, leastPatience, int(s.streams.Load()), most))
}

// scarce reports whether more than half of the connections are open.
func (s *Server) scarce() bool { return 2*s.Connections() > s.Limits.Connections }

func (s *Server) stallTime() time.Duration { return s.Patience(s.Limits.StallTime) }

// Serve serves until ctx ends, then answers what is in flight and closes the listeners.
func (s *Server) Serve(ctx context.Context, listeners []net.Listener) error {
	places := newPlaces(s.Limits, &s.connections)
	failures := newSparingLog(s.Log, "more connections failed by what their peers sent than the log shows")
	defer failures.end()
	refusals := newSparingLog(s.Log, "more connections were refused to peers with too many than the log shows")
	defer refusals.end()
	web := s.web(places, failures)
	failed := make(chan error, len(listeners))
	for _, l := range s.bounded(listeners, places, refusals) {
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

// streams is how many requests one connection of HTTP/2 may have in flight. All such
// connections together may have as many as there may be connections, and those of one
// peer half as many.
const streams = 32

// The least that HTTP/2 allows: receiveBytes is what a connection holds of bodies that no
// handler reads, frameBytes the largest frame, for which it keeps a buffer.
const (
	receiveBytes = 64 << 10
	frameBytes   = 16 << 10
)

func (s *Server) web(places *places, failures *sparingLog) *http.Server {
	web := &http.Server{
		Handler:   s.steady(places),
		ConnState: places.note,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, connOf(c))
		},
		ReadHeaderTimeout: s.Limits.HeaderTime,
		WriteTimeout:      s.Limits.HeaderTime, // of what net/http answers itself: steady lifts it
		IdleTimeout:       s.Limits.IdleTime,
		MaxHeaderBytes:    s.Limits.HeaderBytes - headerSlack,
		// OPTIONS * is the handler's as well.
		DisableGeneralOptionsHandler: true,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          streams,
			MaxReceiveBufferPerConnection: receiveBytes,
			MaxReceiveBufferPerStream:     receiveBytes,
			MaxReadFrameSize:              frameBytes,
		},
		ErrorLog: log.New(peerLines{failures}, "", 0),
	}
	if s.Pair != nil {
		web.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.Pair.certificate}
	}
	return web
}

func (s *Server) serveOn(web *http.Server, l net.Listener) error {
	if s.Pair == nil {
		return web.Serve(l)
	}
	return web.ServeTLS(l, "", "") // the certificate is the configuration's
}

// bounded puts listeners under the limits, which they share.
func (s *Server) bounded(listeners []net.Listener, places *places, refusals *sparingLog) []net.Listener {
	bounded := make([]net.Listener, len(listeners))
	for i, l := range listeners {
		bounded[i] = &listener{
			Listener: l, places: places, from: s.peer, stall: s.stallTime,
			log: s.Log, full: refusals, closed: make(chan struct{}),
		}
	}
	return bounded
}

// peer is who holds the other end of a connection, as far as it has a share of them: an
// IPv4 address, or the 64 bits of an IPv6 address that one customer of a provider has.
// The zero value has none: this machine itself, a unix socket, a proxy.
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
