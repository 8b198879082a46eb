package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// turns is how often each writer of a crowd writes.
const turns = 12

func writers() []clause {
	return []clause{
		{"of a crowd lose no acknowledged trade, and readers see whole units of work", crowdOfTraders},
		{"of a crowd lose no acknowledged posting, and readers see one snapshot", crowdOfBookkeepers},
		{"that are refused take no other with them", crowdWithRefusals},
		{"whose caller hangs up disturb no other", crowdWithHangups},
		{"of one actual meet in one record", func(t *testing.T, s Store) {
			g := ground(t, s)
			ids := make([]budget.ActualID, crowd)
			inCrowd(crowd, func(i int) {
				one := g.actual(1)
				one.Amount = money.Units(int64(i))
				got, err := s.IngestActuals(t.Context(), []budget.Actual{one})
				if err != nil {
					t.Errorf("writer %d: got error %v, want none", i, err)
					return
				}
				ids[i] = got[0].ID
			})
			same(t, "distinct ids", slices.Compact(ids), ids[:1])
			if got := allActuals(t, s); len(got) != 1 {
				t.Errorf("got %+v, want one actual", got)
			}
		}},
	}
}

// crowdOfTraders: every unit of work is a purchase of 3 and a sale of 1 in one
// instrument, so that whoever sees a unit whole sees even quantities.
func crowdOfTraders(t *testing.T, s Store) {
	var acknowledged ledgerOf[trading.Trade]
	beside(t, 4, func(ctx context.Context) error {
		known := acknowledged.all()
		seen := map[trading.TradeID]bool{}
		last := trading.TradeID(0)
		for one, err := range s.Trades(ctx) {
			if err != nil {
				return err
			}
			if one.ID <= last {
				return fmt.Errorf("trade %d came after %d", one.ID, last)
			}
			last = one.ID
			seen[one.ID] = true
		}
		if len(seen)%2 != 0 {
			return fmt.Errorf("got %d trades, want whole pairs", len(seen))
		}
		for _, one := range known {
			if !seen[one.ID] {
				return fmt.Errorf("trade %d was acknowledged before the list began, and is not in it", one.ID)
			}
		}
		for position, err := range s.Positions(ctx) {
			if err != nil {
				return err
			}
			if position.Quantity%2 != 0 || position.Quantity <= 0 {
				return fmt.Errorf("got %d %s, want what whole pairs add up to", position.Quantity, position.Symbol)
			}
		}
		return nil
	}, func(i int) error {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		symbol := fmt.Sprint("S", i%5)
		buy, sell := trade(symbol, trading.Buy, 3, "1"), trade(symbol, trading.Sell, 1, "2")
		buy.Price = money.Price(random.Int64N(1_000_000_000_000))
		buy.Date = noon.Add(time.Duration(random.IntN(100)) * time.Hour)
		sell.Date = buy.Date.Add(time.Hour)
		stored, err := s.AddTrades(t.Context(), []trading.Trade{buy, sell})
		acknowledged.add(stored...)
		return err
	})
	want := acknowledged.all()
	slices.SortFunc(want, func(a, b trading.Trade) int { return int(a.ID - b.ID) })
	if len(want) != 2*crowd*turns {
		t.Errorf("got %d trades acknowledged, want %d", len(want), 2*crowd*turns)
	}
	same(t, "trades", all(t, s.Trades(t.Context())), want)
	agree(t, s)
}

// crowdOfBookkeepers: every unit of work creates a department with an account, then
// two lines in one unit, then two equal actuals in another, then doubles these.
func crowdOfBookkeepers(t *testing.T, s Store) {
	ground := ground(t, s)
	var budgeted ledgerOf[budget.Line]
	var actual ledgerOf[budget.Actual]
	beside(t, 4, func(ctx context.Context) error {
		p, err := s.Postings(ctx, 2025, 1, budget.Original, 0)
		if err != nil {
			return err
		}
		o, err := s.OverviewData(ctx, budget.OverviewDataQuery{Month: budget.Month{Year: 2025, Period: 1}, Version: budget.Original})
		return errors.Join(err, snapshot(p), snapshot(o.Postings), agreeing(o))
	}, func(i int) error {
		d, err := s.CreateDepartment(t.Context(), budget.Department{Code: text.Code(fmt.Sprint("W", i)), Name: "any"})
		if err != nil {
			return err
		}
		lines := []budget.Line{ground.line(1), ground.line(1)}
		actuals := []budget.Actual{ground.actual(1), ground.actual(1)}
		for n, account := range []budget.AccountID{ground.account, ground.otherAccount} {
			lines[n].DepartmentID, actuals[n].DepartmentID = d.ID, d.ID
			lines[n].AccountID, actuals[n].AccountID = account, account
		}
		stored, err := s.CreateLines(t.Context(), lines)
		if err != nil {
			return err
		}
		budgeted.add(stored...)
		if _, err := s.IngestActuals(t.Context(), actuals); err != nil {
			return err
		}
		for n := range actuals {
			actuals[n].Amount *= 2
		}
		doubled, err := s.IngestActuals(t.Context(), actuals)
		actual.add(doubled...)
		return err
	})
	wantLines, wantActuals := budgeted.all(), actual.all()
	slices.SortFunc(wantLines, func(a, b budget.Line) int { return int(a.ID - b.ID) })
	slices.SortFunc(wantActuals, func(a, b budget.Actual) int { return int(a.ID - b.ID) })
	same(t, "lines", allLines(t, s), wantLines)
	same(t, "actuals", allActuals(t, s), wantActuals)
	if len(wantActuals) != 2*crowd*turns {
		t.Errorf("got %d actuals, want %d", len(wantActuals), 2*crowd*turns)
	}
}

