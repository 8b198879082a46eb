package api_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
)

// A feed posts actuals line by line, each with another amount, from 64 clients at once.
//
// Its records are there before it begins, and where no list shows them: lists begin
// behind id 0, and the ids of these are below it, as no record is given one. So the ids
// and lists that others are answered are the same with the feed as without.
type feed struct {
	*server
	begun        atomic.Int64
	acknowledged atomic.Int64
	beat         chan struct{} // holds one when something was acknowledged
	over         chan struct{}
	stop         func() // once nobody waits for an answer
}

const (
	feedClients = 64
	feedRecords = 48
	feedParent  = -1000 // the id of its department and of its account
	feedRecord  = -2000 // the lowest of its records
)

// besideFeed is the store without a feed: its entries of the journal, and what is counted
// of its records.
type besideFeed struct{ *sqlite.Store }

// BudgetEmpty is by departments and accounts, which every posting needs.
func (b besideFeed) BudgetEmpty(ctx context.Context) (bool, error) {
	for _, err := range b.Departments(ctx) {
		return false, err
	}
	for _, err := range b.Accounts(ctx) {
		return false, err
	}
	return true, nil
}

func (b besideFeed) Usage(ctx context.Context) (budget.Usage, error) {
	u, err := b.Store.Usage(ctx)
	counted := u.Actuals // shared: what is counted without the feed is another
	u.Actuals = budget.Use{
		Departments: maps.Clone(counted.Departments), Accounts: maps.Clone(counted.Accounts),
		Currencies: maps.Clone(counted.Currencies), Months: maps.Clone(counted.Months),
	}
	delete(u.Actuals.Departments, feedParent)
	delete(u.Actuals.Accounts, feedParent)
	if u.Actuals.Currencies["USD"] -= feedRecords; u.Actuals.Currencies["USD"] == 0 {
		delete(u.Actuals.Currencies, "USD")
	}
	for i := range feedRecords {
		year, period := feedPeriod(i)
		delete(u.Actuals.Months, budget.Month{Year: fiscal.Year(year), Period: fiscal.Period(period)})
	}
	return u, err
}

func (b besideFeed) OverviewData(ctx context.Context, q budget.OverviewDataQuery) (budget.OverviewData, error) {
	u, err := b.Usage(ctx)
	if err != nil {
		return budget.OverviewData{}, err
	}
	q.Month = u.Newest(q.Month, q.Horizon)
	o, err := b.Store.OverviewData(ctx, q)
	o.Usage, o.Month = u, q.Month
	o.Sources = slices.DeleteFunc(slices.Clone(o.Sources), func(s budget.Source) bool { return s.Name == "feed" })
	o.SourcesTotal = len(o.Sources)
	if !o.Whole() {
		o.Postings, o.Months = budget.Postings{}, budget.Tallies{}
	}
	return o, err
}

func (b besideFeed) JournalPage(ctx context.Context, f journal.Filter) (page []journal.Entry, err error) {
	entries, err := b.Store.JournalPage(ctx, journal.Filter{Limit: math.MaxInt32})
	seq := journal.Seq(0)
	for _, e := range entries {
		if e.EntityID < 0 {
			continue
		}
		seq++
		e.Seq = seq
		matches := f.Entity == "" || f.Entity == e.Entity && (f.EntityID == 0 || f.EntityID == e.EntityID)
		if matches && seq > f.After && len(page) < f.Limit {
			page = append(page, e)
		}
	}
	return page, err
}

// startFeed returns when every client was answered once.
func (s *server) startFeed(t *testing.T) *feed {
	t.Helper()
	s.plantFeed(t)
	f := &feed{server: s, beat: make(chan struct{}, 1), over: make(chan struct{})}
	var first, clients sync.WaitGroup
	for i := range feedClients {
		c := f.connect(t, uint64(i))
		first.Add(1)
		clients.Go(func() {
			err := c.post()
			first.Done()
			for err == nil && !f.isOver() {
				err = c.post()
			}
			if err != nil {
				t.Errorf("the feed: %v", err)
			}
		})
	}
	f.stop = sync.OnceFunc(func() {
		close(f.over)
		clients.Wait()
	})
	t.Cleanup(f.stop)
	first.Wait()
	f.flows(t) // whatever flows from now on is another line
	return f
}

