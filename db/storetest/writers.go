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

// turns is how often each goroutine of a crowd writes.
const turns = 12

func writers() []clause {
	return []clause{
		{"many writers lose no acknowledged trade, and readers see whole units of work", crowdOfTraders},
		{"many writers lose no acknowledged posting, and readers see one snapshot", crowdOfBookkeepers},
		{"a write that is refused does not affect the others", crowdWithRefusals},
		{"a caller that hangs up does not affect the others", crowdWithHangups},
		{"many writers of one actual store one record", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			ids := make([]budget.ActualID, crowd)
			inCrowd(crowd, func(i int) {
				one := chart.actual(1)
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

// crowdOfTraders: every unit of work buys 3 shares of an instrument and sells 1. So a reader that sees
// whole units sees even quantities.
func crowdOfTraders(t *testing.T, s Store) {
	var acknowledged collector[trading.Trade]
	readWhileCrowdWrites(t, 4, func(ctx context.Context) error {
		known := acknowledged.all()
		seen := map[trading.TradeID]bool{}
		last := trading.TradeID(0)
		for one, err := range s.Trades(ctx) {
			if err != nil {
				return err
			}
			if one.ID <= last {
				return fmt.Errorf("got trade %d after %d, want rising ids", one.ID, last)
			}
			last = one.ID
			seen[one.ID] = true
		}
		if len(seen)%2 != 0 {
			return fmt.Errorf("got %d trades, want an even number, because trades are stored in pairs", len(seen))
		}
		for _, one := range known {
			if !seen[one.ID] {
				return fmt.Errorf("trade %d was acknowledged before the list began, but is not in the list", one.ID)
			}
		}
		for position, err := range s.Positions(ctx) {
			if err != nil {
				return err
			}
			if position.Quantity%2 != 0 || position.Quantity <= 0 {
				return fmt.Errorf("got %d shares of %s, want an even number above 0", position.Quantity, position.Symbol)
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
	checkPositions(t, s)
}

// crowdOfBookkeepers: every writer creates a department, then two budget lines in one unit of work, then
// two equal actuals in another, and then doubles both actuals in a third.
func crowdOfBookkeepers(t *testing.T, s Store) {
	chart := newChart(t, s)
	var budgeted collector[budget.Line]
	var actual collector[budget.Actual]
	readWhileCrowdWrites(t, 4, func(ctx context.Context) error {
		p, err := s.Postings(ctx, 2025, 1, budget.Original, 0)
		if err != nil {
			return err
		}
		o, err := s.OverviewData(ctx, budget.OverviewDataQuery{Month: budget.Month{Year: 2025, Period: 1}, Version: budget.Original})
		return errors.Join(err, wholePostings(p), wholePostings(o.Postings), oneSnapshot(o))
	}, func(i int) error {
		d, err := s.CreateDepartment(t.Context(), budget.Department{Code: text.Code(fmt.Sprint("W", i)), Name: "any"})
		if err != nil {
			return err
		}
		lines := []budget.Line{chart.line(1), chart.line(1)}
		actuals := []budget.Actual{chart.actual(1), chart.actual(1)}
		for n, account := range []budget.AccountID{chart.account, chart.otherAccount} {
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

// crowdWithRefusals: every third unit of work is refused because of its second trade. None of it is
// stored, and all of the others is.
func crowdWithRefusals(t *testing.T, s Store) {
	var acknowledged collector[trading.Trade]
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
			t.Errorf("write %d: got error %v, want kind Invalid", i, err)
		case i%3 != 0 && err != nil:
			t.Errorf("write %d: got error %v, want none", i, err)
		case err == nil:
			acknowledged.add(stored...)
		}
	})
	want := acknowledged.all()
	slices.SortFunc(want, func(a, b trading.Trade) int { return int(a.ID - b.ID) })
	same(t, "trades", all(t, s.Trades(t.Context())), want)
	checkPositions(t, s)
}

// crowdWithHangups: every unit of work is a pair of trades. The caller of every third one hangs up at
// once or a little later. Such a pair may be stored or not, but never one trade of it alone.
func crowdWithHangups(t *testing.T, s Store) {
	var acknowledged collector[trading.Trade]
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
		t.Errorf("got %d trades, want an even number, because trades are stored in pairs", len(there))
	}
	checkPositions(t, s)
}

// wholePostings returns an error if the postings cannot be from one snapshot: an actual without its
// budget lines, a part of a unit of work, or a posting without its department or account.
func wholePostings(p budget.Postings) error {
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
			return fmt.Errorf("department %d: got %d lines, want 2 or none", id, n)
		}
		if p.Departments[id] == "" {
			return fmt.Errorf("department %d has postings, but is not in the map of departments", id)
		}
	}
	for id, amounts := range spent {
		if len(amounts) != 2 || amounts[0] != amounts[1] || planned[id] == 0 {
			return fmt.Errorf("department %d: got actuals %v and %d lines, want two equal actuals and two lines", id, amounts, planned[id])
		}
	}
	for _, one := range slices.Concat(p.Budgeted, p.Actual) {
		if p.Accounts[one.AccountID].ID != one.AccountID {
			return fmt.Errorf("account %d has postings, but is not in the map of accounts", one.AccountID)
		}
	}
	return nil
}

// readWhileCrowdWrites calls write from a crowd of goroutines, turns times in each, with a different
// number each time. Meanwhile some readers call read again and again, each at least once.
func readWhileCrowdWrites(t *testing.T, readers int, read func(ctx context.Context) error, write func(i int) error) {
	t.Helper()
	done := make(chan struct{})
	var reading sync.WaitGroup
	for range readers {
		reading.Go(func() {
			for {
				if err := read(t.Context()); err != nil {
					t.Errorf("reading while others write: %v", err)
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

// collector collects the records that the store returned as stored, for many goroutines.
type collector[T any] struct {
	mu      sync.Mutex
	records []T
}

func (l *collector[T]) add(records ...T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, records...)
}

func (l *collector[T]) all() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.records)
}
