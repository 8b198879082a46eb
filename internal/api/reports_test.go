package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/routers/gorillamux"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/text"
	"daybook/internal/trading"
	"daybook/internal/wiretest"
)

// The bounds of reports.
const (
	reportsAtOnce = 4
	longestTurn   = 30 * time.Second
	longestReport = time.Minute
)

const aReport = "GET /api/v1/variance?year=2025&period=1"

// slowStore is a store whose reports take until over is closed. It counts the reports being read.
type slowStore struct {
	*sqlite.Store
	over    chan struct{} // closed when the reading may end
	reading atomic.Int64
}

func (s *slowStore) Postings(ctx context.Context, _ fiscal.Year, _ fiscal.Period, _ budget.Version, _ budget.DepartmentID) (budget.Postings, error) {
	s.reading.Add(1)
	defer s.reading.Add(-1)
	select {
	case <-s.over:
		return manyPostings(), nil
	case <-ctx.Done():
		return budget.Postings{}, fault.Wrap(fault.Unavailable, ctx.Err(), "the request was canceled before it was done")
	}
}

// manyPostings returns the postings of a report that is larger than the server's output buffer.
func manyPostings() budget.Postings {
	p := budget.Postings{
		Departments: map[budget.DepartmentID]text.Code{1: "FIN"},
		Accounts:    map[budget.AccountID]budget.Account{},
	}
	for id := range budget.AccountID(100) {
		p.Accounts[id] = budget.Account{ID: id, Code: text.Code(fmt.Sprintf("%04d", id)), Type: budget.Opex}
		p.Budgeted = append(p.Budgeted, budget.Posting{DepartmentID: 1, AccountID: id, Amount: 1, Currency: "USD"})
	}
	return p
}

// serveReports starts a server in a bubble with a slowStore.
func serveReports(t *testing.T) (*slowStore, *wiretest.Wire) {
	t.Helper()
	s, w := open(t), wiretest.New()
	slow := &slowStore{Store: s.store, over: make(chan struct{})}
	config := s.config()
	config.Ledger = budget.NewLedger(slow, time.Now)
	serveHandlerOn(t, w, api.New(config))
	return slow, w
}

func (l *line) ask(t *testing.T, request string) {
	t.Helper()
	l.begin(t, request, "Accept: */*")
}

// wantStatus reads an answer, which must have that status. It must have a Retry-After only with 503.
func (l *line) wantStatus(t *testing.T, want int) string {
	t.Helper()
	got := l.answer(t)
	if got.status != want {
		t.Errorf("got %d %s, want %d", got.status, got.body, want)
	}
	if (got.status == http.StatusServiceUnavailable) != (got.header.Get("Retry-After") != "") {
		t.Errorf("got Retry-After %q with %d, want one only with 503", got.header.Get("Retry-After"), got.status)
	}
	return string(got.body)
}

// TestReportsTakeTurns: four reports are read at once. One more waits for at most 30 s. Requests that
// are not reports are answered meanwhile.
func TestReportsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, w := serveReports(t)
		var first []*line
		for range reportsAtOnce {
			l := lineOn(t, w)
			l.ask(t, aReport)
			first = append(first, l)
		}
		late, last := lineOn(t, w), lineOn(t, w)
		synctest.Wait()
		began := time.Now()
		late.ask(t, aReport)
		for _, other := range []string{"GET /health", "GET /currency/list", "GET /trade/list", "GET /positions/list", "GET /api/v1/journal"} {
			l := lineOn(t, w)
			l.ask(t, other)
			l.wantStatus(t, http.StatusOK)
		}
		if got := slow.reading.Load(); got != reportsAtOnce {
			t.Errorf("got %d reports read at once, want %d", got, reportsAtOnce)
		}
		late.wantStatus(t, http.StatusServiceUnavailable)
		if took := time.Since(began); took != longestTurn {
			t.Errorf("got one more report refused after %s, want %s", took, longestTurn)
		}
		last.ask(t, aReport)
		synctest.Wait()
		close(slow.over)
		for _, l := range append(first, last) {
			l.wantStatus(t, http.StatusOK)
		}
	})
}

