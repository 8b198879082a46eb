package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// openTwoWithPostings opens two stores on one file, as two processes would. The file has one budget line
// and one actual.
func openTwoWithPostings(t *testing.T) (s, other *Store) {
	t.Helper()
	path := t.TempDir() + "/app.db"
	s, other = opened(t, path, time.Now), opened(t, path, time.Now)
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

func opened(t *testing.T, path string, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a test may have closed it already
	return s
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

// cachedMonths reads the months of all departments, which the store caches.
func cachedMonths(t *testing.T, s *Store) budget.Tallies {
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

// TestWhatAnotherProcessWritesIsSeen: a cached sum includes what another process wrote.
func TestWhatAnotherProcessWritesIsSeen(t *testing.T) {
	s, other := openTwoWithPostings(t)
	for amount := range money.Amount(20) {
		posted(t, other, amount)
		wantSum(t, cachedMonths(t, s).Actual, amount)
		posted(t, s, -amount)
		wantSum(t, cachedMonths(t, other).Actual, -amount)
	}
}

// TestAnUnrelatedRecordLeavesTheCacheAlone: a write to actuals does not change the cached sums of the
// budget.
func TestAnUnrelatedRecordLeavesTheCacheAlone(t *testing.T) {
	s, other := openTwoWithPostings(t)
	before := cachedMonths(t, s)
	again := cachedMonths(t, s)
	if &again.Actual[0] != &before.Actual[0] || &again.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got new sums although nothing was written, want the cached ones")
	}
	posted(t, other, 7)
	after := cachedMonths(t, s)
	wantSum(t, after.Actual, 7)
	if &after.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got new sums of the budget after a write to actuals, want the cached ones")
	}
	planned(t, other, 2)
	if got := len(cachedMonths(t, s).Budgeted); got != 2 {
		t.Errorf("got %d tallies of the budget, want 2", got)
	}
}

// TestTheSidesOfACoverageAreCachedApart: a write to actuals does not change the cached coverage of the
// budget, which is usually the larger part.
func TestTheSidesOfACoverageAreCachedApart(t *testing.T) {
	s, other := openTwoWithPostings(t)
	covered := func() budget.Coverage {
		t.Helper()
		got, err := s.Coverage(t.Context(), 2026)
		if err != nil || len(got.Budgeted) != 1 || len(got.Actual) != 1 {
			t.Fatalf("got %+v, %v, want one cover on each side", got, err)
		}
		return got
	}
	before := covered()
	again := covered()
	if &again.Actual[0] != &before.Actual[0] || &again.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got new sums although nothing was written, want the cached ones")
	}
	posted(t, other, 0)
	after := covered()
	if after.Actual[0].Counting != 0 {
		t.Errorf("got %+v, want no period with an amount other than 0", after.Actual[0])
	}
	if &after.Budgeted[0] != &before.Budgeted[0] {
		t.Error("got new sums of the budget after a write to actuals, want the cached ones")
	}
	planned(t, other, 2)
	if got := covered().Budgeted[0].There; !got.Has(2) {
		t.Errorf("got %+v, want the new period too", got)
	}
}

// TestASumFarBehindTheHeadIsReadAgain: a cached sum is read again from the tables when more entries have
// been added than the store replays.
func TestASumFarBehindTheHeadIsReadAgain(t *testing.T) {
	s, _ := openTwoWithPostings(t)
	before := cachedMonths(t, s)
	posted(t, s, make([]money.Amount, records.MostReplayed)...)
	posted(t, s, 3)
	after := cachedMonths(t, s)
	wantSum(t, after.Actual, 3)
	wantSum(t, after.Budgeted, 100)
	if &after.Budgeted[0] == &before.Budgeted[0] {
		t.Error("got the cached sums of the budget, want new ones")
	}
}

