package api

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"

	"daybook/internal/api/gate"
	"daybook/internal/listing"
)

// listsAtOnce is how many short reads of lists run at once: enough to keep the processors busy. The
// store has more connections, which other short reads use.
func listsAtOnce() int { return max(4, runtime.NumCPU()) }

// list makes each short read of a handle wait for one of the few slots for lists. Clients take turns.
// The handle holds no slot while its client reads the response, so a list may be of any length.
// Unavailable: too many lists of the client wait for their first read.
func (a *api) list(h handle) handle {
	return func(c *request) error {
		defer drain(c)
		asked := c.Request
		c.Request = asked.WithContext(listing.WithTurns(asked.Context(), a.turnOf(c)))
		err := h(c)
		c.Request = asked
		return err
	}
}

// turnOf is the turn of one list. A list that has begun is never refused, since its response would
// be cut off. Unavailable: too many reads of the client wait.
func (a *api) turnOf(c *request) listing.Turn {
	var begun atomic.Bool
	client := c.client()
	return func(ctx context.Context) (release func(), err error) {
		most := 2 * a.mostWaiting() // short reads: two of each list
		if begun.Swap(true) {
			most = math.MaxInt
		}
		release, err = a.lists.Acquire(ctx, client, most)
		if errors.Is(err, gate.ErrManyWait) {
			err = noSlot(c, err)
		}
		return release, err
	}
}