// TestFewReportsOfAClientWait: as many reports of a client wait as the server has places in eight. Further ones are
// refused at once, and their connections are closed. A report of another client waits too.
func TestFewReportsOfAClientWait(t *testing.T) {
	const places, wait = 32, 4
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		config := s.config()
		config.Ledger = budget.NewLedger(pacedStore{s.store}, time.Now)
		config.Known = proxies(t, "unix")
		config.Places = places
		serveHandlerOn(t, w, api.New(config))
		began := time.Now()
		var lines []*line
		for range reportsAtOnce + wait + 3 {
			l := lineOn(t, w)
			l.begin(t, aReport, "X-Forwarded-For: 192.0.2.1")
			synctest.Wait()
			lines = append(lines, l)
		}
		other := lineOn(t, w)
		other.begin(t, aReport, "X-Forwarded-For: 192.0.2.2")
		for _, l := range lines[reportsAtOnce+wait:] {
			l.wantStatus(t, http.StatusServiceUnavailable)
			l.closed(t)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("got the reports beyond %d refused after %s, want at once", wait, took)
		}
		for _, l := range append(lines[:reportsAtOnce+wait], other) {
			l.wantStatus(t, http.StatusOK)
		}
	})
}

// pacedStore is a store that takes ten seconds to read the postings of a report.
type pacedStore struct{ *sqlite.Store }

func (pacedStore) Postings(context.Context, fiscal.Year, fiscal.Period, budget.Version, budget.DepartmentID) (budget.Postings, error) {
	time.Sleep(10 * time.Second)
	return manyPostings(), nil
}

// TestOneClientKeepsNobodyFromReports: a client requests a hundred reports at once. Another client that
// comes later gets the next report.
func TestOneClientKeepsNobodyFromReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		config := s.config()
		config.Ledger = budget.NewLedger(pacedStore{s.store}, time.Now)
		config.Known = proxies(t, "unix")
		serveHandlerOn(t, w, api.New(config))
		for range 100 {
			lineOn(t, w).begin(t, aReport, "X-Forwarded-For: 192.0.2.1")
			synctest.Wait()
		}
		began := time.Now()
		l := lineOn(t, w)
		l.begin(t, aReport, "X-Forwarded-For: 192.0.2.2")
		l.wantStatus(t, http.StatusOK)
		if took, most := time.Since(began), 20*time.Second; took > most {
			t.Errorf("got another client answered after %s, want at most %s", took, most)
		}
		time.Sleep(longestReport) // until the other reports have ended
	})
}

// busyStore is a store that takes ten seconds to read positions, companies, revenue, or the entities of
// the journal. It counts the reads at the same time.
type busyStore struct {
	*sqlite.Store
	reading, most atomic.Int64
}

func (s *busyStore) read() {
	s.most.Store(max(s.most.Load(), s.reading.Add(1)))
	time.Sleep(10 * time.Second)
	s.reading.Add(-1)
}

func (s *busyStore) Holdings(ctx context.Context, read func(trading.Inventory) error) error {
	s.read()
	return s.Store.Holdings(ctx, read)
}

func (s *busyStore) CompanyPage(ctx context.Context, after trading.CompanyID, limit int) ([]trading.UsedCompany, error) {
	s.read()
	return s.Store.CompanyPage(ctx, after, limit)
}

func (s *busyStore) RevenuePage(ctx context.Context, f trading.RevenueFilter) ([]trading.NamedRevenue, error) {
	s.read()
	return s.Store.RevenuePage(ctx, f)
}

func (*busyStore) JournalHead(context.Context) (journal.Head, error) {
	return journal.Head{Seq: 9}, nil
}