// TestTheCacheFollowsTheJournal: cached sums are brought forward with the entries of the journal, not
// read again. The test edits a table without the journal, so that a new read would have another result.
func TestTheCacheFollowsTheJournal(t *testing.T) {
	s, other := openTwoWithPostings(t)
	planned(t, s, 2)
	readCached(t, s)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE budget_lines SET amount = 0, currency = 'CHF' WHERE fiscal_period = 2")
	planned(t, other, 3)
	got := cachedMonths(t, s).Budgeted
	if len(got) != 3 || got[1].Currency != "EUR" || got[1].Sum != money.SumOf(100) {
		t.Errorf("got %+v, want the cached tallies and one more", got)
	}
	usage, err := s.Usage(t.Context())
	if err != nil || usage.Lines.Currencies["EUR"] != 3 {
		t.Errorf("got %+v, %v, want the cached counts and one more line", usage.Lines, err)
	}
	coverage, err := s.Coverage(t.Context(), 2026)
	if err != nil || coverage.Budgeted[0].Counting.Len() != 3 {
		t.Errorf("got %+v, %v, want the cached periods and one more", coverage.Budgeted, err)
	}
}

// TestAnOlderSnapshotKeepsItsCachedSum: while an older snapshot is open, the cache gets a newer state.
// The older snapshot still uses its cached sum and needs no new read.
func TestAnOlderSnapshotKeepsItsCachedSum(t *testing.T) {
	s, other := openTwoWithPostings(t)
	before := cachedMonths(t, s)
	err := s.snapshot(t.Context(), func(one *snapshot) error {
		posted(t, other, 7)
		wantSum(t, cachedMonths(t, s).Actual, 7)
		got, err := one.tallies(monthsOf(2026, budget.Original), 0, undescribed)
		if &got.Actual[0] != &before.Actual[0] {
			t.Errorf("got the new sums %v, want the cached ones", got.Actual)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	wantSum(t, cachedMonths(t, s).Actual, 7)
}

// TestASumThatCannotFollowIsReadAgain: if an entry of the journal does not fit a cached sum, the sum is
// read again.
func TestASumThatCannotFollowIsReadAgain(t *testing.T) {
	s, other := openTwoWithPostings(t)
	var kept cachedAnswers
	kept.wantAsRead(t, s)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE actuals SET amount = 7, currency = 'CHF', source = 'ERP'")
	posted(t, other, 3) // replaces 7 CHF, which the cache does not have
	kept.wantAsRead(t, s)
}

// TestConcurrentReadsOfTheCache: while actuals are posted, several goroutines read the same sum. Each
// read includes at least the actuals that were posted before it began.
func TestConcurrentReadsOfTheCache(t *testing.T) {
	s, other := openTwoWithPostings(t)
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
					t.Errorf("got %v, %v, want a sum of at least %s", got.Actual, err, least)
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

// TestConcurrentCallersShareARead: concurrent callers share a read. The test holds the first read until
// all other callers wait, and each of these needs newer data than the one before. One more read then
// serves them all.
func TestConcurrentCallersShareARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := openTwoWithPostings(t)
		defer func() { _, _ = s.Close(), other.Close() }() // within the bubble
		const callers = 20
		reads, done := 0, make(chan struct{})
		ask := func() {
			least, err := s.JournalHead(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			got, err := share(t.Context(), s, "something", func(one *snapshot) (journal.Seq, error) {
				reads++
				<-done
				return one.head, nil
			})
			if err != nil || got < least.Seq {
				t.Errorf("got the state of entry %d, %v, want that of entry %d or later", got, err, least.Seq)
			}
		}
		var asking sync.WaitGroup
		for range callers {
			asking.Go(ask)
			synctest.Wait()
			posted(t, other, 1)
		}
		for range 2 {
			done <- struct{}{}
			synctest.Wait()
		}
		close(done)
		asking.Wait()
		if reads != 2 {
			t.Errorf("got %d reads for %d callers, want 2", reads, callers)
		}
	})
}

// TestAnErrorIsNotSharedWithALaterCaller: a later caller does not get the error of a shared read that
// began before it. For example, a record that this read did not find can exist for the later caller.
func TestAnErrorIsNotSharedWithALaterCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := openTwoWithPostings(t)
		defer func() { _, _ = s.Close(), other.Close() }() // within the bubble
		before, err := s.JournalHead(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		ask := func(want error) {
			_, err := share(t.Context(), s, "something", func(one *snapshot) (int, error) {
				<-done
				if one.head == before.Seq {
					return 0, io.EOF
				}
				return 1, nil
			})
			if !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		var asking sync.WaitGroup
		asking.Go(func() { ask(io.EOF) })
		synctest.Wait()
		posted(t, other, 1)
		asking.Go(func() { ask(nil) })
		synctest.Wait()
		close(done)
		asking.Wait()
	})
}

// TestACallerAloneReadsOnce: a caller that shares its read with nobody reads once.
func TestACallerAloneReadsOnce(t *testing.T) {
	s, other := openTwoWithPostings(t)
	for amount := range money.Amount(3) {
		posted(t, other, amount)
		reads := 0
		got, err := share(t.Context(), s, "something", func(*snapshot) (int, error) {
			reads++
			return reads, nil
		})
		if got != 1 || err != nil {
			t.Errorf("got %d reads, %v, want 1", got, err)
		}
	}
}

// TestAReadGoesOnWhenItsFirstCallerLeaves: a shared read continues for its other callers when the first
// one leaves.
func TestAReadGoesOnWhenItsFirstCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := openTwoWithPostings(t)
		defer func() { _, _ = s.Close(), other.Close() }() // within the bubble
		done := make(chan struct{})
		ask := func(ctx context.Context) (int, error) {
			return share(ctx, s, "something", func(one *snapshot) (int, error) {
				<-done
				_, err := one.newestTrade.Last()
				return 1, err
			})
		}
		ctx, leave := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		asking.Go(func() {
			if _, err := ask(ctx); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("the caller that left: got %v, want Unavailable", err)
			}
		})
		synctest.Wait()
		asking.Go(func() {
			if got, err := ask(t.Context()); got != 1 || err != nil {
				t.Errorf("the caller that stayed: got %d, %v, want 1, no error", got, err)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(done)
		asking.Wait()
	})
}