// plantFeed stores the records that the lines of the feed change.
func (s *server) plantFeed(t *testing.T) {
	t.Helper()
	statements := []string{
		fmt.Sprintf("INSERT INTO departments (id, code, code_key, name, cost_center, active) VALUES (%d, 'FEED', 'feed', 'Feed', '', 1)", feedParent),
		fmt.Sprintf("INSERT INTO gl_accounts (id, code, code_key, description, type, favour_high) VALUES (%d, 'FEED', 'feed', '', 'opex', 0)", feedParent),
	}
	for i := range feedRecords {
		year, period := feedPeriod(i)
		statements = append(statements, fmt.Sprintf(
			"INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source) VALUES (%d, %d, %[2]d, %d, %d, 0, 'USD', 'feed')",
			feedRecord+i, feedParent, year, period))
	}
	db, err := sql.Open("sqlite", s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // Exec tells how it went
	if _, err := db.ExecContext(t.Context(), strings.Join(statements, ";")); err != nil {
		t.Fatal(err)
	}
}

// feedPeriod is where a record of the feed belongs, in years that no transcript is about.
func feedPeriod(record int) (year, period int) { return 1990 + record/12, 1 + record%12 }

// feedClient is a client of a feed, on a connection that it keeps.
type feedClient struct {
	net.Conn
	feed    *feed
	answers *bufio.Reader
	random  *rand.Rand
}

func (f *feed) connect(t *testing.T, seed uint64) *feedClient {
	t.Helper()
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	return &feedClient{c, f, bufio.NewReader(c), rand.New(rand.NewPCG(1, seed))}
}

// post posts one line, and is an error when the answer is not the one that is due.
func (c *feedClient) post() error {
	record, amount := c.random.IntN(feedRecords), c.feed.begun.Add(1)
	year, period := feedPeriod(record)
	fields := fmt.Sprintf(`"department_id":%d,"gl_account_id":%[1]d,"fiscal_year":%d,"fiscal_period":%d,"amount":%d,"currency":"USD","source":"feed"}`,
		feedParent, year, period, amount)
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c, "POST /api/v1/actuals/ingest HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{%s",
		publishedHost, len(fields)+1, fields)
	if err != nil {
		return err
	}
	got, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(got.Body)
	if err := errors.Join(err, got.Body.Close()); err != nil {
		return err
	}
	if want := fmt.Sprintf(`{"id":%d,%s`, feedRecord+record, fields); got.StatusCode != http.StatusOK || string(body) != want {
		return fmt.Errorf("got %d %s, want 200 %s", got.StatusCode, body, want)
	}
	c.feed.acknowledged.Add(1)
	select {
	case c.feed.beat <- struct{}{}:
	default:
	}
	return nil
}

func (f *feed) isOver() bool {
	select {
	case <-f.over:
		return true
	default:
		return false
	}
}

// flows waits until a line is acknowledged, if none was since it waited last.
func (f *feed) flows(t *testing.T) {
	t.Helper()
	select {
	case <-f.beat:
	case <-time.After(patience):
		t.Fatal("the feed has ceased")
	}
}

// wantJournalled wants each line of a feed that was stopped to be acknowledged and
// journalled once, in the order in which the records were changed; and more lines than
// there were waits.
func (f *feed) wantJournalled(t *testing.T, waits int) {
	t.Helper()
	posted := f.begun.Load()
	if got := f.acknowledged.Load(); got != posted || got < int64(feedClients+waits) {
		t.Errorf("got %d acknowledged of %d lines, want all and at least %d", got, posted, feedClients+waits)
	}
	entries, err := f.store.JournalPage(t.Context(), journal.Filter{Entity: journal.Actuals, Limit: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	stood, amounts := map[int64]int64{}, map[int64]bool{}
	for _, e := range entries {
		if e.EntityID > 0 {
			continue
		}
		before, after := amountIn(t, e.Before), amountIn(t, e.After)
		if before != stood[e.EntityID] || amounts[after] {
			t.Errorf("got %d after %d in record %d, where %d stood", after, before, e.EntityID, stood[e.EntityID])
		}
		stood[e.EntityID], amounts[after] = after, true
	}
	if int64(len(amounts)) != posted {
		t.Errorf("got %d lines in the journal, want %d", len(amounts), posted)
	}
	before := listing.Place(strconv.Itoa(feedRecord - 1))
	page, err := f.store.ActualPage(t.Context(), budget.ActualFilter{After: before, Limit: feedRecords})
	records := page.Records
	if err != nil || len(records) != feedRecords {
		t.Fatalf("got %d records of the feed, %v, want %d", len(records), err, feedRecords)
	}
	for _, r := range records {
		if got, want := r.Amount, money.Units(stood[int64(r.ID)]); got != want {
			t.Errorf("record %d: got %v, want %v as journalled last", r.ID, got, want)
		}
	}
}

// amountIn is the amount of an actual in the journal.
func amountIn(t *testing.T, record []byte) int64 {
	t.Helper()
	return read[struct{ Amount int64 }](t, string(record)).Amount
}
