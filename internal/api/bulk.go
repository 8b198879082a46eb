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
	"daybook/internal/intake"
	"daybook/internal/money"
	"daybook/internal/sorted"
	"daybook/internal/text"
	"daybook/internal/trading"
)

func (a *api) bulkActuals(c *request) error {
	kind := &intake.Kind[budget.Actual]{
		Fields: budget.ActualFields, Kept: "source",
		Key:  func(r *budget.Actual) sorted.Key { return r.Order() },
		Join: func(to, from *budget.Actual) error { return join(&to.Amount, from.Amount, to.Currency, from.Currency) },
	}
	return storeBulk(c, "actuals", kind, replacing, &kind.References, a.Ledger.StoreActuals)
}

func (a *api) bulkLines(c *request) error {
	kind := &intake.Kind[budget.Line]{
		Fields: budget.LineFields, Kept: "notes",
		Key:  func(r *budget.Line) sorted.Key { return r.Order() },
		Join: func(to, from *budget.Line) error { return join(&to.Amount, from.Amount, to.Currency, from.Currency) },
	}
	return storeBulk(c, "budgets", kind, replacing, &kind.References, a.Ledger.StoreLines)
}

func (a *api) bulkTrades(c *request) error {
	kind := &intake.Kind[trading.Trade]{Fields: trading.TradeFields, Spellings: []intake.Spelling{
		{Field: "type", Column: "side", Words: map[string]field.Value{"buy": {Kind: 't', Text: "true"}, "sell": {Kind: 'f', Text: "false"}}},
		{Field: "product", Words: products},
	}}
	return storeBulk(c, "trades", kind, []bulk.Existing{bulk.Add}, nil, a.Book.StoreTrades)
}

// products are the words for the products in CSV.
var products = map[string]field.Value{
	"stock": {Kind: '0', Text: "0"}, "call": {Kind: '0', Text: "1"}, "put": {Kind: '0', Text: "2"},
	"currency": {Kind: '0', Text: "3"}, "bond": {Kind: '0', Text: "4"},
}

// replacing are the ways in which records with a key meet those that are stored, the default first.
var replacing = []bulk.Existing{bulk.Replace, bulk.Refuse, bulk.Skip}

// join adds an amount to another of the same currency.
func join(to *money.Amount, amount money.Amount, currency, other money.Currency) error {
	if currency != other {
		return intake.ErrOtherCurrency
	}
	sum := money.Amount(int64(*to) + int64(amount)) // each is below 10^18
	_, err := money.ParseAmount(sum.String())
	if err != nil {
		return errors.New("the sum of the rows with this key " + err.Error())
	}
	*to = sum
	return nil
}

// storeBulk responds to a request that stores the many records in its body: it keeps the body in a file, checks all
// rows, and stores all or none.
func storeBulk[R any](
	c *request, name string, kind *intake.Kind[R], existing []bulk.Existing, references *[]intake.Reference,
	store func(context.Context, bulk.Rows[R]) (bulk.Result, error),
) error {
	o, err := bulkOptions(c, existing, kind.Key != nil)
	if err != nil {
		return err
	}
	sent, err := c.receive(sentRows)
	if err != nil {
		return err
	}
	defer sent.close()
	ctx := once(c, http.StatusOK, encodeResult)
	if c.Request.Header[keyHeader] != nil { // a repetition gets its answer, whatever became of what the rows refer to
		if _, err := store(ctx, bulk.Rows[R]{All: func(func(*bulk.Row[R], error) bool) {}}); err != nil {
			return err
		}
	}
	release, err := c.api.bulks.Acquire(ctx, c.client(), mostReceived)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "the request was canceled before it was done")
	}
	defer release()
	if references != nil {
		if *references, err = c.api.references(ctx); err != nil {
			return err
		}
	}
	rows, err := intake.Read(ctx, sent.file, sent.size, kind, o)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // what was stored does not depend on it
	rows.Batch = batch.Origin{Kind: name, Via: batch.Bulk}
	result, err := store(ctx, rows.Rows)
	return answer(c, http.StatusOK, result, encodeResult, err)
}

// bulkOptions reads the parameters of a request with many records.
func bulkOptions(c *request, existing []bulk.Existing, keyed bool) (o intake.Options, err error) {
	f := queryForm(c)
	o.Spool = c.api.Spool
	o.Existing = optional(f, "existing", existing[0], field.String(func(raw string) (bulk.Existing, error) {
		return text.OneOf(raw, existing...)
	}))
	o.Duplicates = bulk.NoDuplicates
	if keyed {
		o.Duplicates = optional(f, "duplicates", o.Duplicates, field.String(func(raw string) (bulk.Duplicates, error) {
			return text.OneOf(raw, bulk.NoDuplicates, bulk.LastDuplicate, bulk.SumDuplicates)
		}))
	}
	return o, f.err()
}

// encodeResult appends the answer to many rows.
func encodeResult(b []byte, result *bulk.Result) ([]byte, error) {
	if result.Findings == nil {
		result.Findings = []bulk.Finding{}
	}
	data, err := json.Marshal(result, json.Deterministic(true))
	return append(b, data...), err
}

// references are the references of a posting, by all codes and ids of the chart.
func (a *api) references(ctx context.Context) ([]intake.Reference, error) {
	departments, accounts := intake.NewCodes(), intake.NewCodes()
	err := a.Ledger.Chart(ctx,
		func(d budget.Department) { departments.Add(d.Code, int64(d.ID)) },
		func(a budget.Account) { accounts.Add(a.Code, int64(a.ID)) },
	)
	return []intake.Reference{
		{ID: "department_id", Code: "department", Codes: departments},
		{ID: "gl_account_id", Code: "gl_code", Codes: accounts},
	}, err
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
