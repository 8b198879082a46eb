package api_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/listing"
	"daybook/internal/text"
	"daybook/internal/trading"
	"daybook/internal/wiretest"
)

// listsAtOnce is how many short reads of lists the server makes at once.
var listsAtOnce = max(4, runtime.NumCPU())

// pacedLists is a store whose lists are empty, and take two short reads of a second each. It counts the
// reads at the same time.
type pacedLists struct {
	*sqlite.Store
	mu            sync.Mutex
	reading, most int
}

func (s *pacedLists) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading += n
	s.most = max(s.most, s.reading)
}

func paced[T any](ctx context.Context, s *pacedLists) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for range 2 {
			err := listing.InTurn(ctx, func() error {
				s.count(1)
				time.Sleep(time.Second)
				s.count(-1)
				return nil
			})
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

func (s *pacedLists) Currencies(ctx context.Context) iter.Seq2[trading.Currency, error] {
	return paced[trading.Currency](ctx, s)
}

func (s *pacedLists) Companies(ctx context.Context) iter.Seq2[trading.Company, error] {
	return paced[trading.Company](ctx, s)
}

func (s *pacedLists) Revenues(ctx context.Context, _ trading.CompanyID) iter.Seq2[trading.Revenue, error] {
	return paced[trading.Revenue](ctx, s)
}

func (s *pacedLists) RevenueCategories(ctx context.Context, _ trading.CompanyID) iter.Seq2[text.Name, error] {
	return paced[text.Name](ctx, s)
}

func (s *pacedLists) Trades(ctx context.Context) iter.Seq2[trading.Trade, error] {
	return paced[trading.Trade](ctx, s)
}

func (s *pacedLists) Positions(ctx context.Context) iter.Seq2[trading.Position, error] {
	return paced[trading.Position](ctx, s)
}

func (s *pacedLists) Departments(ctx context.Context) iter.Seq2[budget.Department, error] {
	return paced[budget.Department](ctx, s)
}

func (s *pacedLists) Accounts(ctx context.Context) iter.Seq2[budget.Account, error] {
	return paced[budget.Account](ctx, s)
}

// serveLists starts a server with pacedLists, and as many places as given.
func serveLists(t *testing.T, places int) (*pacedLists, *wiretest.Wire) {
	t.Helper()
	s, w := open(t), wiretest.New()
	slow, config := &pacedLists{Store: s.store}, s.config()
	config.Book, config.Ledger = trading.NewBook(slow), budget.NewLedger(slow, time.Now)
	config.Known = proxies(t, "unix")
	config.Places = places
	serveHandlerOn(t, w, api.New(config))
	return slow, w
}

const (
	anAddress = "X-Forwarded-For: 192.0.2.1"
	another   = "X-Forwarded-For: 192.0.2.2"
)

// TestOneClientKeepsNobodyFromLists: a client requests many lists at once. Another client that comes
// later gets the next short reads. The server makes only listsAtOnce short reads at once.
func TestOneClientKeepsNobodyFromLists(t *testing.T) {
	for _, request := range []string{
		"GET /currency/list", "GET /company/list", "GET /company/revenue/list?company_id=1",
		"GET /company/revenue/categories?company_id=1", "GET /trade/list", "POST /trade/list", "GET /positions/list",
		"POST /positions/list", "GET /api/v1/department/list", "GET /api/v1/gl-accounts",
	} {
		synctest.Test(t, func(t *testing.T) {
			slow, w := serveLists(t, 0)
			asked := 16 * listsAtOnce
			var lines []*line
			for range asked {
				l := lineOn(t, w)
				l.begin(t, request, anAddress)
				lines = append(lines, l)
			}
			synctest.Wait()
			began := time.Now()
			l := lineOn(t, w)
			l.begin(t, request, another)
			l.wantStatus(t, http.StatusOK)
			if took, most := time.Since(began), 4*time.Second; took > most { // two reads of a second, and a wait before each
				t.Errorf("%s: another client was answered after %s, want at most %s", request, took, most)
			}
			for _, l := range lines {
				l.wantStatus(t, http.StatusOK)
			}
			if slow.most != listsAtOnce {
				t.Errorf("%s: got %d short reads at once, want %d", request, slow.most, listsAtOnce)
			}
		})
	}
}

// TestFewListsOfAClientWait: as many lists of a client wait as the server has places in four. Further ones are
// refused at once, and their connections are closed. No list that has begun is refused.
func TestFewListsOfAClientWait(t *testing.T) {
	const places, wait = 64, 16
	synctest.Test(t, func(t *testing.T) {
		_, w := serveLists(t, places)
		began := time.Now()
		var lines []*line
		for range listsAtOnce + wait + 3 {
			l := lineOn(t, w)
			l.begin(t, "GET /positions/list", anAddress)
			synctest.Wait()
			lines = append(lines, l)
		}
		for _, l := range lines[listsAtOnce+wait:] {
			l.wantStatus(t, http.StatusServiceUnavailable)
			l.closed(t)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("got the lists beyond %d refused after %s, want at once", wait, took)
		}
		for _, l := range lines[:listsAtOnce+wait] {
			l.wantStatus(t, http.StatusOK)
		}
	})
}

// TestWritesAndHealthWaitForNoList: writes and /health are answered at once although many lists wait.
func TestWritesAndHealthWaitForNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := serveLists(t, 0)
		for range 4 * listsAtOnce {
			lineOn(t, w).begin(t, "GET /positions/list", anAddress)
		}
		synctest.Wait()
		began := time.Now()
		health := lineOn(t, w)
		health.begin(t, "GET /health", anAddress)
		health.wantStatus(t, http.StatusOK)
		write, body := lineOn(t, w), `{"code":"EUR"}`
		write.begin(t, "POST /currency/add", fmt.Sprintf("Content-Length: %d", len(body)))
		if _, err := io.WriteString(write, body); err != nil {
			t.Fatal(err)
		}
		write.wantStatus(t, http.StatusCreated)
		if took := time.Since(began); took > 0 {
			t.Errorf("got /health and a write answered after %s, want at once", took)
		}
		time.Sleep(time.Minute) // until the lists have ended
	})
}
