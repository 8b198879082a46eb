package api

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"

	"daybook/internal/access"
	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// breathEvery is how often a stream of events says that it is alive: before a peer that
// takes nothing is cut off, and often enough for proxies.
const breathEvery = 15 * time.Second

// changeBody says how far the journal has come, and which kinds of records changed since
// the event before. Hash is of that entry, as the journal of a restored database may have
// another one under the same number.
type changeBody struct {
	Seq      journal.Seq      `json:"seq"`
	Hash     string           `json:"hash"`
	Entities []journal.Entity `json:"entities"`
}

func changeAt(head journal.Head, entities []journal.Entity) changeBody {
	return changeBody{head.Seq, head.Hash.String(), entities}
}

// events answers a stream of server-sent events (HTML standard, "Server-sent events") that
// says where the journal is, and then each time that it moves. It ends with the server,
// with its client, and when its token is no longer valid.
func (a *api) events(c *gin.Context) error {
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no") // nginx would keep what it has until there is more
	if c.Request.Method == http.MethodHead {
		c.Status(http.StatusOK)
		return nil
	}
	l, first, err := a.join(c)
	if fault.KindOf(err) == gate.TooMany {
		c.Header("Retry-After", strconv.Itoa(int(breathEvery.Seconds()))) // by then a client that has gone is noticed
	}
	if err != nil {
		return err
	}
	defer a.watch.leave(l)
	c.Status(http.StatusOK)
	breath := time.NewTicker(breathEvery)
	defer breath.Stop()
	for say := event(first); ; {
		if _, err := c.Writer.Write(say); err != nil {
			return nil // the client has gone
		}
		c.Writer.Flush()
		select {
		case moved := <-l.changes:
			say = event(moved)
		case <-breath.C:
			say = []byte(":\n\n")
		case <-c.Request.Context().Done():
			return nil
		case <-a.Ending:
			return nil
		}
		if a.gate.StillAuthorized(c.Writer, c.Request, access.Read) != nil {
			return nil // the client asks again and gets the error
		}
	}
}

// join makes a client a listener. One that is refused has read nothing. Errors as those of
// the watch, and of place.
func (a *api) join(c *gin.Context) (*listener, changeBody, error) {
	l, err := a.watch.enter(a.gate.Sharer(c.Request))
	if err != nil {
		return nil, changeBody{}, err
	}
	first, err := a.catchUp(c, l)
	if err != nil {
		a.watch.leave(l)
		return nil, changeBody{}, err
	}
	return l, first, nil
}

// catchUp begins to tell a listener of changes. To tell it what it missed reads as much of the
// journal as a page does, so it takes one of the places for pages.
func (a *api) catchUp(c *gin.Context, l *listener) (changeBody, error) {
	seen := lastSeen(c)
	if seen != nil {
		release, err := a.acquire(c, a.pages)
		if err != nil {
			return changeBody{}, err
		}
		defer release()
	}
	return a.watch.join(c.Request.Context(), l, seen)
}

// lastSeen is the event that a client saw last, as a browser says when it comes again; nil
// where it says nothing of sense.
func lastSeen(c *gin.Context) *journal.Seq {
	n, err := strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64)
	if err != nil {
		return nil
	}
	return new(journal.Seq(n))
}

// event is a change on the wire. Its id is what a browser says when it comes again.
func event(change changeBody) []byte {
	data, err := json.Marshal(change)
	if err != nil {
		panic(err) // a number and some words
	}
	var b bytes.Buffer
	b.WriteString("id: " + strconv.FormatInt(int64(change.Seq), 10) + "\nevent: changed\ndata: ")
	b.Write(data)
	b.WriteString("\n\n")
	return b.Bytes()
}