func (s *busyStore) JournalEntities(context.Context, journal.Seq, journal.Seq) ([]journal.Entity, error) {
	s.read()
	return nil, nil
}

// TestFewReadMuchAtOnce: other requests that read much share the limit of reports. At most reportsAtOnce
// are read at once.
func TestFewReadMuchAtOnce(t *testing.T) {
	for request, header := range map[string]string{
		"GET /api/v1/portfolio": "Accept: */*", "GET /api/v1/companies": "Accept: */*", "GET /api/v1/revenues": "Accept: */*",
		"GET /api/v1/events": "Last-Event-ID: 1",
	} {
		synctest.Test(t, func(t *testing.T) {
			s, w := open(t), wiretest.New()
			busy, config := &busyStore{Store: s.store}, s.config()
			config.Book, config.Journal = trading.NewBook(busy), busy
			serveHandlerOn(t, w, api.New(config))
			var all []*line
			for range 3 * reportsAtOnce {
				l := lineOn(t, w)
				l.begin(t, request, header)
				all = append(all, l)
			}
			for _, l := range all {
				l.wantStatus(t, http.StatusOK)
			}
			if got := busy.most.Load(); got != reportsAtOnce {
				t.Errorf("%s: got %d reads at once, want %d", request, got, reportsAtOnce)
			}
		})
	}
}

// TestAReportThatIsNotTakenHoldsNobodyUp: a report counts against the limit only while the store reads
// it, not while its client receives it.
func TestAReportThatIsNotTakenHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, w := serveReports(t)
		close(slow.over)
		for range 2 * reportsAtOnce {
			lineOn(t, w).ask(t, aReport)
			synctest.Wait()
		}
		began := time.Now()
		l := lineOn(t, w)
		l.ask(t, aReport)
		l.wantStatus(t, http.StatusOK)
		if took := time.Since(began); took != 0 {
			t.Errorf("got a report after %s beside clients that do not read theirs, want it at once", took)
		}
	})
}

// TestAReportIsGivenUp: a report ends after a minute, or when its client closes the connection. Then
// another report can be read.
func TestAReportIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, w := serveReports(t)
		began := time.Now()
		for range reportsAtOnce - 1 {
			lineOn(t, w).ask(t, aReport)
		}
		long, gone := lineOn(t, w), lineOn(t, w)
		long.ask(t, aReport)
		body := long.wantStatus(t, http.StatusServiceUnavailable)
		if took := time.Since(began); took != longestReport || !strings.Contains(body, "the report took longer than 1m0s") {
			t.Errorf("got %s after %s, want an error after %s", body, took, longestReport)
		}
		synctest.Wait()
		gone.ask(t, aReport)
		synctest.Wait()
		if got := slow.reading.Load(); got != 1 {
			t.Errorf("got %d reports being read, want 1", got)
		}
		if err := gone.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := slow.reading.Load(); got != 0 {
			t.Errorf("got %d reports being read after the client closed the connection, want none", got)
		}
	})
}

// TestAReportWithABodyIsGivenUp: a report whose request has a body ends when its client closes the
// connection, as any other. The end of the time for the body does not end it.
func TestAReportWithABodyIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, w := serveReports(t)
		for _, c := range [][2]string{
			{"Content-Length: 2", "{}"},
			{"Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"},
		} {
			l := lineOn(t, w)
			if _, err := fmt.Fprintf(l, "%s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n%s", aReport, publishedHost, c[0], c[1]); err != nil {
				t.Fatal(err)
			}
			time.Sleep(bodyTime + time.Second)
			if got := slow.reading.Load(); got != 1 {
				t.Errorf("%s: got %d reports being read after the time for the body, want 1", c[0], got)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := slow.reading.Load(); got != 0 {
				t.Errorf("%s: got %d reports being read after the client closed the connection, want none", c[0], got)
			}
			time.Sleep(longestReport) // so that a report that goes on is not counted with the next one
		}
		for framing, want := range map[string]int{
			"Content-Length: 2":          http.StatusRequestTimeout,
			"Transfer-Encoding: chunked": http.StatusRequestTimeout,
			"Content-Length: 20000":      http.StatusRequestEntityTooLarge,
		} {
			l := lineOn(t, w)
			l.begin(t, aReport, framing)
			var sending sync.WaitGroup
			if want == http.StatusRequestEntityTooLarge {
				sending.Go(func() { l.sendSlowly(strings.Repeat(" ", 20_000), 0) })
			}
			l.wantStatus(t, want)
			l.closed(t)
			sending.Wait()
			if got := slow.reading.Load(); got != 0 {
				t.Errorf("%s: got %d reports being read before the end of the body, want none", framing, got)
			}
		}
	})
}

