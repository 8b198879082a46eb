package api

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// The bounds of reports, which may read everything there is.
const (
	reportsAtOnce = 4
	longestTurn   = 30 * time.Second // the longest wait for a place
	mostInLine    = 256              // requests of one client that wait
	longestReport = time.Minute
)

// placeKey is where a request keeps what gives its place among the reports back.
const placeKey = "daybook.place"

// report makes a handle that reads much take one of the few places for reports.
func (a *api) report(h handle) handle { return a.readAmongFew(a.reports, h) }

// readAmongFew makes a handle take one of few places. It has the place until it begins to
// answer: a client that takes its answer slowly holds nobody up, and what the answer is
// made of, which is several times its bytes, is held for few at once. Clients take turns. Unavailable: no
// place became free in time, or the report took too long. Errors as those of passOver.
func (a *api) readAmongFew(places *turns, h handle) handle {
	return func(c *gin.Context) error {
		if err := passOver(c); err != nil {
			return err
		}
		asked := c.Request
		leave, err := a.place(c, places)
		if err != nil {
			return err
		}
		defer leave()
		c.Set(placeKey, leave)
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

// place takes one of few places. Where many are connected, fewer requests of a client wait, and
// they wait less long. A request that gets no place ends its connection, since its client may have sent
// more of the kind on it. Unavailable: no place became free in time, or too many requests of the client wait.
func (a *api) place(c *gin.Context, places *turns) (leave func(), err error) {
	longest := a.Patience(longestTurn)
	waiting, stop := context.WithTimeout(c.Request.Context(), longest)
	defer stop()
	leave, err = places.take(waiting, a.sharerOf(c), a.inLine(mostInLine))
	return leave, crowdedOut(c, err)
}

// inLine is how many requests of a client may wait now, where most may wait while few are connected.
func (a *api) inLine(most int) int {
	return int(time.Duration(most) * a.Patience(longestTurn) / longestTurn)
}

// crowdedOut is the refusal of a request that got no place.
func crowdedOut(c *gin.Context, err error) error {
	if err == nil {
		return nil
	}
	if c.Request.ProtoMajor == 1 { // over HTTP/2 it would end others
		c.Header("Connection", "close")
	}
	return fault.Wrap(fault.Unavailable, err, "many answers of this kind are being made already; try again")
}

// leavePlace gives the place of a report back, if the request has one.
func leavePlace(c *gin.Context) {
	if kept, has := c.Get(placeKey); has {
		leave, _ := kept.(func()) // nothing else is kept there
		leave()
	}
}
