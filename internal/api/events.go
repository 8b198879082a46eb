package api

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"daybook/internal/access"
	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// keepAliveEvery is how often a stream sends a comment: before a client that reads nothing is cut off,
// and often enough for proxies.
const keepAliveEvery = 15 * time.Second

// changeBody is the head of the journal, and which kinds of records changed since the event before.
// After a restore the journal may have another entry under the same number, so it has the hash too.
type changeBody struct {
	Seq      journal.Seq      `json:"seq"`
	Hash     string           `json:"hash"`
	Entities []journal.Entity `json:"entities"`
}

func changeAt(head journal.Head, entities []journal.Entity) changeBody {
	return changeBody{head.Seq, head.Hash.String(), entities}
}

// events responds with a stream of server-sent events (HTML standard, "Server-sent events"): the head
// of the journal, and then each change of it. The stream ends with the server, with the client, and
// when its token is no longer valid.
func (a *api) events(c *request) error {
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no") // nginx would buffer the events
	if c.Request.Method == http.MethodHead {
		c.Status(http.StatusOK)
		return nil
	}
	l, first, err := a.join(c)
	if fault.KindOf(err) == gate.TooMany {
		c.Header("Retry-After", strconv.Itoa(int(keepAliveEvery.Seconds()))) // by then a client that has gone is noticed
	}
	if err != nil {
		return err
	}
	defer a.watch.leave(l)
	c.Status(http.StatusOK)
	keepAlive := time.NewTicker(keepAliveEvery)
	defer keepAlive.Stop()
	for next := event(first); ; {
		if _, err := c.Writer.Write(next); err != nil {
			return nil // the client has gone
		}
		c.Writer.Flush()
		select {
		case moved := <-l.changes:
			next = event(moved)
		case <-keepAlive.C:
			next = []byte(":\n\n")
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

// join makes a client a subscriber. A client that is refused has read nothing. Errors as those of the
// watch, and of acquire.
func (a *api) join(c *request) (*subscriber, changeBody, error) {
	l, err := a.watch.enter(c.client())
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

// catchUp starts a subscription. To find what a client missed it reads as much of the journal as a page
// does, so it needs a slot for pages.
func (a *api) catchUp(c *request, l *subscriber) (changeBody, error) {
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

// lastSeen is the event that a client saw last, which a browser sends when it reconnects; nil if it
// sends nothing valid.
func lastSeen(c *request) *journal.Seq {
	n, err := strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64)
	if err != nil {
		return nil
	}
	return new(journal.Seq(n))
}

// event is a change as it is sent. A browser sends its id when it reconnects.
func event(change changeBody) []byte {
	data, err := json.Marshal(change)
	if err != nil {
		panic(err) // it is a number and some words
	}
	var b bytes.Buffer
	b.WriteString("id: " + strconv.FormatInt(int64(change.Seq), 10) + "\nevent: changed\ndata: ")
	b.Write(data)
	b.WriteString("\n\n")
	return b.Bytes()
}
