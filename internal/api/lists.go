package api

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/gin-gonic/gin"

	"daybook/internal/listing"
)

// listsAtOnce is how many short reads of lists are made at once: as many as the processors
// have work for. The store has connections for more, which other short reads use.
func listsAtOnce() int { return max(4, runtime.NumCPU()) }

// list makes each short read of a handle take one of few places. Clients take turns. The
// handle has no place while its client takes the answer, so a list may be as long as it likes.
// Unavailable: too many lists of the client wait for their first read. It ends the connection,
// on which more may have been sent already.
func (a *api) list(h handle) handle {
	return func(c *gin.Context) error {
		asked := c.Request
		c.Request = asked.WithContext(listing.WithTurns(asked.Context(), a.turnOf(a.sharerOf(c))))
		err := h(c)
		c.Request = asked
		if errors.Is(err, errManyWait) {
			err = crowdedOut(c, err)
		}
		return err
	}
}

// mostReadsInLine is how many short reads of lists of one client may wait: two of each list.
const mostReadsInLine = 2 * mostInLine

// turnOf is the turn of one list. Once the list has begun it is never refused, since its
// answer would be cut.
func (a *api) turnOf(client string) listing.Turn {
	var begun atomic.Bool
	return func(ctx context.Context) (leave func(), err error) {
		most := a.inLine(mostReadsInLine)
		if begun.Swap(true) {
			most = math.MaxInt
		}
		return a.lists.take(ctx, client, most)
	}
}
