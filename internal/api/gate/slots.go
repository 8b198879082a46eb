package gate

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Slots lets a few requests of many clients work at once. A free slot goes to the client that
// holds the fewest, and among those to the one that got its last slot longest ago. So a client
// with many requests waits behind its own, and delays no other client for longer.
type Slots struct {
	mu      sync.Mutex
	free    int
	granted int                // counts the slots that were ever granted
	clients map[string]*holder // those that hold a slot or wait for one
	waiting []*waiter          // the longest wait first
}

type holder struct{ held, waiting, last int }

type waiter struct {
	client string
	turn   chan struct{} // closed when it has a slot
}

// NewSlots returns slots of which n are free.
func NewSlots(n int) *Slots { return &Slots{free: n, clients: map[string]*holder{}} }

// Acquire waits for a slot and returns the function that releases it, which may be called more
// than once. Its error is that of the context.
func (s *Slots) Acquire(ctx context.Context, client string) (release func(), err error) {
	w := &waiter{client, make(chan struct{})}
	s.mu.Lock()
	h := s.clients[client]
	if h == nil {
		h = &holder{}
		s.clients[client] = h
	}
	h.waiting++
	s.waiting = append(s.waiting, w)
	s.grant()
	s.mu.Unlock()
	select {
	case <-w.turn:
	case <-ctx.Done():
		if s.giveUp(w) {
			return nil, ctx.Err()
		}
	}
	return sync.OnceFunc(func() { s.release(client) }), nil
}

// grant gives the free slots to waiters.
func (s *Slots) grant() {
	for ; s.free > 0 && len(s.waiting) > 0; s.free-- {
		next := slices.MinFunc(s.waiting, func(a, b *waiter) int {
			first, second := s.clients[a.client], s.clients[b.client]
			return cmp.Or(cmp.Compare(first.held, second.held), cmp.Compare(first.last, second.last))
		})
		s.waiting = slices.DeleteFunc(s.waiting, func(w *waiter) bool { return w == next })
		s.granted++
		h := s.clients[next.client]
		h.waiting--
		h.held++
		h.last = s.granted
		close(next.turn)
	}
}

// giveUp ends a wait. It reports false if the waiter has its slot already.
func (s *Slots) giveUp(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.clients[w.client].waiting--
	s.forget(w.client)
	return true
}

func (s *Slots) release(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients[client].held--
	s.free++
	s.grant()
	s.forget(client)
}

// forget removes a client that neither holds a slot nor waits for one.
func (s *Slots) forget(client string) {
	if h := s.clients[client]; h.held == 0 && h.waiting == 0 {
		delete(s.clients, client)
	}
}