// crowdWithRefusals: every third unit of work stores a trade and then fails.
func crowdWithRefusals(t *testing.T, s Store) {
	var acknowledged ledgerOf[trading.Trade]
	inCrowd(crowd*turns, func(i int) {
		unit := []trading.Trade{trade("ACME", trading.Buy, 1, "1")}
		if i%3 == 0 {
			bad := trade("ACME", trading.Buy, 1, "1")
			bad.Currency = "X"
			unit = append(unit, bad)
		}
		stored, err := s.AddTrades(t.Context(), unit)
		switch kind := fault.KindOf(err); {
		case i%3 == 0 && kind != fault.Invalid:
			t.Errorf("write %d: got error %v, want it refused", i, err)
		case i%3 != 0 && err != nil:
			t.Errorf("write %d: got error %v, want none", i, err)
		case err == nil:
			acknowledged.add(stored...)
		}
	})
	want := acknowledged.all()
	slices.SortFunc(want, func(a, b trading.Trade) int { return int(a.ID - b.ID) })
	same(t, "trades", all(t, s.Trades(t.Context())), want)
	agree(t, s)
}

// crowdWithHangups: the caller of every third unit of work, which is a pair of
// trades, hangs up at once or a little later. What became of it is not said, but it
// happened whole or not at all.
func crowdWithHangups(t *testing.T, s Store) {
	var acknowledged ledgerOf[trading.Trade]
	inCrowd(crowd*turns, func(i int) {
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		if i%3 == 0 {
			time.AfterFunc(time.Duration(i%20)*100*time.Microsecond, hangUp)
		}
		stored, err := s.AddTrades(ctx, []trading.Trade{trade("ACME", trading.Buy, 3, "1"), trade("ACME", trading.Sell, 1, "2")})
		if err == nil {
			acknowledged.add(stored...)
		} else if i%3 != 0 {
			t.Errorf("write %d: got error %v, want none", i, err)
		}
	})
	there := map[trading.TradeID]trading.Trade{}
	for _, one := range all(t, s.Trades(t.Context())) {
		there[one.ID] = one
	}
	for _, one := range acknowledged.all() {
		same(t, "an acknowledged trade", there[one.ID], one)
	}
	if len(there)%2 != 0 {
		t.Errorf("got %d trades, want whole pairs", len(there))
	}
	agree(t, s)
}

// snapshot complains about postings that no single moment had: an actual before its
// budget, half a unit of work, a posting without its department or account.
func snapshot(p budget.Postings) error {
	planned := map[budget.DepartmentID]int{}
	for _, one := range p.Budgeted {
		planned[one.DepartmentID]++
	}
	spent := map[budget.DepartmentID][]money.Amount{}
	for _, one := range p.Actual {
		spent[one.DepartmentID] = append(spent[one.DepartmentID], one.Amount)
	}
	for id, n := range planned {
		if n != 2 {
			return fmt.Errorf("department %d: got %d lines, want both or none", id, n)
		}
		if p.Departments[id] == "" {
			return fmt.Errorf("department %d is not among the departments", id)
		}
	}
	for id, amounts := range spent {
		if len(amounts) != 2 || amounts[0] != amounts[1] || planned[id] == 0 {
			return fmt.Errorf("department %d: got actuals %v beside %d lines, want two equal ones after two lines", id, amounts, planned[id])
		}
	}
	for _, one := range slices.Concat(p.Budgeted, p.Actual) {
		if p.Accounts[one.AccountID].ID != one.AccountID {
			return fmt.Errorf("account %d is not among the accounts", one.AccountID)
		}
	}
	return nil
}

// beside lets a crowd write, each its turns, while readers read over and over; each
// reader reads at least once. write gets a number that tells the writes apart.
func beside(t *testing.T, readers int, read func(ctx context.Context) error, write func(i int) error) {
	t.Helper()
	done := make(chan struct{})
	var reading sync.WaitGroup
	for range readers {
		reading.Go(func() {
			for {
				if err := read(t.Context()); err != nil {
					t.Errorf("reading beside writers: %v", err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	inCrowd(crowd*turns, func(i int) {
		if err := write(i); err != nil {
			t.Errorf("write %d: got error %v, want none", i, err)
		}
	})
	close(done)
	reading.Wait()
}

// ledgerOf collects what a crowd was told is stored.
type ledgerOf[T any] struct {
	mu      sync.Mutex
	records []T
}

func (l *ledgerOf[T]) add(records ...T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, records...)
}

func (l *ledgerOf[T]) all() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.records)
}
