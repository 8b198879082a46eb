package api

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// The bounds of reports, which may read all records.
const (
	reportsAtOnce = 4
	longestWait   = 30 * time.Second // for a slot
	mostWaiting   = 256              // requests of one client, for a slot
	longestReport = time.Minute
)

// slotKey is where a request keeps the function that releases its slot.
const slotKey = "daybook.slot"

// report makes a handle that reads much wait for one of the few slots for reports.
func (a *api) report(h handle) handle { return a.limited(a.reports, h) }

// limited makes a handle wait for a slot. It holds the slot until it begins to respond: a client
// that reads slowly delays nobody, and only few requests hold the data of a response at once, which
// is several times as large as the response. Clients take turns. Unavailable: no slot became free
// in time, or the report took too long. Errors as passOver.
func (a *api) limited(slots *gate.Slots, h handle) handle {
	return func(c *gin.Context) error {
		if err := passOver(c); err != nil {
			return err
		}
		asked := c.Request
		release, err := a.acquire(c, slots)
		if err != nil {
			return err
		}
		defer release()
		c.Set(slotKey, release)
		reading, end := context.WithTimeout(asked.Context(), longestReport)
		defer end()
		c.Request = asked.WithContext(reading)
		err = h(c)
		c.Request = asked
		if fault.KindOf(err) == fault.Unavailable && errors.Is(reading.Err(), context.DeadlineExceeded) {
			return fault.Wrap(fault.Unavailable, err, "the report took longer than %s; ask for less at once, or try again later", longestReport)
		}
		return err
	}
}

// acquire waits for a slot. Where many clients are connected, fewer requests of a client wait, and
// for a shorter time. Unavailable: no slot became free in time, or too many requests of the client wait.
func (a *api) acquire(c *gin.Context, slots *gate.Slots) (release func(), err error) {
	waiting, stop := context.WithTimeout(c.Request.Context(), a.Patience(longestWait))
	defer stop()
	release, err = slots.Acquire(waiting, a.gate.Sharer(c.Request), a.mayWait(mostWaiting))
	return release, noSlot(c, err)
}

// mayWait is how many of most requests may wait now: fewer where many clients are connected.
func (a *api) mayWait(most int) int {
	return int(time.Duration(most) * a.Patience(longestWait) / longestWait)
}

// noSlot is the error of a request that got no slot. It ends the connection, on which the client may
// have sent more such requests already.
func noSlot(c *gin.Context, err error) error {
	if err == nil {
		return nil
	}
	endConnection(c)
	return fault.Wrap(fault.Unavailable, err, "many requests of this kind are being served already; try again")
}

// endConnection closes the connection after the answer. A connection of HTTP/2 stays, because other
// requests are on it.
func endConnection(c *gin.Context) {
	if c.Request.ProtoMajor == 1 {
		c.Header("Connection", "close")
	}
}

// releaseSlot releases the slot of a request, if it has one.
func releaseSlot(c *gin.Context) {
	if kept, has := c.Get(slotKey); has {
		release, _ := kept.(func()) // nothing else is kept there
		release()
	}
}