// cachedAnswers are the results of all methods whose sums are cached, and each of them printed.
type cachedAnswers struct {
	answers []any
	printed []string
}

func (r *cachedAnswers) take(t *testing.T, name string, answer any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r.answers = append(r.answers, answer)
	r.printed = append(r.printed, fmt.Sprintf("%s: %+v", name, answer))
}

// readCached calls all methods whose sums are cached.
func readCached(t *testing.T, s *Store) (r cachedAnswers) {
	t.Helper()
	usage, err := s.Usage(t.Context())
	r.take(t, "usage", usage, err)
	overview, err := s.OverviewData(t.Context(), budget.OverviewDataQuery{Horizon: budget.Month{Year: 2026, Period: 2}, Version: budget.Original})
	r.take(t, "overview", overview, err)
	for _, year := range []fiscal.Year{2025, 2026} {
		coverage, err := s.Coverage(t.Context(), year)
		r.take(t, "coverage", coverage, err)
		for _, version := range []budget.Version{budget.Original, budget.Forecast2} {
			months, err := s.Months(t.Context(), year, version, 0)
			r.take(t, "months", months, err)
			for _, through := range []fiscal.Period{2, 12} {
				part, err := s.YearToDate(t.Context(), year, through, version, 0)
				r.take(t, "year to date", part, err)
			}
		}
	}
	return r
}

// wantAsRead fails the test unless the results of the store equal those of a newly opened one, which has
// no cache, and earlier results are unchanged.
func (r *cachedAnswers) wantAsRead(t *testing.T, s *Store) {
	t.Helper()
	now := readCached(t, s)
	for i, answer := range r.answers {
		if _, then, _ := strings.Cut(r.printed[i], ": "); fmt.Sprintf("%+v", answer) != then {
			t.Fatalf("got an earlier result changed to %+v, want it unchanged: %s", answer, r.printed[i])
		}
	}
	*r = now
	fresh := opened(t, s.file.Path, time.Now)
	defer func() { _ = fresh.Close() }() // it was only read
	for i, want := range readCached(t, fresh).printed {
		if got := r.printed[i]; got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}
