//go:build !race

package sqlite

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/faultdisk"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// recordKey names a record: its kind and its id.
type recordKey struct {
	entity journal.Entity
	id     int64
}

// changes are the records that a request changed, as its answer says: each in the encoding of the
// journal, "" for a removed one.
type changes map[recordKey]string

// sentRequest is one request of a testClient, with its answer. The disk counts its operations; asked and
// answered are these counts when the request was sent and answered.
type sentRequest struct {
	name     string // its request id
	claimed  bool   // its name is also its Idempotency-Key
	entries  int    // how many entries the journal has of it if it is stored
	asked    int
	answered int
	changes  changes
	err      error
}

// testClient sends requests to a store and keeps their answers.
type testClient struct {
	t     *testing.T
	disk  *faultdisk.Disk
	store *Store
	after func(*sentRequest) // called after each request, or nil

	mu     sync.Mutex
	sent   []*sentRequest
	line   budget.Line   // the newest that was acknowledged
	traded trading.Trade // the same
}

// noon is the time of every request.
func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// open opens the store that receives the requests.
func (c *testClient) open(f file.File) {
	c.t.Helper()
	s, err := OpenFile(c.t.Context(), f, noon)
	if err != nil {
		c.t.Fatal(err)
	}
	c.store = withSpacing(s, 1)
}

// ask sends one request. Every second request that changes at most one record has an Idempotency-Key.
func (c *testClient) ask(entries int, request func(ctx context.Context) (changes, error)) *sentRequest {
	c.mu.Lock()
	n := len(c.sent)
	d := &sentRequest{name: fmt.Sprintf("request %d", n), claimed: n%2 == 0 && entries <= 1, entries: entries}
	c.sent = append(c.sent, d)
	c.mu.Unlock()
	ctx := journal.With(c.t.Context(), journal.Origin{Actor: "clerk", Request: d.name})
	if d.claimed {
		ctx = claimedIn(ctx, idempotency.Key(d.name))
	}
	d.asked = c.disk.Moment()
	d.changes, d.err = request(ctx)
	d.answered = c.disk.Moment()
	if c.after != nil {
		c.after(d)
	}
	return d
}

// share sends requests at the same time, so that some share a commit.
func (c *testClient) share(requests ...func() *sentRequest) {
	var wg sync.WaitGroup
	for _, request := range requests {
		wg.Go(func() { request() })
	}
	wg.Wait()
}

// parents creates the records that postings refer to. None of its requests may fail.
func (c *testClient) parents() {
	for i := range 3 {
		c.ask(1, func(ctx context.Context) (changes, error) {
			code := text.Code(fmt.Sprintf("D%d", i))
			d, err := c.store.CreateDepartment(ctx, budget.Department{Code: code, Name: "Department", Active: true})
			return changes{{journal.Departments, int64(d.ID)}: string(records.Department(d))}, err
		})
		c.ask(1, func(ctx context.Context) (changes, error) {
			a, err := c.store.CreateAccount(ctx, budget.Account{Code: text.Code(fmt.Sprintf("A%d", i)), Type: budget.Opex})
			return changes{{journal.Accounts, int64(a.ID)}: string(records.Account(a))}, err
		})
	}
	for _, d := range c.sent {
		if d.err != nil {
			c.t.Fatalf("%s: %v", d.name, d.err)
		}
	}
}

// round sends a round of every kind of request, including one that is refused.
func (c *testClient) round(n int) {
	c.currency(n)
	c.lines(n)
	c.refusedLines(n)
	c.actuals(n, 0)
	c.trades(n, 0)
	c.change(n)
	c.remove()
	c.void()
	c.share(
		func() *sentRequest { return c.actuals(n, 1) },
		func() *sentRequest { return c.actuals(n, 2) },
		func() *sentRequest { return c.trades(n, 1) },
		func() *sentRequest { return c.currency(n + 500) },
		func() *sentRequest { return c.currency(n + 1000) },
		func() *sentRequest { return c.lines(n + 500) },
	)
}

func (c *testClient) currency(n int) *sentRequest {
	return c.ask(1, func(ctx context.Context) (changes, error) {
		v, err := c.store.AddCurrency(ctx, trading.Currency{Code: money.Currency(fmt.Sprintf("C%04d", n)), Name: "Currency"})
		return changes{{journal.Currencies, int64(v.ID)}: string(records.Currency(v))}, err
	})
}