// unready is a database that is not ready.
type unready struct{ *sqlite.Store }

func (unready) Ready(context.Context) error {
	return fault.Wrap(fault.Unavailable, errors.New("at /var/lib/daybook"), "the disk has only 3 MiB left; at least 64 are needed")
}

// TestReady: the answer says why the server is not ready, without the details of the log. It needs no
// token.
func TestReady(t *testing.T) {
	router, err := gorillamux.NewRouter(publishedContract(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		configure func(*api.Config)
		status    int
		want      string
	}{
		"ready":              {func(c *api.Config) { c.Ending = nil }, http.StatusOK, `{"status":"ok","reason":""}`},
		"shutting down":      {nil, http.StatusServiceUnavailable, `{"status":"not_ready","reason":"the server is shutting down"}`},
		"without a database": {func(c *api.Config) { c.Ending = nil }, http.StatusServiceUnavailable, `{"status":"not_ready","reason":"the database is unreachable"}`},
		"without room": {func(c *api.Config) {
			c.Ending = nil
			s, _ := c.Database.(*sqlite.Store)
			c.Database = unready{s}
		}, http.StatusServiceUnavailable, `{"status":"not_ready","reason":"the disk has only 3 MiB left; at least 64 are needed"}`},
	} {
		t.Run(name, func(t *testing.T) {
			g := serveGuarded(t, c.configure)
			if name == "without a database" {
				if err := g.store.Close(); err != nil {
					t.Fatal(err)
				}
			}
			r := request{method: http.MethodGet, target: "/ready"}
			got := g.do(t, r)
			if got.status != c.status || string(got.body) != c.want {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, c.status, c.want)
			}
			if err := conforms(t.Context(), router, exchange{r, got}); err != nil {
				t.Error(err)
			}
		})
	}
}

// slowJournal is a journal whose pages take until over is closed.
type slowJournal struct {
	*sqlite.Store
	over chan struct{} // closed when the reading may end
}

func (s *slowJournal) JournalPage(ctx context.Context, f journal.Filter) ([]journal.Entry, error) {
	<-s.over
	return s.Store.JournalPage(ctx, f)
}

// TestPagesOfTheJournalTakeTurns: pages of the journal have the same limit as reports, because entries
// can have long texts.
func TestPagesOfTheJournalTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		slow := &slowJournal{s.store, make(chan struct{})}
		config := s.config()
		config.Journal = slow
		serveHandlerOn(t, w, api.New(config))
		const page = "GET /api/v1/journal"
		var first []*line
		for range reportsAtOnce {
			l := lineOn(t, w)
			l.ask(t, page)
			first = append(first, l)
		}
		synctest.Wait()
		late := lineOn(t, w)
		late.ask(t, page)
		report := lineOn(t, w)
		report.ask(t, aReport)
		report.wantStatus(t, http.StatusOK)
		late.wantStatus(t, http.StatusServiceUnavailable)
		close(slow.over)
		for _, l := range first {
			l.wantStatus(t, http.StatusOK)
		}
	})
}
