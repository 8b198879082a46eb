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

// acquire waits for a slot. Unavailable: none became free in time.
func (a *api) acquire(c *gin.Context, slots *gate.Slots) (release func(), err error) {
	waiting, stop := context.WithTimeout(c.Request.Context(), longestWait)
	defer stop()
	release, err = slots.Acquire(waiting, a.gate.Sharer(c.Request))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "%d requests of this kind are being served already; try again", reportsAtOnce)
	}
	return release, nil
}

// releaseSlot releases the slot of a request, if it has one.
func releaseSlot(c *gin.Context) {
	if kept, has := c.Get(slotKey); has {
		release, _ := kept.(func()) // nothing else is kept there
		release()
	}
}
