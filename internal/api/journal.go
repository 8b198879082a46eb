package api

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/batch"
	"daybook/internal/field"
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
	First     journal.Seq    `json:"first,omitzero"`
	Reason    string         `json:"reason,omitzero"`
	Batch     int64          `json:"batch,omitzero"`
}

func entryOf(e journal.Entry) entryBody {
	return entryBody{
		Seq: e.Seq, At: e.At, Actor: e.Actor, RequestID: e.Request, Entity: e.Entity, EntityID: e.EntityID,
		Action: e.Action(), Before: unsealed(e.Entity, e.Before), After: unsealed(e.Entity, e.After),
		First: e.First, Reason: e.Reason, Batch: e.Batch,
	}
}

// sealed is the member of a journalled token that the interface leaves out: the digest of its secret.
// The journal keeps it, so that a token which was inserted by hand is found.
const sealed = "sha256"

// unsealed is a journalled record without its sealed member.
func unsealed(of journal.Entity, record jsontext.Value) jsontext.Value {
	if of != journal.Tokens || record.Kind() != '{' {
		return record
	}
	var told bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewReader(record)), jsontext.NewEncoder(&told)
	_, err := from.ReadToken()
	err = errors.Join(err, to.WriteToken(jsontext.BeginObject))
	for err == nil && from.PeekKind() != '}' {
		err = tell(from, to)
	}
	if err = errors.Join(err, to.WriteToken(jsontext.EndObject)); err != nil {
		panic(fmt.Sprintf("the journal holds a token that is not JSON: %v", err))
	}
	return told.Bytes()
}

// tell copies a member of an object, unless it is sealed.
func tell(from *jsontext.Decoder, to *jsontext.Encoder) error {
	name, err := from.ReadToken()
	if err != nil {
		return err
	}
	member := name.String()
	content, err := from.ReadValue()
	if err != nil || member == sealed {
		return err
	}
	return errors.Join(to.WriteToken(jsontext.String(member)), to.WriteValue(content))
}

// journalFilter reads which entries are listed, and the batch that they are of, 0 for any.
func journalFilter(f *form) (journal.Filter, batch.ID) {
	filter := journal.Filter{
		Entity:   optional(f, "entity", "", field.String(journal.ParseEntity)),
		EntityID: optional(f, "entity_id", 0, reference[int64]()),
	}
	if filter.EntityID != 0 && filter.Entity == "" {
		f.wrong.Add("entity", "must be given beside entity_id")
	}
	return filter, optional(f, "batch", 0, reference[batch.ID]())
}

func (a *api) pageJournal(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[journal.Seq](f)
	filter, of := journalFilter(f)
	filter.After, filter.Limit = after, limit+1
	if err := f.err(); err != nil {
		return err
	}
	if err := a.ofBatch(c.Request.Context(), &filter, of); err != nil {
		return err
	}
	entries, err := a.Journal.JournalPage(c.Request.Context(), filter)
	return page(c, entries, limit, encoded(entryOf), func(e journal.Entry) journal.Seq { return e.Seq }, err)
}
