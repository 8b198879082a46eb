package server

import "net/http"

// apart answers each request in a goroutine that is not its connection's, so that the
// stack of that stays small: half of what a connection that idles would take beside
// the buffers of net/http. An answer that says its length is sent from there too,
// because sending takes more stack than all that a connection does besides.
//
// A few of these goroutines stay for the next request when they have answered one, with
// the stack that they have grown: growing it is a tenth of a small request's work.
type apart struct {
	next   http.Handler
	asked  chan asked    // taken by a goroutine that stays
	stay   chan struct{} // holds an item for each that stays
	closed <-chan struct{}
}

// asked is a request, and where its answer goes.
type asked struct {
	w     http.ResponseWriter
	r     *http.Request
	ended chan any // takes what the handler panicked with
}

// mostStay is how many goroutines stay: more than a machine answers at once.
const mostStay = 64

func newApart(next http.Handler, closed <-chan struct{}) *apart {
	return &apart{next: next, asked: make(chan asked), stay: make(chan struct{}, mostStay), closed: closed}
}

func (a *apart) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := asked{w, r, make(chan any, 1)}
	select {
	case a.asked <- q:
	default:
		go a.answerFrom(q)
	}
	if p := <-q.ended; p != nil {
		panic(p) // net/http's to judge, as ever
	}
}

// answerFrom answers a request, and those that come after it while it may stay.
func (a *apart) answerFrom(q asked) {
	for {
		a.answer(q)
		select {
		case a.stay <- struct{}{}:
		default:
			return
		}
		select {
		case q = <-a.asked:
			<-a.stay
		case <-a.closed:
			return
		}
	}
}

func (a *apart) answer(q asked) {
	defer func() { q.ended <- recover() }()
	a.next.ServeHTTP(q.w, q.r)
	if q.r.ProtoMajor == 1 && q.w.Header().Get("Content-Length") != "" {
		_ = http.NewResponseController(q.w).Flush() // net/http notices a peer that has gone
	}
}
