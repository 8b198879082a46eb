package api

import (
	"context"
	"io"
	"iter"
	"math"
	"net/http"

	"daybook/internal/access"
	"daybook/internal/api/gate"
	"daybook/internal/batch"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
)

func (a *api) pageBatches(c *request) error {
	f := queryForm(c)
	before, limit := pageParameters[batch.ID](f)
	if err := f.err(); err != nil {
		return err
	}
	found, err := a.Batches.Batches(c.Request.Context(), before, limit+1)
	return page(c, found, limit, encoded(batch.BodyOf), func(b batch.Batch) batch.ID { return b.ID }, err)
}

// batchesFile has all batches, the newest first.
func (a *api) batchesFile(c *request, _ *form, form exchange.Form) exported {
	e := exported{name: "batches", seq: new(int64)}
	e.write = func(to io.Writer) error {
		head, err := a.Journal.JournalHead(c.Request.Context())
		if err != nil {
			return err
		}
		*e.seq = int64(head.Seq)
		return tooManyRows(writeRows(to, "Batches", form, batchColumns(), a.batchesThrough(c.Request.Context(), head.Seq)))
	}
	return e
}

// batchesThrough yields the batches up to an entry of the journal, page by page.
func (a *api) batchesThrough(ctx context.Context, last journal.Seq) iter.Seq2[batch.Batch, error] {
	return func(yield func(batch.Batch, error) bool) {
		for before := batch.ID(0); ; {
			found, err := a.Batches.Batches(ctx, before, mostLimit)
			if err != nil {
				yield(batch.Batch{}, err)
				return
			}
			for _, b := range found {
				if b.Entries.Last <= last && !yield(b, nil) {
					return
				}
				before = b.ID
			}
			if len(found) < mostLimit {
				return
			}
		}
	}
}

// batchColumns are the fields of a batch as the columns of a file.
func batchColumns() []fileColumn[batch.Batch] {
	texts := map[string]bool{"kind": true, "via": true, "state": true, "file": true, "sha256": true, "map": true, "source": true, "actor": true}
	columns := make([]fileColumn[batch.Batch], len(batch.Fields))
	for i := range batch.Fields {
		f, value := &batch.Fields[i], exchange.Integer
		if texts[f.Name] {
			value = exchange.Text
		} else if f.Name == "at" {
			value = exchange.Date
		}
		columns[i] = fileColumn[batch.Batch]{f.Name, value, func(b *batch.Batch) string { return string(f.AppendText(nil, b)) }}
	}
	return columns
}

func (a *api) getBatch(c *request) error {
	id, err := identity[batch.ID](c, &form{})
	if err != nil {
		return err
	}
	found, err := a.Batches.Batch(c.Request.Context(), id)
	return answer(c, http.StatusOK, found, encoded(batch.BodyOf), err)
}

// ofBatch narrows a filter of the journal to the entries of a batch, which follow each other.
func (a *api) ofBatch(ctx context.Context, filter *journal.Filter, id batch.ID) error {
	if id == 0 {
		return nil
	}
	found, err := a.Batches.Batch(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		filter.After = math.MaxInt64 // no entry
		return nil
	}
	filter.After, filter.Through = max(filter.After, found.Entries.First-1), found.Entries.Last
	return err
}

// takenBackBody is what the undo of a batch did.
type takenBackBody struct {
	Batch  batch.Body    `json:"batch"`
	Stayed []errorDetail `json:"stayed"`
	Total  int           `json:"stayed_total"`
}

func takenBackOf(t batch.TakenBack) takenBackBody {
	return takenBackBody{batch.BodyOf(t.Batch), detailsOf(t.Stayed.Details()), t.Stayed.Count}
}

// undoBatch takes a batch back.
func (a *api) undoBatch(c *request) error {
	f, err := object(c)
	if err != nil {
		return err
	}
	rows := optional(f, "rows", batch.All, field.String(batch.ParseRows))
	id, err := identity[batch.ID](c, f)
	if err != nil {
		return err
	}
	encode := encoded(takenBackOf)
	taken, err := a.Batches.UndoBatch(once(c, http.StatusOK, encode), id, rows, c.mayWrite)
	return answer(c, http.StatusOK, taken, encode, err)
}

// undoneBody is a request that was taken back.
type undoneBody struct {
	From    journal.Seq  `json:"from"`
	Through journal.Seq  `json:"through"`
	Counts  undoneCounts `json:"counts"`
}

type undoneCounts struct {
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	PutBack int `json:"put_back"`
}

func undoneOf(u journal.Undone) undoneBody {
	return undoneBody{From: u.First, Through: u.Last, Counts: undoneCounts{u.Removed, u.Changed, u.PutBack}}
}

// undo takes back all that one request wrote.
func (a *api) undo(c *request) error {
	f, err := object(c)
	if err != nil {
		return err
	}
	of := journal.Range{First: required(f, "from", reference[journal.Seq]()), Last: required(f, "through", reference[journal.Seq]())}
	if err := f.err(); err != nil {
		return err
	}
	encode := encoded(undoneOf)
	undone, err := a.Journal.Undo(once(c, http.StatusOK, encode), of, c.mayWrite)
	return answer(c, http.StatusOK, undone, encode, err)
}

// mayWrite refuses a token that could not have written an entry. Forbidden.
func (c *request) mayWrite(e journal.Entry) error {
	needed := access.Write
	if e.Entity == journal.Actuals && e.Action() != journal.Removed {
		needed = access.Ingest
	}
	if c.token.ID == 0 {
		return nil
	}
	return gate.Allow(c.Writer, c.token, needed)
}
