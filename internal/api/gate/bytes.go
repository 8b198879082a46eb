package gate

import (
	"container/list"
	"sync"
	"time"

	"daybook/internal/fault"
)

// Bytes bounds the memory that all requests together hold for one purpose, such as bodies that
// are arriving. When none is left, a request that needs bytes gets those of a request of the client that
// holds most: of one that waits for that client, or else of one that can be ended at any time.
type Bytes struct {
	most     int64
	patience time.Duration // how long a wait is safe from other clients that hold as many
	full     string        // the message for a request that gets none

	mu      sync.Mutex // guards what follows, and the reservations
	held    int64
	clients map[string]int64 // what each client holds
	waiting list.List        // of *Reservation, the longest wait first
	open    list.List        // of *Reservation, those that can be ended at any time, the oldest first
}

// NewBytes returns an empty bound of most bytes. A request that gets none fails with the
// message full.
func NewBytes(most int64, patience time.Duration, full string) *Bytes {
	return &Bytes{most: most, patience: patience, full: full, clients: map[string]int64{}}
}

// Reservation is what one request holds. One goroutine at a time uses it.
type Reservation struct {
	bytes    *Bytes
	client   string
	end      func()        // makes the wait for the client fail; called at most once, must not block
	stop     func()        // the same for everything else that the request does; nil: it is ended only while it waits
	gone     chan struct{} // closed when the reservation is released
	held     int64
	place    *list.Element // in bytes.waiting; nil while the request does not wait
	opened   *list.Element // in bytes.open
	since    time.Time     // when the wait began
	ended    bool          // the request was ended for another
	released bool
}

// Reserve returns an empty reservation for a request of a client. The function end makes the
// wait for the client fail. The function stop does so with everything else that the request does; it is nil
// for a request that can be ended only while it waits.
func (b *Bytes) Reserve(client string, end, stop func()) *Reservation {
	return &Reservation{bytes: b, client: client, end: end, stop: stop, gone: make(chan struct{})}
}

// Most is the bound.
func (b *Bytes) Most() int64 { return b.most }

// Held is what the reservation holds.
func (r *Reservation) Held() int64 { return r.held }

// Grow adds bytes to a reservation. Unavailable: none are left, and no other request may be
// ended for this one; or this one was ended for another.
func (r *Reservation) Grow(n int) error {
	for {
		ended, grown := r.tryToGrow(int64(n))
		switch {
		case grown:
			return nil
		case ended == nil:
			return fault.New(fault.Unavailable, "%s", r.bytes.full)
		}
		<-ended.gone
	}
}

// tryToGrow adds bytes if enough are left. If not, it ends another request and returns its
// reservation, which will be released soon.
func (r *Reservation) tryToGrow(n int64) (ended *Reservation, grown bool) {
	b := r.bytes
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.ended {
		return nil, false
	}
	if b.held+n <= b.most {
		r.count(n)
		if r.stop != nil && r.opened == nil {
			r.opened = b.open.PushBack(r)
		}
		return nil, true
	}
	switch ended = b.toEnd(r, n); {
	case ended == nil:
		return nil, false
	case ended.place != nil:
		b.waiting.Remove(ended.place)
		ended.place = nil
		ended.end()
	default:
		ended.stop()
	}
	ended.ended = true
	ended.leaveOpen()
	return ended, false
}

// leaveOpen takes a reservation out of those that can be ended at any time. The caller holds the lock.
func (r *Reservation) leaveOpen() {
	if r.opened != nil {
		r.bytes.open.Remove(r.opened)
		r.opened = nil
	}
}

// toEnd returns the request to end so that r can grow by n bytes, or nil: one of the client that holds most,
// of all clients with a request that may be ended. Of its requests it is the one that has waited longest for
// the client, or if none waits, the newest that can be ended at any time.
//
// A request may be ended if its client would hold at least as many as r's client even without it. One that waits
// may also be ended if its client holds at least as many now and the request has waited for the patience. The patience
// keeps two clients from ending each other's requests in turn.
func (b *Bytes) toEnd(r *Reservation, n int64) (toEnd *Reservation) {
	holds, most := b.clients[r.client], int64(-1)
	for e := b.waiting.Front(); e != nil; e = e.Next() {
		waits, _ := e.Value.(*Reservation) // the list holds nothing else
		other := b.clients[waits.client]
		mayEnd := other-waits.held >= holds+n || other >= holds && time.Since(waits.since) >= b.patience
		if mayEnd && other > most {
			toEnd, most = waits, other
		}
	}
	for e := b.open.Back(); e != nil; e = e.Prev() {
		open, _ := e.Value.(*Reservation) // the list holds nothing else
		if other := b.clients[open.client]; open.place == nil && other-open.held >= holds+n && other > most {
			toEnd, most = open, other
		}
	}
	return toEnd
}

// count adds n bytes to a reservation. The caller holds the lock.
func (r *Reservation) count(n int64) {
	r.held += n
	r.bytes.held += n
	r.bytes.clients[r.client] += n
	if r.bytes.clients[r.client] == 0 {
		delete(r.bytes.clients, r.client)
	}
}

// Shrink returns n bytes.
func (r *Reservation) Shrink(n int) {
	r.bytes.mu.Lock()
	defer r.bytes.mu.Unlock()
	r.count(-int64(n))
}

// BeginWait says that the request waits for its client from now on. It reports whether the request may: not
// if it was ended for another.
func (r *Reservation) BeginWait() bool {
	r.bytes.mu.Lock()
	defer r.bytes.mu.Unlock()
	if r.ended {
		return false
	}
	r.since = time.Now()
	r.place = r.bytes.waiting.PushBack(r)
	return true
}

// EndWait says that the wait is over. It reports whether the request may go on: it may not if
// it was ended for another.
func (r *Reservation) EndWait() bool {
	r.bytes.mu.Lock()
	defer r.bytes.mu.Unlock()
	if r.place != nil {
		r.bytes.waiting.Remove(r.place)
		r.place = nil
	}
	return !r.ended
}

// Ended reports whether the request was ended for another.
func (r *Reservation) Ended() bool {
	r.bytes.mu.Lock()
	defer r.bytes.mu.Unlock()
	return r.ended
}

// Release returns all bytes. Only the first call counts.
func (r *Reservation) Release() {
	r.bytes.mu.Lock()
	defer r.bytes.mu.Unlock()
	if r.released {
		return
	}
	r.released = true
	r.leaveOpen()
	r.count(-r.held)
	close(r.gone)
}
