package api_test

import (
	"bufio"
	"cmp"
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
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
)

// A feed posts actuals one by one, each with another amount, from 64 clients at once.
//
// Its records are stored before it begins. Their ids are below 0, where no other record gets one, and
// lists begin after id 0. So other clients get the same ids and lists with the feed as without it.
type feed struct {
	*server
	begun        atomic.Int64
	acknowledged atomic.Int64
	progress     chan struct{} // holds one when something was acknowledged
	over         chan struct{}
	stop         func() // ends the feed, and waits for the answers to its requests
}

const (
	feedClients = 64
	feedRecords = 48
	feedParent  = -1000 // the id of its department and of its account
	feedRecord  = -2000 // the lowest id of its records
)

// withoutFeed is a store that hides the feed: it leaves out the feed's journal entries, and does not
// count its records.
type withoutFeed struct{ *sqlite.Store }

// BudgetEmpty checks only departments and accounts, because every posting needs both.
func (b withoutFeed) BudgetEmpty(ctx context.Context) (bool, error) {
	for _, err := range b.Departments(ctx) {
		return false, err
	}
	for _, err := range b.Accounts(ctx) {
		return false, err
	}
	return true, nil
}

func (b withoutFeed) Usage(ctx context.Context) (budget.Usage, error) {
	u, err := b.Store.Usage(ctx)
	counted := u.Actuals // the store shares these maps, so they are copied before the feed is subtracted
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

func (b withoutFeed) OverviewData(ctx context.Context, q budget.OverviewDataQuery) (budget.OverviewData, error) {
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

func (b withoutFeed) JournalPage(ctx context.Context, f journal.Filter) (page []journal.Entry, err error) {
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

func (b withoutFeed) UpdateDepartment(ctx context.Context, id budget.DepartmentID, change budget.DepartmentChange) (budget.Department, error) {
	d, err := b.Store.UpdateDepartment(ctx, id, change)
	return d, b.renumbered(ctx, err)
}

func (b withoutFeed) UpdateAccount(ctx context.Context, id budget.AccountID, change budget.AccountChange) (budget.Account, error) {
	a, err := b.Store.UpdateAccount(ctx, id, change)
	return a, b.renumbered(ctx, err)
}

// renumbered gives the entry of a ChangedSince error the number that it has without the feed.
func (b withoutFeed) renumbered(ctx context.Context, err error) error {
	changed, is := errors.AsType[*fault.Error](err)
	if !is || changed.Since == nil {
		return err
	}
	entries, lost := b.Store.JournalPage(ctx, journal.Filter{Limit: int(changed.Since.Seq)})
	of := *changed
	of.Since = &fault.Since{At: changed.Since.At, Actor: changed.Since.Actor}
	for _, e := range entries {
		if e.EntityID >= 0 {
			of.Since.Seq++
		}
	}
	return cmp.Or(lost, error(&of))
}

// startFeed starts a feed, and returns when each of its clients has an answer.
func (s *server) startFeed(t *testing.T) *feed {
	t.Helper()
	s.storeFeedRecords(t)
	f := &feed{server: s, progress: make(chan struct{}, 1), over: make(chan struct{})}
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
	f.waitForPost(t) // takes the signal of the first posts, so that the next wait is for a later post
	return f
}

// storeFeedRecords stores the records that the feed changes.
func (s *server) storeFeedRecords(t *testing.T) {
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
	defer func() { _ = db.Close() }() // Exec returns the error
	if _, err := db.ExecContext(t.Context(), strings.Join(statements, ";")); err != nil {
		t.Fatal(err)
	}
}

// feedPeriod returns the year and period of a record of the feed. No transcript uses these years.
func feedPeriod(record int) (year, period int) { return 1990 + record/12, 1 + record%12 }

// feedClient is a client of a feed, with one kept-alive connection.
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

// post posts one actual. It returns an error if the answer is not the posted record.
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
	case c.feed.progress <- struct{}{}:
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

// waitForPost waits until a post is acknowledged, unless one was since the last wait.
func (f *feed) waitForPost(t *testing.T) {
	t.Helper()
	select {
	case <-f.progress:
	case <-time.After(patience):
		t.Fatalf("got no post acknowledged within %s, want one", patience)
	}
}

// wantJournalled checks a feed that was stopped. Each post is acknowledged and journalled exactly once,
// and the amounts before and after it agree with the entries of the same record around it. There are at
// least as many posts as waits.
func (f *feed) wantJournalled(t *testing.T, waits int) {
	t.Helper()
	posted := f.begun.Load()
	if got := f.acknowledged.Load(); got != posted || got < int64(feedClients+waits) {
		t.Errorf("got %d acknowledged of %d posts, want all and at least %d", got, posted, feedClients+waits)
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
			t.Errorf("record %d: got a change from %d to %d, want one from %d to an amount that was not journalled yet",
				e.EntityID, before, after, stood[e.EntityID])
		}
		stood[e.EntityID], amounts[after] = after, true
	}
	if int64(len(amounts)) != posted {
		t.Errorf("got %d posts in the journal, want %d", len(amounts), posted)
	}
	before := listing.Place(strconv.Itoa(feedRecord - 1))
	page, err := f.store.ActualPage(t.Context(), budget.ActualFilter{After: before, Limit: feedRecords})
	records := page.Records
	if err != nil || len(records) != feedRecords {
		t.Fatalf("got %d records of the feed, %v, want %d", len(records), err, feedRecords)
	}
	for _, r := range records {
		if got, want := r.Amount, money.Units(stood[int64(r.ID)]); got != want {
			t.Errorf("record %d: got %v, want %v as in its last journal entry", r.ID, got, want)
		}
	}
}

// amountIn returns the amount in the journal's form of an actual.
func amountIn(t *testing.T, record []byte) int64 {
	t.Helper()
	return read[struct{ Amount int64 }](t, string(record)).Amount
}
