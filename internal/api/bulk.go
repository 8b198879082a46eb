package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"

	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/imports"
	"daybook/internal/text"
)

func (a *api) bulkActuals(c *request) error { return storeBulk(c, "actuals", replacing) }

func (a *api) bulkLines(c *request) error { return storeBulk(c, "budgets", replacing) }

func (a *api) bulkTrades(c *request) error {
	return storeBulk(c, "trades", []bulk.Existing{bulk.Add, bulk.Refuse, bulk.Skip})
}

// replacing are the ways in which records with a key meet those that are stored, the default first.
var replacing = []bulk.Existing{bulk.Replace, bulk.Refuse, bulk.Skip}

// storeBulk responds to a request that stores the many records in its body: it keeps the body in a file, checks all
// rows, and stores all or none.
func storeBulk(c *request, kind string, existing []bulk.Existing) error {
	b, err := bulkOptions(c, kind, existing)
	if err != nil {
		return err
	}
	sent, err := c.receive(sentRows)
	if err != nil {
		return err
	}
	defer sent.close()
	b.Content, b.Size = sent.file, sent.size
	ctx := once(c, http.StatusOK, encodeResult)
	if err := c.answered(ctx); err != nil { // whatever became of what the rows refer to
		return err
	}
	release, err := c.api.bulks.Acquire(ctx, c.client(), mostReceived)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "the request was canceled before it was done")
	}
	defer release()
	result, err := c.api.Imports.Store(ctx, b)
	return answer(c, http.StatusOK, result, encodeResult, err)
}

// answered is an idempotency.AnsweredError if a request that stores many rows was done before, so that a repetition gets
// its answer.
func (c *request) answered(ctx context.Context) error {
	if c.Request.Header[keyHeader] == nil {
		return nil
	}
	_, err := c.api.Ledger.StoreActuals(ctx, bulk.Rows[budget.Actual]{All: func(func(*bulk.Row[budget.Actual], error) bool) {}})
	return err
}

// bulkOptions reads the parameters of a request with many records.
func bulkOptions(c *request, kind string, existing []bulk.Existing) (imports.Bulk, error) {
	f, b := queryForm(c), imports.Bulk{Kind: kind}
	b.Existing = optional(f, "existing", existing[0], field.String(func(raw string) (bulk.Existing, error) {
		return text.OneOf(raw, existing...)
	}))
	b.Duplicates = "refuse"
	if kind != "trades" {
		b.Duplicates = optional(f, "duplicates", b.Duplicates, field.String(func(raw string) (string, error) {
			return text.OneOf(raw, "refuse", "last", "sum")
		}))
	}
	b.Source = optional(f, "source", "", field.String(text.ParseSource))
	return b, f.err()
}

// encodeResult appends the answer to many rows.
func encodeResult(b []byte, result *bulk.Result) ([]byte, error) {
	if result.Findings == nil {
		result.Findings = []bulk.Finding{}
	}
	data, err := json.Marshal(result, json.Deterministic(true))
	return append(b, data...), err
}

// refusedBody is what the body of an error says about wrong rows.
type refusedBody struct {
	Counts   batch.Counts   `json:"counts"`
	Findings []bulk.Finding `json:"findings"`
	Total    int64          `json:"findings_total"`
}

// refusedOf is the body of an error about wrong rows, nil of another error.
func refusedOf(err error) *refusedBody {
	refused, is := errors.AsType[*bulk.RefusedError](err)
	if !is || fault.KindOf(err) != fault.RowsRefused {
		return nil
	}
	body := &refusedBody{Counts: refused.Counts, Total: refused.Total, Findings: refused.Findings}
	for i := range body.Findings {
		f := &body.Findings[i]
		f.Field, f.Value, f.Message = printable(f.Field), printable(f.Value), printable(f.Message)
	}
	return body
}
