package server

import (
	"net/http"
	"net/netip"
	"slices"
	"time"
)

// steady ends a stream of HTTP/2 whose peer takes too little for too long. Many streams
// share a connection there, and a peer holds up one of them without holding up that. A
// stream costs what a connection costs, so there are as many in all, and as many of one
// peer, as there may be connections.
func steady(next http.Handler, limits Limits) http.Handler {
	slots, refusals := newQuota(limits), newQuota(limits)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			next.ServeHTTP(w, r)
			return
		}
		peer := peerOf(r)
		if !slots.take(peer) {
			refuse(w, refusals, peer)
			return
		}
		defer slots.leave(peer)
		s := &stream{ResponseWriter: w, control: http.NewResponseController(w), stall: limits.StallTime}
		next.ServeHTTP(s, r)
		if s.wrote {
			s.Flush() // what http2 holds back would wait for the peer without a slot
		}
	})
}

// refuse answers 503 to a request that is not begun, so that its client may send it again.
// The answer is headers only, which the peer cannot hold up with the window of a stream.
// http2 cannot reset a stream as refused. A peer that does not take its refusals has its
// streams reset.
func refuse(w http.ResponseWriter, refusals *quota, peer netip.Prefix) {
	if !refusals.take(peer) {
		panic(http.ErrAbortHandler)
	}
	defer refusals.leave(peer)
	w.Header().Set("Content-Length", "0")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = http.NewResponseController(w).Flush() // a peer that has gone needs no answer
}

// stream is a response whose every piece must be taken within the stall time.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	wrote   bool
}

func (s *stream) Write(p []byte) (n int, err error) {
	s.wrote = true
	for piece := range slices.Chunk(p, pieceBytes) {
		if err := s.control.SetWriteDeadline(time.Now().Add(s.stall)); err != nil {
			return n, err
		}
		taken, err := s.ResponseWriter.Write(piece)
		n += taken
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Flush sends what was written.
func (s *stream) Flush() { _ = s.control.Flush() } // the next Write says what is wrong

// Unwrap is for http.ResponseController.
func (s *stream) Unwrap() http.ResponseWriter { return s.ResponseWriter }
