package api

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"daybook/internal/api/gate"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/idempotency"
	"daybook/internal/intake"
	"daybook/internal/money"
	"daybook/internal/sorted"
	"daybook/internal/spool"
	"daybook/internal/text"
	"daybook/internal/trading"
)

func (a *api) bulkActuals(c *request) error {
	kind := &intake.Kind[budget.Actual]{
		Fields: budget.ActualFields, Kept: "source",
		Key:  func(r *budget.Actual) sorted.Key { return r.Key.Order() },
		Join: func(to, from *budget.Actual) error { return join(&to.Amount, from.Amount, to.Currency, from.Currency) },
	}
	return storeBulk(c, kind, replacing, &kind.References, a.Ledger.StoreActuals)
}

func (a *api) bulkLines(c *request) error {
	kind := &intake.Kind[budget.Line]{
		Fields: budget.LineFields, Kept: "notes",
		Key:  func(r *budget.Line) sorted.Key { return r.LineKey.Order() },
		Join: func(to, from *budget.Line) error { return join(&to.Amount, from.Amount, to.Currency, from.Currency) },
	}
	return storeBulk(c, kind, replacing, &kind.References, a.Ledger.StoreLines)
}

func (a *api) bulkTrades(c *request) error {
	kind := &intake.Kind[trading.Trade]{Fields: trading.TradeFields, Spellings: []intake.Spelling{
		{Field: "type", Column: "side", Words: map[string]field.Value{"buy": {Kind: 't', Text: "true"}, "sell": {Kind: 'f', Text: "false"}}},
		{Field: "product", Words: products},
	}}
	return storeBulk(c, kind, []bulk.Existing{bulk.Add}, nil, a.Book.StoreTrades)
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
	c *request, kind *intake.Kind[R], existing []bulk.Existing, references *[]intake.Reference,
	store func(context.Context, bulk.Rows[R]) (bulk.Result, error),
) error {
	o, err := bulkOptions(c, existing, kind.Key != nil)
	if err != nil {
		return err
	}
	sent, err := c.receive()
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
	Counts   bulk.Counts    `json:"counts"`
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

// The bounds of a body with many records: its bytes, packed and unpacked, how fast it must arrive at least, and how
// many arrive at once.
const (
	mostSent     = 256 << 20
	leastSpeed   = 16 << 10 // bytes a second
	mostReceived = 4
)

// received is a body in a file, unpacked.
type received struct {
	file *spool.File
	size int64
	free func()
}

func (r *received) close() {
	_ = r.file.Close() // nothing depends on it
	r.free()
}

// receive keeps the body in a file. Errors: unsupportedMedia, tooLarge, tooSlow, TooMany; Unreadable: it is not
// compressed as it says; Unavailable: the disk refuses.
func (c *request) receive() (*received, error) {
	if c.body == nil {
		return nil, fault.New(intake.Unreadable, "the body is empty; send the rows in it")
	}
	packed, err := checkSent(c)
	if err != nil {
		return nil, err
	}
	select {
	case c.api.receiving <- struct{}{}:
	default:
		c.Header("Retry-After", "5")
		c.Header("Connection", "close") // what still arrives is not a request
		return nil, fault.New(gate.TooMany, "%d bodies with many rows arrive already; try again", mostReceived)
	}
	r := &received{free: func() { <-c.api.receiving }}
	if r.file, err = c.api.Spool.New(); err != nil {
		r.free()
		return nil, fault.Wrap(fault.Unavailable, err, "the server cannot keep the body on its disk; nothing was stored")
	}
	if err := r.fill(c, packed); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// fill writes the body into the file, and makes the fingerprint of the request.
func (r *received) fill(c *request, packed bool) error {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s\n", c.Request.Method, c.Request.URL.RequestURI())
	arriving := &arrivingBody{body: c.body, deadline: time.Now().Add(c.api.BodyTime)}
	from := io.TeeReader(arriving, hash)
	rest := from
	if packed {
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return arriving.failed(c, err)
		}
		from = unpacked
	}
	written := &spooled{to: r.file}
	_, err := io.Copy(written, io.LimitReader(from, mostSent+1))
	switch r.size = written.size; {
	case written.err != nil:
		c.Header("Connection", "close")
		return fault.Wrap(fault.Unavailable, written.err, "the server cannot keep the body on its disk; nothing was stored")
	case err == nil && r.size > mostSent:
		err = errLarge
	case err == nil:
		_, err = io.Copy(io.Discard, rest) // what follows the compressed bytes
	}
	if err != nil {
		return arriving.failed(c, err)
	}
	c.fingerprint = new(idempotency.Fingerprint(hash.Sum(nil)))
	return nil
}

// spooled writes to a file, and keeps its error, which io.Copy mixes with that of the reader.
type spooled struct {
	to   *spool.File
	size int64
	err  error
}

func (s *spooled) Write(b []byte) (n int, err error) {
	n, err = s.to.Write(b)
	s.size, s.err = s.size+int64(n), err
	return n, err
}

// arrivingBody is a body that must keep up a speed, and may have only so many bytes.
type arrivingBody struct {
	*body
	deadline time.Time // without a byte
	bytes    int64
	err      error // of the body itself
}

func (a *arrivingBody) Read(b []byte) (n int, err error) {
	n, err = a.body.Read(b)
	a.bytes += int64(n)
	if a.bytes > mostSent {
		err = errLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	_ = a.control.SetReadDeadline(a.deadline.Add(time.Duration(a.bytes) * (time.Second / leastSpeed)))
	return n, err
}

// failed is the error of a body that could not be read.
func (a *arrivingBody) failed(c *request, err error) error {
	switch {
	case errors.Is(err, errLarge):
		c.Header("Connection", "close")
		return fault.New(tooLarge, "the body is larger than %d MiB; send its rows in several requests", mostSent>>20)
	case a.err == nil:
		c.Header("Connection", "close")
		return fault.Wrap(intake.Unreadable, err, "the body is labelled Content-Encoding: gzip, but its bytes are not gzip, or break off")
	}
	return a.body.failed(c, a.err)
}

// checkSent checks the labels of a body with many records, and reports whether it is compressed. Errors:
// unsupportedMedia.
func checkSent(c *request) (packed bool, err error) {
	label := c.GetHeader("Content-Type")
	if !saysJSON(c.Request.Header) && !saysRows(label) {
		return false, fault.New(unsupportedMedia, "the body must be labelled Content-Type: text/csv, application/x-ndjson or application/json, not %q", label)
	}
	if !saysUTF8(label) {
		return false, fault.New(unsupportedMedia, "the body must be in UTF-8, labelled without a charset or with charset=utf-8, not %q", label)
	}
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(c.Request.Header["Content-Encoding"], ","))); coding {
	case "", "identity":
		return false, nil
	case "gzip", "x-gzip":
		return true, nil
	default:
		c.Header("Accept-Encoding", "gzip")
		return false, fault.New(unsupportedMedia, "the body must be sent as it is, or with Content-Encoding: gzip, not %q", coding)
	}
}

// saysRows reports whether a label is that of CSV, of NDJSON, or of bytes.
func saysRows(label string) bool {
	media, _, err := mime.ParseMediaType(label)
	switch media {
	case "text/csv", "application/csv", "application/x-ndjson", "application/ndjson", "application/jsonl", "application/octet-stream":
		return err == nil
	}
	return false
}
