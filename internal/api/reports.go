package api

import (
	"context"
	"errors"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// The bounds of reports, which may read all records.
const (
	reportsAtOnce = 4
	longestWait   = 30 * time.Second // for a slot
	places        = 2048             // the connections of a server by default
	longestReport = time.Minute
)

// report makes a handle that reads much wait for one of the few slots for reports.
func (a *api) report(h handle) handle { return a.limited(a.reports, h) }

// limited makes a handle wait for a slot. It holds the slot until it begins to respond: a client
// that reads slowly delays nobody, and only few requests hold the data of a response at once, which
// is several times as large as the response. Clients take turns. Unavailable: no slot became free
// in time, or the report took too long. Errors as passOver.
func (a *api) limited(slots *gate.Slots, h handle) handle {
	return func(c *request) error {
		if err := passOver(c); err != nil {
			return err
		}
		asked := c.Request
		release, err := a.acquire(c, slots)
		if err != nil {
			return err
		}
		defer release()
		c.slot = release
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

// acquire waits for a slot. Unavailable: no slot became free in time, or too many requests of the client wait.
func (a *api) acquire(c *request, slots *gate.Slots) (release func(), err error) {
	waiting, stop := context.WithTimeout(c.Request.Context(), longestWait)
	defer stop()
	release, err = slots.Acquire(waiting, c.client(), a.mostWaiting())
	return release, noSlot(c, err)
}

// mostWaiting is how many requests of one client may wait for a slot: an eighth of the connections, so that those
// that wait leave room for others.
func (a *api) mostWaiting() int { return max(1, a.Places/8) }

// noSlot is the error of a request that got no slot. It ends the connection, on which the client may
// have sent more such requests already.
func noSlot(c *request, err error) error {
	if err == nil {
		return nil
	}
	c.Header("Connection", "close")
	return fault.Wrap(fault.Unavailable, err, "many requests of this kind are being served already; try again")
}
