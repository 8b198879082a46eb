package server

import (
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// boundStreams serves the handler. It ends a stream of HTTP/2 whose peer reads too little for too long,
// because a peer can stop one stream without stopping its connection. A stream costs as much as a
// connection, so the limits of connections, in all and of one peer, hold for streams too.
func (s *Server) boundStreams(pool *pool) http.Handler {
	slots, refused := newQuota(s.Limits, &s.streams), newQuota(s.Limits, new(atomic.Int64))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connKey{}).(*conn) // every connection is one
		multiplexed := isStream(r)
		if multiplexed {
			if !slots.take(c.from) {
				refuse(w, refused, c.from)
				return
			}
			defer whenEnded(w, func() { slots.leave(c.from); pool.end(c) })
		}
		control := http.NewResponseController(w)
		if !pool.begin(c) || control.SetWriteDeadline(time.Time{}) != nil {
			panic(http.ErrAbortHandler)
		}
		if !multiplexed {
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

// isStream reports a request of HTTP/2. The number in the request does not tell: net/http passes the preface
// of HTTP/2 on a connection of HTTP/1 to the handler as a request of HTTP/2.
func isStream(r *http.Request) bool { return r.TLS != nil && r.TLS.NegotiatedProtocol == "h2" }

// refuse responds 503 to a request that was not begun, so that its client may send it again. The response
// is headers only, which the peer cannot delay by the window of a stream. http2 cannot reset a stream
// as refused. The streams of a peer that does not read these responses are reset.
func refuse(w http.ResponseWriter, refused *quota, peer netip.Prefix) {
	if !refused.take(peer) {
		panic(http.ErrAbortHandler)
	}
	defer whenEnded(w, func() { refused.leave(peer) })
	w.Header().Set("Content-Length", "0")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// whenEnded calls then when the stream of a response has ended. Its last frame is sent after the handler
// has returned, and waits for the peer like all others.
func whenEnded(w http.ResponseWriter, then func()) {
	notifier, _ := w.(http.CloseNotifier) //nolint:staticcheck // the context ends before that frame goes out; nothing else tells
	ended := notifier.CloseNotify()
	go func() {
		<-ended
		then()
	}()
}

// stream is a response of which the peer must read each piece within the stall time. It has a deadline only
// while a piece is being sent, because http2 resets a stream at its deadline even if the peer has read
// everything.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
	conn    *conn
	server  *Server
	wrote   bool
	sending atomic.Pointer[byte] // another for each time that it sends, nil while it does not
}

// resetTime is how long a stream that is ended may take to send that.
const resetTime = time.Second

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
func (s *stream) Flush() { _ = s.inTime(s.control.Flush) } // the next Write returns the error

// SetWriteDeadline sets the deadline of what is being sent. One that has passed ends it: http2 resets the stream.
// A peer that does not read the connection holds up the reset too. Then the connection is closed.
func (s *stream) SetWriteDeadline(deadline time.Time) error {
	if sent := s.sending.Load(); sent != nil && !deadline.IsZero() && deadline.Before(time.Now()) {
		time.AfterFunc(resetTime, func() {
			if s.sending.Load() == sent {
				_ = s.conn.Close() // its other streams wait for the same peer too
			}
		})
	}
	return s.control.SetWriteDeadline(deadline)
}

// inTime sends, and fails if the peer does not read it within the stall time. If connections are scarce,
// it then closes the connection, which the peer would otherwise keep with one stream after another.
func (s *stream) inTime(send func() error) error {
	s.sending.Store(new(byte))
	defer s.sending.Store(nil)
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
