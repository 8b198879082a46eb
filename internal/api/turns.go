package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// turns are a few places that many clients share. A place that becomes free goes to the
// client that has the fewest, and of those to the one whose last turn is longest ago: a
// client with many requests waits behind its own, and holds no other up for longer.
type turns struct {
	mu      sync.Mutex
	free    int
	taken   int                // counts the places that were ever taken
	clients map[string]*client // those that have a place or wait for one
	waiting []*waiter          // the longest first
}

type client struct {
	name                string
	held, waiting, last int
}

type waiter struct {
	client *client
	turn   chan struct{} // closed when it has a place
}

func newTurns(places int) *turns { return &turns{free: places, clients: map[string]*client{}} }

// errManyWait means that too many requests of the client are waiting.
var errManyWait = errors.New("too many requests of this client wait already")

// take waits for a place. leave gives the place back, and may be called again. At most so many
// requests of a client wait: errManyWait for one more. Other errors are those of the context.
func (t *turns) take(ctx context.Context, of string, most int) (leave func(), err error) {
	t.mu.Lock()
	c := t.clients[of]
	if c == nil {
		c = &client{name: of}
		t.clients[of] = c
	}
	if t.free == 0 && c.waiting >= most {
		t.forget(c)
		t.mu.Unlock()
		return nil, errManyWait
	}
	w := &waiter{c, make(chan struct{})}
	c.waiting++
	t.waiting = append(t.waiting, w)
	t.grant()
	t.mu.Unlock()
	select {
	case <-w.turn:
	case <-ctx.Done():
		if t.giveUp(w) {
			return nil, ctx.Err()
		}
	}
	return sync.OnceFunc(func() { t.leave(c) }), nil
}

// grant gives the free places to those who wait.
func (t *turns) grant() {
	for ; t.free > 0 && len(t.waiting) > 0; t.free-- {
		next := slices.MinFunc(t.waiting, func(a, b *waiter) int {
			return cmp.Or(cmp.Compare(a.client.held, b.client.held), cmp.Compare(a.client.last, b.client.last))
		})
		t.waiting = slices.DeleteFunc(t.waiting, func(w *waiter) bool { return w == next })
		t.taken++
		c := next.client
		c.waiting--
		c.held++
		c.last = t.taken
		close(next.turn)
	}
}

// giveUp ends a wait. It reports false for a waiter that has its place already.
func (t *turns) giveUp(w *waiter) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, w)
	if i < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, i, i+1)
	w.client.waiting--
	t.forget(w.client)
	return true
}

func (t *turns) leave(c *client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.held--
	t.free++
	t.grant()
	t.forget(c)
}

// forget removes a client that neither has a place nor waits.
func (t *turns) forget(c *client) {
	if c.held == 0 && c.waiting == 0 {
		delete(t.clients, c.name)
	}
}
