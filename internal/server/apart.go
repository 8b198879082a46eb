package server

import "net/http"

// apart answers each request in a goroutine of its own, whose stack goes with it, so
// that the one of the connection stays small: half of what a connection that idles would
// take beside the buffers of net/http. An answer that says its length is sent from there
// too, because sending takes more stack than all that a connection does besides.
func apart(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ended := make(chan any, 1) // takes what the handler panicked with
		go func() {
			defer func() { ended <- recover() }()
			next.ServeHTTP(w, r)
			if r.ProtoMajor == 1 && w.Header().Get("Content-Length") != "" {
				_ = http.NewResponseController(w).Flush() // net/http notices a peer that has gone
			}
		}()
		if p := <-ended; p != nil {
			panic(p) // net/http's to judge, as ever
		}
	})
}
