package api

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/gin-gonic/gin"

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
	return func(c *gin.Context) error {
		defer drain(c)
		asked := c.Request
		ctx, stop := context.WithCancel(asked.Context())
		defer stop()
		c.Set(stopKey, stop)
		c.Request = asked.WithContext(listing.WithTurns(ctx, a.turnOf(c)))
		err := h(c)
		c.Request = asked
		return err
	}
}

// stopKey is where a request for a list keeps the function that ends its reading.
const stopKey = "daybook.stop"

// stopOf returns the function that ends the reading of a list. It does nothing for another request.
func stopOf(c *gin.Context) func() {
	if kept, has := c.Get(stopKey); has {
		stop, _ := kept.(context.CancelFunc) // nothing else is kept there
		return stop
	}
	return func() {}
}

// mostReadsWaiting is how many short reads of lists of one client may wait: two of each list.
const mostReadsWaiting = 2 * mostWaiting

// turnOf is the turn of one list. A list that has begun is never refused, since its response would
// be cut off. Unavailable: too many reads of the client wait.
func (a *api) turnOf(c *gin.Context) listing.Turn {
	var begun atomic.Bool
	client := a.gate.Sharer(c.Request)
	return func(ctx context.Context) (release func(), err error) {
		most := a.mayWait(mostReadsWaiting)
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
