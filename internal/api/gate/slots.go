package gate

import (
	"cmp"
	"context"
	"errors"
	"maps"
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
	clients map[string]*holder // those that hold a slot or wait for one, and others while anybody waits
	waiting []*waiter          // the longest wait first
}

type holder struct{ held, waiting, last int }

type waiter struct {
	holder *holder
	turn   chan struct{} // closed when it has a slot
}

// NewSlots returns slots of which n are free.
func NewSlots(n int) *Slots { return &Slots{free: n, clients: map[string]*holder{}} }

// ErrManyWait is the error of a client that has too many requests waiting.
var ErrManyWait = errors.New("too many requests of this client are waiting already")

// Acquire waits for a slot and returns the function that releases it, which may be called more
// than once. No more than most requests of a client wait. Its error is ErrManyWait, or that of the
// context.
func (s *Slots) Acquire(ctx context.Context, client string, most int) (release func(), err error) {
	s.mu.Lock()
	h := s.clients[client]
	if h == nil {
		h = &holder{}
		s.clients[client] = h
	}
	if s.free == 0 && h.waiting >= most {
		s.mu.Unlock()
		return nil, ErrManyWait
	}
	w := &waiter{h, make(chan struct{})}
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
	return sync.OnceFunc(func() { s.release(h) }), nil
}

// grant gives the free slots to waiters.
func (s *Slots) grant() {
	for ; s.free > 0 && len(s.waiting) > 0; s.free-- {
		next := slices.MinFunc(s.waiting, func(a, b *waiter) int {
			return cmp.Or(cmp.Compare(a.holder.held, b.holder.held), cmp.Compare(a.holder.last, b.holder.last))
		})
		s.waiting = slices.DeleteFunc(s.waiting, func(w *waiter) bool { return w == next })
		s.granted++
		h := next.holder
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
	w.holder.waiting--
	s.forget()
	return true
}

func (s *Slots) release(h *holder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.held--
	s.free++
	s.grant()
	s.forget()
}

// mostRemembered is how many clients are remembered that neither hold a slot nor wait for one.
const mostRemembered = 4096

// forget removes the clients that neither hold a slot nor wait for one. While somebody waits they are
// remembered: a client that asks again and again, one request at a time, would seem new each time, and
// get every slot before a client whose next request waits already.
func (s *Slots) forget() {
	if len(s.waiting) > 0 && len(s.clients) < mostRemembered {
		return
	}
	maps.DeleteFunc(s.clients, func(_ string, h *holder) bool { return h.held == 0 && h.waiting == 0 })
}
