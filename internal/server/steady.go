package server

import (
	"net/http"
	"slices"
	"time"
)

// steady ends a stream of HTTP/2 whose peer takes too little for too long. Many streams
// share a connection there, and a peer holds up one of them without holding up that. A
// stream costs what a connection costs, so there are as many in all as there may be
// connections; one more is reset at once, because an answer would have to be taken.
func steady(next http.Handler, limits Limits) http.Handler {
	slots := make(chan struct{}, limits.Connections)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 2 {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			default:
				panic(http.ErrAbortHandler)
			}
			w = &stream{ResponseWriter: w, control: http.NewResponseController(w), stall: limits.StallTime}
		}
		next.ServeHTTP(w, r)
	})
}

// stream is a response whose every piece must be taken within the stall time.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
}

func (s *stream) Write(p []byte) (n int, err error) {
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
