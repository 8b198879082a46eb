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
	"sync/atomic"
	"time"
)

// Limits bound what a peer, and all of them together, may take.
type Limits struct {
	Connections int           // at once, over all listeners; one more waits until another ends
	HeaderBytes int           // of a request's line and headers, more than 4096
	HeaderTime  time.Duration // for those to arrive, and for the handshake of TLS
	IdleTime    time.Duration // between two requests of a connection
	StallTime   time.Duration // in which a peer takes nothing of what it is sent
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

// Server serves a handler under limits.
type Server struct {
	Handler http.Handler
	Limits  Limits
	Pair    *Pair // nil = without TLS
	Log     *slog.Logger

	connections atomic.Int64
}

// Connections counts the connections that are open now.
func (s *Server) Connections() int { return int(s.connections.Load()) }

// Serve serves until ctx ends, then answers what is in flight and closes the listeners.
func (s *Server) Serve(ctx context.Context, listeners []net.Listener) error {
	ended := make(chan struct{})
	defer close(ended)
	failures := newSparingLog(s.Log, "connections that failed by what their peers sent")
	defer failures.end()
	web := s.web(ended, failures)
	failed := make(chan error, len(listeners))
	for _, l := range s.bounded(listeners) {
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

// streams is how many requests one connection of HTTP/2 may have in flight.
const streams = 32

func (s *Server) web(ended <-chan struct{}, failures *sparingLog) *http.Server {
	web := &http.Server{
		Handler:           newApart(steady(s.Handler, s.Limits.StallTime), ended),
		ReadHeaderTimeout: s.Limits.HeaderTime,
		IdleTimeout:       s.Limits.IdleTime,
		MaxHeaderBytes:    s.Limits.HeaderBytes - headerSlack,
		// OPTIONS * is the handler's as well.
		DisableGeneralOptionsHandler: true,
		// A stream costs what a connection costs, and does not count as one.
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: streams},
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
func (s *Server) bounded(listeners []net.Listener) []net.Listener {
	slots := make(chan struct{}, s.Limits.Connections)
	bounded := make([]net.Listener, len(listeners))
	for i, l := range listeners {
		bounded[i] = &listener{Listener: l, slots: slots, open: &s.connections, stall: s.Limits.StallTime, log: s.Log, closed: make(chan struct{})}
	}
	return bounded
}
