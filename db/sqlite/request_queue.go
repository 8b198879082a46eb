package sqlite

import (
	"sync"

	"daybook/internal/fault"
	"daybook/internal/journal"
)

// requestQueue has the requests that wait for the writer. Their actors take turns: one with many requests, or
// with long ones, makes others wait for one batch at most. The requests of an actor stay in their order.
type requestQueue struct {
	arrived chan struct{} // has one while requests wait; closed at the end

	mu         sync.Mutex
	closed     bool
	length     int
	waiting    map[string][]*request // by actor
	turns      []string              // the actors with waiting requests, the next one first
	unanswered map[string]int        // requests by actor, with those that no longer wait
}

func newRequestQueue() *requestQueue {
	return &requestQueue{arrived: make(chan struct{}, 1), waiting: map[string][]*request{}, unanswered: map[string]int{}}
}

// add adds a request. Its caller calls answered when it has the answer. Unavailable: too many requests
// wait, in all or of the same actor, or the queue is closed.
func (q *requestQueue) add(r *request) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	actor := r.actor()
	switch {
	case q.closed:
		return fault.New(fault.Unavailable, "the server is shutting down; nothing was stored")
	case q.unanswered[actor] == mostOfOne:
		return fault.New(fault.Unavailable, "%d writes of this client are waiting already; try again", mostOfOne)
	case q.length == mostWaiting:
		return fault.New(fault.Unavailable, "%d writes are waiting already; try again", mostWaiting)
	}
	if len(q.waiting[actor]) == 0 {
		q.turns = append(q.turns, actor)
	}
	q.waiting[actor] = append(q.waiting[actor], r)
	q.unanswered[actor]++
	q.length++
	q.tell()
	return nil
}

// take returns the next request, nil if none waits.
func (q *requestQueue) take() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.length == 0 {
		return nil
	}
	actor := q.turns[0]
	q.turns = q.turns[1:]
	own := q.waiting[actor]
	r := own[0]
	if own[0] = nil; len(own) > 1 { // the slice would keep what the caller has
		q.waiting[actor] = own[1:]
		q.turns = append(q.turns, actor)
	} else {
		delete(q.waiting, actor)
	}
	q.length--
	q.tell()
	return r
}

// tell wakes the writer if requests wait.
func (q *requestQueue) tell() {
	if q.length == 0 || q.closed {
		return
	}
	select {
	case q.arrived <- struct{}{}:
	default:
	}
}

// answered notes that the caller of a request has its answer.
func (q *requestQueue) answered(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	actor := r.actor()
	q.unanswered[actor]--
	if q.unanswered[actor] == 0 {
		delete(q.unanswered, actor)
	}
}

// len returns how many requests wait.
func (q *requestQueue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length
}

// close refuses more requests. Those that wait can still be taken.
func (q *requestQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.arrived)
	}
}

// actor names the client of a request.
func (r *request) actor() string { return journal.OriginOf(r.ctx).Actor }
