package imports

import (
	"errors"
	"time"

	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// Import is what is known of an import at one moment.
type Import struct {
	ID        string    `json:"id"`
	State     string    `json:"state"` // reading, questions, ready, committing, committed or failed
	Revision  int       `json:"revision"`
	ExpiresAt time.Time `json:"expires_at"`
	Doubts    int       `json:"doubts"`                 // rows with a doubt that the map does not accept
	Suggested text.Code `json:"suggested_map,omitzero"` // the newest saved map that fits the columns of the file
	Problem   string    `json:"problem,omitzero"`
	Done      *Done     `json:"done,omitzero"` // what was stored
	exchange.Preview
}

// The states of an import that are none of a preview.
const (
	reading    = "reading"
	failed     = "failed"
	committing = "committing"
	committed  = "committed"
)

// now is the import as it is.
func (k *kept) now() *Import {
	r := k.newest
	one := &Import{ID: k.id, State: reading, Revision: r.number, ExpiresAt: k.used.Add(Lifetime).UTC().Truncate(time.Second)}
	one.Kind, one.Map = k.Kind, r.m
	one.Map.Kind = k.Kind
	switch {
	case k.done != nil:
		one.State, one.Revision, one.Done = committed, k.stored, k.done
		if r.finished() && r.err == nil {
			one.Preview = *r.preview
		}
	case k.committing != nil:
		one.Preview, one.State = *k.committing.preview, committing
	case !r.finished():
	case r.err != nil:
		one.State, one.Problem = failed, problemOf(r.err)
	default:
		one.Preview, one.State = *r.preview, r.preview.State
	}
	if r.finished() && r.err == nil {
		one.Doubts, one.Suggested = r.rows.doubts, r.suggested
	}
	one.File.Name, one.File.Bytes, one.File.SHA256 = k.Name, k.Size, k.sha256
	return one
}

// problemOf is the sentence of a fault that a client may read.
func problemOf(err error) string {
	if e, is := errors.AsType[*fault.Error](err); is && e.Kind != fault.Internal {
		return e.Message
	}
	return "the server could not read the file; its log says why"
}