// key is the key of the postings of a year.
func key(year, i int) budget.Key {
	return budget.Key{
		DepartmentID: budget.DepartmentID(1 + i%3), AccountID: budget.AccountID(1 + i/3%3),
		Year: fiscal.Year(year), Period: fiscal.Period(1 + i),
	}
}

func newLine(n, i int) budget.Line {
	return budget.Line{
		LineKey: budget.LineKey{Key: key(2000+n, i), Version: budget.Original},
		Amount:  money.Amount(n), Currency: "EUR", Notes: text.Note(strings.Repeat("n", 37*i*i)),
	}
}

// lines creates a batch of lines. One of the notes is long.
func (c *testClient) lines(n int) *sentRequest {
	return c.createLines([]budget.Line{newLine(n, 0), newLine(n, 1), newLine(n, 9)})
}

func (c *testClient) createLines(batch []budget.Line) *sentRequest {
	return c.ask(len(batch), func(ctx context.Context) (changes, error) {
		stored, err := c.store.CreateLines(ctx, batch)
		answer := changes{}
		for _, l := range stored {
			answer[recordKey{journal.BudgetLines, int64(l.ID)}] = string(records.Line(l))
		}
		if err == nil {
			c.mu.Lock()
			c.line = stored[2]
			c.mu.Unlock()
		}
		return answer, err
	})
}

// bulk creates that many lines with long notes.
func (c *testClient) bulk(n, lines int) {
	batch := make([]budget.Line, lines)
	for i := range batch {
		batch[i] = newLine(3000+100*n+i/12, i%12)
		batch[i].Notes = text.Note(strings.Repeat("b", 4000))
	}
	c.createLines(batch)
}

// refusedLines is a batch whose last line conflicts with its first.
func (c *testClient) refusedLines(n int) *sentRequest {
	return c.ask(0, func(ctx context.Context) (changes, error) {
		_, err := c.store.CreateLines(ctx, []budget.Line{newLine(n, 4), newLine(n, 5), newLine(n, 4)})
		return nil, err
	})
}

// actuals posts to the same keys in every round.
func (c *testClient) actuals(n, group int) *sentRequest {
	var batch []budget.Actual
	for i := range 3 {
		batch = append(batch, budget.Actual{
			Key: key(2024, 3*group+i), Amount: money.Amount(100*n + i), Currency: "EUR", Source: "ERP",
		})
	}
	return c.ask(len(batch), func(ctx context.Context) (changes, error) {
		stored, err := c.store.IngestActuals(ctx, batch)
		answer := changes{}
		for _, a := range stored {
			answer[recordKey{journal.Actuals, int64(a.ID)}] = string(records.Actual(a))
		}
		return answer, err
	})
}

// trades adds three trades, each with an earlier date than the one before.
func (c *testClient) trades(n, group int) *sentRequest {
	var batch []trading.Trade
	for i := range 3 {
		batch = append(batch, trading.Trade{
			Instrument: trading.Instrument{Symbol: trading.Symbol(fmt.Sprintf("S%d", group)), Currency: "EUR"},
			Shares:     trading.Shares(1 + n), Side: trading.Buy, Price: money.Price(100*n + i),
			Date: noon().Add(time.Duration(10*n-20*i) * time.Hour),
		})
	}
	return c.ask(len(batch), func(ctx context.Context) (changes, error) {
		stored, err := c.store.AddTrades(ctx, batch)
		answer := changes{}
		for _, v := range stored {
			answer[recordKey{journal.Trades, int64(v.ID)}] = string(records.Trade(v))
		}
		if err == nil && group == 0 {
			c.traded = stored[0]
		}
		return answer, err
	})
}

// change updates the newest line, remove deletes it, void voids the newest trade. Each sends nothing if
// there is none.
func (c *testClient) change(n int) {
	if c.line.ID == 0 {
		return
	}
	c.ask(1, func(ctx context.Context) (changes, error) {
		ref := budget.LineRef{ID: c.line.ID}
		l, err := c.store.UpdateLine(ctx, ref, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: money.Amount(1000 * n)}, "amount")})
		return changes{{journal.BudgetLines, int64(l.ID)}: string(records.Line(l))}, err
	})
}

func (c *testClient) remove() {
	id := c.line.ID
	if c.line = (budget.Line{}); id == 0 {
		return
	}
	c.ask(1, func(ctx context.Context) (changes, error) {
		_, err := c.store.DeleteLine(ctx, id)
		return changes{{journal.BudgetLines, int64(id)}: ""}, err
	})
}

