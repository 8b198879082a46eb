package server

import (
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// steady serves the handler. It ends a stream of HTTP/2 whose peer takes too little for too
// long: many streams share a connection there, and a peer holds up one of them without
// holding up that. A stream costs what a connection costs, so there are as many in all, and
// as many of one peer, as there may be connections.
func (s *Server) steady(places *places) http.Handler {
	slots, refusals := newQuota(s.Limits, &s.streams), newQuota(s.Limits, new(atomic.Int64))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connKey{}).(*conn) // every connection is one
		if r.ProtoMajor == 2 {
			if !slots.take(c.from) {
				refuse(w, refusals, c.from)
				return
			}
			defer whenEnded(w, func() { slots.leave(c.from); places.end(c) })
		}
		control := http.NewResponseController(w)
		if !places.begin(c) || control.SetWriteDeadline(time.Time{}) != nil {
			panic(http.ErrAbortHandler)
		}
		if r.ProtoMajor != 2 {
			s.Handler.ServeHTTP(w, r)
			return
		}
		paced := &stream{ResponseWriter: w, control: control, conn: c, server: s}
		s.Handler.ServeHTTP(paced, r)
		if paced.wrote {
			paced.Flush() // what http2 holds back would wait for the peer without this bound
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
	defer whenEnded(w, func() { refusals.leave(peer) })
	w.Header().Set("Content-Length", "0")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// whenEnded calls then when the stream of an answer has ended. The frame that ends it goes
// out after its handler has returned, and waits for the peer like all others.
func whenEnded(w http.ResponseWriter, then func()) {
	notifier, _ := w.(http.CloseNotifier) //nolint:staticcheck // the context ends before that frame goes out; nothing else tells
	ended := notifier.CloseNotify()
	go func() {
		<-ended
		then()
	}()
}

// stream is a response whose every piece must be taken within the stall time. It has a
// deadline only while a piece waits to be taken: http2 resets a stream when its deadline
// passes, also where the peer has taken everything.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
	conn    *conn
	server  *Server
	wrote   bool
}

func (s *stream) Write(p []byte) (n int, err error) {
	s.wrote = true
	for piece := range slices.Chunk(p, pieceBytes) {
		var taken int
		err := s.inTime(func() (err error) {
			taken, err = s.ResponseWriter.Write(piece)
			return err
		})
		n += taken
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Flush sends what was written.
func (s *stream) Flush() { _ = s.inTime(s.control.Flush) } // the next Write says what is wrong

// inTime sends, and fails when the peer does not take it within the stall time. Where
// connections are scarce, the peer loses this one then: it would keep it with one stream
// after the other.
func (s *stream) inTime(send func() error) error {
	deadline := time.Now().Add(s.server.stallTime())
	if err := s.control.SetWriteDeadline(deadline); err != nil {
		return err
	}
	if err := send(); err != nil {
		if s.server.scarce() && !time.Now().Before(deadline) {
			_ = s.conn.Close() // its requests fail, as they would without this stream
		}
		return err
	}
	return s.control.SetWriteDeadline(time.Time{})
}

// Unwrap is for http.ResponseController.
func (s *stream) Unwrap() http.ResponseWriter { return s.ResponseWriter }
