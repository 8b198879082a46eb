// Package turns has the queue of the writer, in which clients take turns.
package turns

import (
	"sync"

	"daybook/internal/fault"
)

// Queue has the writes that wait for the writer. Their clients take turns: one with many writes, or with
// long ones, makes others wait for one batch at most. The writes of a client stay in their order.
type Queue[T any] struct {
	most      int
	mostOfOne int
	arrived   chan struct{} // has one while writes wait; closed at the end

	mu         sync.Mutex
	closed     bool
	length     int
	waiting    map[string][]T // by client
	turns      []string       // the clients with waiting writes, the next one first
	unanswered map[string]int // writes by client, with those that no longer wait
}

// New returns a queue for most writes in all. One client may have mostOfOne without an answer.
func New[T any](most, mostOfOne int) *Queue[T] {
	return &Queue[T]{
		most: most, mostOfOne: mostOfOne, arrived: make(chan struct{}, 1),
		waiting: map[string][]T{}, unanswered: map[string]int{},
	}
}

// Arrived receives when writes wait. It is closed when the queue is.
func (q *Queue[T]) Arrived() <-chan struct{} { return q.arrived }

// Add adds a write of a client. The caller calls Answered when that has its answer. Unavailable: too many
// wait, in all or of the client, or the queue is closed.
func (q *Queue[T]) Add(client string, one T) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return fault.New(fault.Unavailable, "the server is shutting down; nothing was stored")
	case q.unanswered[client] == q.mostOfOne:
		return fault.New(fault.Unavailable, "%d writes of this client are waiting already; try again", q.mostOfOne)
	case q.length == q.most:
		return fault.New(fault.Unavailable, "%d writes are waiting already; try again", q.most)
	}
	if len(q.waiting[client]) == 0 {
		q.turns = append(q.turns, client)
	}
	q.waiting[client] = append(q.waiting[client], one)
	q.unanswered[client]++
	q.length++
	q.tell()
	return nil
}

// Take returns the next write, false if none waits.
func (q *Queue[T]) Take() (one T, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.length == 0 {
		return one, false
	}
	client := q.turns[0]
	q.turns = q.turns[1:]
	own := q.waiting[client]
	one, own[0] = own[0], one // the slice would keep what the caller has
	if len(own) > 1 {
		q.waiting[client] = own[1:]
		q.turns = append(q.turns, client)
	} else {
		delete(q.waiting, client)
	}
	q.length--
	q.tell()
	return one, true
}

// tell tells that writes wait, if some do.
func (q *Queue[T]) tell() {
	if q.length == 0 || q.closed {
		return
	}
	select {
	case q.arrived <- struct{}{}:
	default:
	}
}

// Answered notes that a write of a client has its answer.
func (q *Queue[T]) Answered(client string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unanswered[client]--
	if q.unanswered[client] == 0 {
		delete(q.unanswered, client)
	}
}

// Len returns how many writes wait.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length
}

// Close refuses more writes. Those that wait can still be taken.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.arrived)
	}
}
