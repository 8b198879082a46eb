package api

import (
	"crypto/rand"
	"regexp"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/journal"
)

// entryBody is a journal entry; before is null for a creation, after for a removal.
type entryBody struct {
	Seq       journal.Seq    `json:"seq"`
	At        time.Time      `json:"at"`
	Actor     string         `json:"actor"`
	RequestID string         `json:"request_id"`
	Entity    journal.Entity `json:"entity"`
	EntityID  int64          `json:"entity_id"`
	Action    journal.Action `json:"action"`
	Before    jsontext.Value `json:"before"`
	After     jsontext.Value `json:"after"`
}

func entryOf(e journal.Entry) entryBody {
	return entryBody{
		Seq: e.Seq, At: e.At, Actor: e.Actor, RequestID: e.Request, Entity: e.Entity, EntityID: e.EntityID,
		Action: e.Action(), Before: e.Before, After: e.After,
	}
}

func (a *api) pageJournal(c *gin.Context) error {
	f := queryForm(c)
	after, limit := pageParameters[journal.Seq](f)
	filter := journal.Filter{
		Entity:   optional(f, "entity", "", str(journal.ParseEntity)),
		EntityID: optional(f, "entity_id", 0, reference[int64]()),
		After:    after,
		Limit:    limit + 1,
	}
	if filter.EntityID != 0 && filter.Entity == "" {
		f.wrong.Add("entity", "must be given beside entity_id")
	}
	if err := f.err(); err != nil {
		return err
	}
	entries, err := a.Journal.JournalPage(c.Request.Context(), filter)
	return page(c, entries, limit, entryOf, func(e journal.Entry) journal.Seq { return e.Seq }, err)
}

// requestID is what a request may be called by its client.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// identify gives the request a name, its client's where that is one or a new one, under which the
// journal and the log tell of it. It answers the name as X-Request-Id.
func (a *api) identify(c *gin.Context) error {
	name := c.GetHeader("X-Request-Id")
	if !requestID.MatchString(name) {
		name = rand.Text()
	}
	c.Header("X-Request-Id", name)
	origin := journal.Origin{Actor: "local", Request: name}
	c.Request = c.Request.WithContext(journal.With(c.Request.Context(), origin))
	return nil
}