func (c *testClient) void() {
	id := c.traded.ID
	if c.traded = (trading.Trade{}); id == 0 {
		return
	}
	c.ask(1, func(ctx context.Context) (changes, error) {
		_, err := c.store.VoidTrade(ctx, id)
		return changes{{journal.Trades, int64(id)}: ""}, err
	})
}

// checkpoint moves the log into the database, as another process could.
func (c *testClient) checkpoint(mode string) error {
	db, err := c.store.file.Open(c.t.Context(), "rw", 1, c.store.file.WriterPragmas())
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(c.t.Context(), "PRAGMA wal_checkpoint("+mode+")")
	return err
}

// requestCheck is the result of a comparison of sent requests with a database.
type requestCheck struct {
	lost []string // acknowledged, but not stored
	torn []string // stored in part, or stored although refused or not sent yet, or not as the answer says
	held []string // stored, and the answer was OutcomeUnknown
}

func (a *requestCheck) err() error {
	if len(a.lost)+len(a.torn) == 0 {
		return nil
	}
	return fmt.Errorf("lost: %s; torn: %s", strings.Join(a.lost, ", "), strings.Join(a.torn, ", "))
}

// checkRequests compares the requests with a store on a disk that stopped at a moment.
func checkRequests(ctx context.Context, s *Store, requests []*sentRequest, moment int) (a requestCheck, err error) {
	entries, err := s.reader.PageJournal(ctx, 0, 1<<40)
	if err != nil {
		return a, err
	}
	kept, err := answersKept(ctx, s)
	if err != nil {
		return a, err
	}
	found := map[string]int{}
	for _, e := range entries {
		found[e.Request]++
	}
	known := map[string]*sentRequest{}
	for _, d := range requests {
		known[d.name] = d
		a.compare(d, found[d.name], kept[d.name], moment)
	}
	want := changes{}
	for _, e := range entries {
		at, record := recordKey{journal.Entity(e.Entity), e.EntityID}, rows.OrZero(e.After)
		if d := known[e.Request]; d == nil {
			a.torn = append(a.torn, "an entry of the unknown request "+e.Request)
		} else if d.err == nil {
			record = d.changes[at] // as the answer says, not the journal
		}
		want[at] = record
	}
	for r, err := range verify.Rows(ctx, s.reader) {
		if err != nil {
			return a, err
		}
		at := recordKey{r.Entity, r.ID}
		if want[at] != string(r.Record) {
			a.torn = append(a.torn, fmt.Sprintf("%v: got %s, want %s", at, r.Record, want[at]))
		}
		delete(want, at)
	}
	for at, record := range want {
		if record != "" {
			a.torn = append(a.torn, fmt.Sprintf("%v: got no record, want %s", at, record))
		}
	}
	return a, nil
}

// compare compares the stored entries and answer of a request with the answer that the client got.
func (a *requestCheck) compare(d *sentRequest, entries int, kept bool, moment int) {
	acknowledged := d.err == nil && d.answered <= moment
	open := d.asked < moment && (d.err == nil || fault.KindOf(d.err) == fault.OutcomeUnknown)
	switch whole := entries == d.entries; {
	case acknowledged && entries == 0:
		a.lost = append(a.lost, d.name)
	case entries == 0 && !kept:
	case !whole, kept != d.claimed:
		a.torn = append(a.torn, fmt.Sprintf("%s: stored are %d of %d entries, answer stored: %t", d.name, entries, d.entries, kept))
	case !acknowledged && !open:
		a.torn = append(a.torn, fmt.Sprintf("%s: is stored, but must not be (%v)", d.name, d.err))
	case fault.KindOf(d.err) == fault.OutcomeUnknown:
		a.held = append(a.held, d.name)
	}
}

// answersKept returns the names of the requests whose answers are stored for a retry.
func answersKept(ctx context.Context, s *Store) (map[string]bool, error) {
	list, err := s.reading.QueryContext(ctx, "SELECT key FROM idempotency_keys")
	if err != nil {
		return nil, err
	}
	defer func() { _ = list.Close() }() // Err returns an error of the reading
	kept := map[string]bool{}
	for list.Next() {
		var key string
		if err := list.Scan(&key); err != nil {
			return nil, err
		}
		kept[key] = true
	}
	return kept, list.Err()
}
