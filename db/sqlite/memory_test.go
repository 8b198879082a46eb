package sqlite

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// books are two stores on one file, as two processes have them, with a posting to each
// side.
func books(t *testing.T) (s, other *Store) {
	t.Helper()
	path := t.TempDir() + "/app.db"
	for _, into := range []**Store{&s, &other} {
		one, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = one.Close() }) // a test may have closed it already
		*into = one
	}
	if _, err := s.CreateDepartment(t.Context(), budget.Department{Code: "D", Name: "D", Active: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(t.Context(), budget.Account{Code: "A", Type: budget.Opex}); err != nil {
		t.Fatal(err)
	}
	planned(t, s, 1)
	posted(t, s, 1)
	return s, other
}

func periodKey(period int) budget.Key {
	return budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: fiscal.Period(period)}
}

func planned(t *testing.T, s *Store, period int) {
	t.Helper()
	line := budget.Line{LineKey: budget.LineKey{Key: periodKey(period), Version: budget.Original}, Amount: 100, Currency: "EUR"}
	if _, err := s.CreateLines(t.Context(), []budget.Line{line}); err != nil {
		t.Fatal(err)
	}
}

func posted(t *testing.T, s *Store, amounts ...money.Amount) {
	t.Helper()
	var actuals []budget.Actual
	for _, amount := range amounts {
		actuals = append(actuals, budget.Actual{Key: periodKey(1), Amount: amount, Currency: "EUR"})
	}
	if _, err := s.IngestActuals(t.Context(), actuals); err != nil {
		t.Fatal(err)
	}
}

// year reads the months of all departments, which is remembered.
func year(t *testing.T, s *Store) budget.Tallies {
	t.Helper()
	got, err := s.Months(t.Context(), 2026, budget.Original, 0)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func wantSum(t *testing.T, got []budget.Tally, want money.Amount) {
	t.Helper()
	if len(got) != 1 || got[0].Sum != money.SumOf(want) {
		t.Errorf("got %v, want the sum %s", got, want)
	}
}

func TestWhatAnotherProcessWritesIsSeen(t *testing.T) {
	s, other := books(t)
	for amount := range money.Amount(20) {
		posted(t, other, amount)
		wantSum(t, year(t, s).Actual, amount)
		posted(t, s, -amount)
		wantSum(t, year(t, other).Actual, -amount)
	}
}

func TestARecordThatNoneOfTheReadIsOfLeavesItRemembered(t *testing.T) {
	s, other := books(t)
	before := year(t, s)
	again := year(t, s)
	if &again.Actual[0] != &before.Actual[0] || &again.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got both sides read anew though nothing was written, want what is remembered")
	}
	posted(t, other, 7)
	after := year(t, s)
	wantSum(t, after.Actual, 7)
	if &after.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got the budget read anew after an actual was posted, want what is remembered")
	}
	planned(t, other, 2)
	if got := len(year(t, s).Budgeted); got != 2 {
		t.Errorf("got %d tallies of the budget, want 2", got)
	}
}

// TestCoverageIsRememberedBySides: a feed of actuals leaves the side of the budget, which
// is the longer one, as it was read.
func TestCoverageIsRememberedBySides(t *testing.T) {
	s, other := books(t)
	covered := func() budget.Coverage {
		t.Helper()
		got, err := s.Coverage(t.Context())
		if err != nil || len(got.Budgeted) != 1 || len(got.Actual) != 1 {
			t.Fatalf("got %+v, %v, want one cover on each side", got, err)
		}
		return got
	}
	before := covered()
	again := covered()
	if &again.Actual[0] != &before.Actual[0] || &again.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got both sides read anew though nothing was written, want what is remembered")
	}
	posted(t, other, 0)
	after := covered()
	if after.Actual[0].Counting != 0 {
		t.Errorf("got %+v, want no amount but 0", after.Actual[0])
	}
	if &after.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got the budget read anew after an actual was posted, want what is remembered")
	}
	planned(t, other, 2)
	if got := covered().Budgeted[0].There; !got.Has(2) {
		t.Errorf("got %+v, want the period that was budgeted since", got)
	}
}

func TestMuchBetweenTwoHeadsIsReadAnew(t *testing.T) {
	s, _ := books(t)
	before := year(t, s)
	posted(t, s, make([]money.Amount, mostBetween)...)
	posted(t, s, 3)
	after := year(t, s)
	wantSum(t, after.Actual, 3)
	wantSum(t, after.Budgeted, 100)
	if &after.Budgeted[0] == &before.Budgeted[0] {
		t.Error("got the budget remembered without a look at what lies between, want it read anew")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := &memory{}
	for i := range 3 * mostRemembered / leastSize {
		m.keep(recollection{what: fmt.Sprint(i), head: 1, size: leastSize + i%7})
		if m.size > mostRemembered {
			t.Fatalf("got %d remembered, want at most %d", m.size, mostRemembered)
		}
	}
	size := 0
	for _, r := range m.kept {
		size += r.size
	}
	if size != m.size {
		t.Errorf("got a size of %d, want %d", m.size, size)
	}
	newest := m.kept[len(m.kept)-1]
	m.keep(recollection{what: "huge", head: 1, size: mostRemembered + 1})
	if _, known := m.find("huge"); known {
		t.Error("got what is too large remembered")
	}
	if _, known := m.find(newest.what); !known {
		t.Errorf("%s: got it forgotten, want it remembered", newest.what)
	}
	m.keep(recollection{what: newest.what, head: 0, size: leastSize})
	if got, _ := m.find(newest.what); got.head != newest.head {
		t.Errorf("got what was found at head %d, want that of the newer %d", got.head, newest.head)
	}
}

// TestRememberedReadsSideBySide has readers ask for the same while actuals are posted:
// each sees at least what had been posted when it asked.
func TestRememberedReadsSideBySide(t *testing.T) {
	s, other := books(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	var mu sync.Mutex
	newest := money.Amount(1)
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				least := newest
				mu.Unlock()
				got, err := s.Months(context.WithoutCancel(ctx), 2026, budget.Original, 0)
				if err != nil || len(got.Actual) != 1 || got.Actual[0].Sum.Minus(money.SumOf(least)).Sign() < 0 {
					t.Errorf("got %v, %v, want %s or more", got.Actual, err, least)
					return
				}
			}
		})
	}
	for amount := money.Amount(2); amount < 100; amount++ {
		posted(t, other, amount)
		mu.Lock()
		newest = amount
		mu.Unlock()
	}
	stop()
	wg.Wait()
}

func TestWhoGoesAwayLeavesTheReadToOthers(t *testing.T) {
	s, _ := books(t)
	ctx, leave := context.WithCancel(t.Context())
	got, err := together(ctx, s, "something", func(*scanner, journal.Seq) (int, error) {
		leave()
		return 7, nil
	})
	if got != 7 || err != nil {
		t.Errorf("got %d, %v, want what was read", got, err)
	}
}
