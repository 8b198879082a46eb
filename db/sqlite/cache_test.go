package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// books opens two stores on one file, as two processes do, with a posting on each side.
func books(t *testing.T) (s, other *Store) {
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

// year reads the months of all departments, which are cached.
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

func TestAnUnrelatedRecordLeavesTheCacheAlone(t *testing.T) {
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

// TestTheSidesOfACoverageAreCachedApart: a feed of actuals does not change the cached side of the
// budget, which is the longer one.
func TestTheSidesOfACoverageAreCachedApart(t *testing.T) {
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

func TestASumFarBehindTheHeadIsReadAgain(t *testing.T) {
	s, _ := books(t)
	before := year(t, s)
	posted(t, s, make([]money.Amount, records.MostReplayed)...)
	posted(t, s, 3)
	after := year(t, s)
	wantSum(t, after.Actual, 3)
	wantSum(t, after.Budgeted, 100)
	if &after.Budgeted[0] == &before.Budgeted[0] {
		t.Error("got the budget remembered without a look at what lies between, want it read anew")
	}
}

// TestTheCacheFollowsTheJournal edits the tables without the journal, so that a result from the cache
// differs from a new read.
func TestTheCacheFollowsTheJournal(t *testing.T) {
	s, other := books(t)
	planned(t, s, 2)
	recalledFrom(t, s)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE budget_lines SET amount = 0, currency = 'CHF' WHERE fiscal_period = 2")
	planned(t, other, 3)
	got := year(t, s).Budgeted
	if len(got) != 3 || got[1].Currency != "EUR" || got[1].Sum != money.SumOf(100) {
		t.Errorf("got %+v, want the tallies that are remembered, and one more", got)
	}
	usage, err := s.Usage(t.Context())
	if err != nil || usage.Lines.Currencies["EUR"] != 3 {
		t.Errorf("got %+v, %v, want the use that is remembered, and a line more", usage.Lines, err)
	}
	coverage, err := s.Coverage(t.Context())
	if err != nil || coverage.Budgeted[0].Counting.Len() != 3 {
		t.Errorf("got %+v, %v, want the periods that are remembered, and one more", coverage.Budgeted, err)
	}
}

// TestAnOlderSnapshotKeepsItsCachedSum caches a newer state while an older snapshot is open. The older
// one needs no new read.
func TestAnOlderSnapshotKeepsItsCachedSum(t *testing.T) {
	s, other := books(t)
	before := year(t, s)
	err := s.snapshot(t.Context(), func(one *snapshot) error {
		posted(t, other, 7)
		wantSum(t, year(t, s).Actual, 7)
		got, err := one.tallies(monthsOf(2026, budget.Original), 0, undescribed)
		if &got.Actual[0] != &before.Actual[0] {
			t.Errorf("got %v read anew, want what was remembered", got.Actual)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	wantSum(t, year(t, s).Actual, 7)
}

func TestASumThatCannotFollowIsReadAgain(t *testing.T) {
	s, other := books(t)
	var kept recalled
	kept.wantAsRead(t, s)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE actuals SET amount = 7, currency = 'CHF', source = 'ERP'")
	posted(t, other, 3) // instead of 7 CHF, of which nothing is remembered
	kept.wantAsRead(t, s)
}

// TestConcurrentReadsOfTheCache reads the same sum in several goroutines while actuals are posted. Each
// read sees at least the posts before it.
func TestConcurrentReadsOfTheCache(t *testing.T) {
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

// Concurrent callers share one read. Here a read is held up until all other callers wait for it, and
// each of them needs newer data than the one before: one more read serves them all.
func TestConcurrentCallersShareARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := books(t)
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
				t.Errorf("got what was at head %d, %v, want %d or newer", got, err, least.Seq)
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

// A record that a shared read did not find may exist for a later caller.
func TestAnErrorIsNotSharedWithALaterCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := books(t)
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

func TestACallerAloneReadsOnce(t *testing.T) {
	s, other := books(t)
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

// A read goes on for its other callers when the first one leaves.
func TestAReadGoesOnWhenItsFirstCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := books(t)
		defer func() { _, _ = s.Close(), other.Close() }() // within the bubble
		done := make(chan struct{})
		ask := func(ctx context.Context) (int, error) {
			return share(ctx, s, "something", func(one *snapshot) (int, error) {
				<-done
				got, err := one.conn.Value("SELECT 7")
				return len(got), err
			})
		}
		ctx, leave := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		asking.Go(func() {
			if _, err := ask(ctx); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("whoever left: got %v, want the read given up", err)
			}
		})
		synctest.Wait()
		asking.Go(func() {
			if got, err := ask(t.Context()); got != 1 || err != nil {
				t.Errorf("whoever stayed: got %d, %v, want what was read", got, err)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(done)
		asking.Wait()
	})
}

// recalled is every answer that may be remembered, and how each reads.
type recalled struct {
	answers []any
	printed []string
}

func (r *recalled) take(t *testing.T, name string, answer any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r.answers = append(r.answers, answer)
	r.printed = append(r.printed, fmt.Sprintf("%s: %+v", name, answer))
}

func recalledFrom(t *testing.T, s *Store) (r recalled) {
	t.Helper()
	usage, err := s.Usage(t.Context())
	r.take(t, "usage", usage, err)
	coverage, err := s.Coverage(t.Context())
	r.take(t, "coverage", coverage, err)
	overview, err := s.OverviewData(t.Context(), budget.OverviewDataQuery{Horizon: budget.Month{Year: 2026, Period: 2}, Version: budget.Original})
	r.take(t, "overview", overview, err)
	for _, year := range []fiscal.Year{2025, 2026} {
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

// wantAsRead fails unless the cached sums equal the reads of a newly opened store, and the sums cached
// before are unchanged.
func (r *recalled) wantAsRead(t *testing.T, s *Store) {
	t.Helper()
	now := recalledFrom(t, s)
	for i, answer := range r.answers {
		if _, then, _ := strings.Cut(r.printed[i], ": "); fmt.Sprintf("%+v", answer) != then {
			t.Fatalf("got what was answered changed to %+v, was %s", answer, r.printed[i])
		}
	}
	*r = now
	fresh := opened(t, s.file.Path, time.Now)
	defer func() { _ = fresh.Close() }() // it was only read
	for i, want := range recalledFrom(t, fresh).printed {
		if got := r.printed[i]; got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}

// TestTheCacheEqualsARead makes random changes of every kind in two processes whose clocks jump.
func TestTheCacheEqualsARead(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/app.db"
			c := clerking{Rand: rand.New(rand.NewPCG(seed, 7))}
			now := jumping()
			c.stores = []*Store{opened(t, path, now), opened(t, path, now)}
			for _, code := range []text.Code{"0", "1", "2"} {
				if err := c.found(t.Context(), c.stores[0], code); err != nil {
					t.Fatal(err)
				}
			}
			var kept recalled
			for range 60 {
				for range 1 + c.IntN(12) {
					c.change(t)
				}
				kept.wantAsRead(t, c.stores[0])
			}
			for len(c.lines)+len(c.actuals) > 0 {
				c.removeSome(t)
				kept.wantAsRead(t, c.stores[0])
			}
			if got := kept.printed[0]; strings.ContainsAny(got, "123456789") {
				t.Errorf("got %s when nothing was left", got)
			}
		})
	}
}

// clerking is somebody who changes the books at random.
type clerking struct {
	*rand.Rand
	stores      []*Store
	departments []budget.DepartmentID // and what else was ever created
	accounts    []budget.AccountID
	lines       []budget.LineID
	actuals     []budget.ActualID
}

// jumping is a clock that jumps forward and back.
func jumping() func() time.Time {
	var ticks atomic.Int64
	return func() time.Time { return time.Date(2026, 1, 1+int(ticks.Add(7919)%1000), 0, 0, 0, 0, time.UTC) }
}

// oneOf returns one of the newest elements.
func oneOf[T any](c *clerking, of ...T) T {
	of = of[max(0, len(of)-50):]
	return of[c.IntN(len(of))]
}

func (c *clerking) key() budget.Key {
	return budget.Key{
		DepartmentID: oneOf(c, c.departments...), AccountID: oneOf(c, c.accounts...),
		Year: fiscal.Year(2025 + c.IntN(2)), Period: oneOf[fiscal.Period](c, 1, 2, 3, 12),
	}
}

func (c *clerking) amount() money.Amount {
	return oneOf(c, 0, 0, 1, -1, money.Amount(c.IntN(1_000_000)), 999_999_999_999_999_999, -999_999_999_999_999_999)
}

func (c *clerking) currency() money.Currency {
	return oneOf[money.Currency](c, "EUR", "EUR", "USD", "CHF")
}

// change sends a change to one of the stores, which may refuse it.
func (c *clerking) change(t *testing.T) {
	t.Helper()
	ctx, s := t.Context(), oneOf(c, c.stores...)
	var err error
	switch c.IntN(16) {
	case 0:
		err = c.found(ctx, s, text.Code(fmt.Sprint(c.IntN(4))))
	case 1:
		_, err = s.DeleteDepartment(ctx, oneOf(c, c.departments...))
	case 2:
		_, err = s.DeleteAccount(ctx, oneOf(c, c.accounts...))
	case 3:
		_, err = s.SetActive(ctx, budget.Identifier{By: budget.ByCode, Value: fmt.Sprint(c.IntN(4))}, c.IntN(2) == 0)
	case 4, 5, 6, 7:
		err = c.plan(ctx, s)
	case 8:
		_, err = s.UpdateLine(ctx, budget.LineRef{ID: oneOf(c, append(c.lines, 1)...)}, budget.LineChange{Amount: new(c.amount())})
	case 9, 10:
		_, err = s.DeleteLine(ctx, oneOf(c, append(c.lines, 1)...))
	case 11, 12, 13:
		err = c.post(ctx, s)
	default:
		_, err = s.DeleteActual(ctx, oneOf(c, append(c.actuals, 1)...))
	}
	if err != nil && fault.KindOf(err) == fault.Internal {
		t.Fatal(err)
	}
}

// found creates a department and an account.
func (c *clerking) found(ctx context.Context, s *Store, code text.Code) error {
	d, err := s.CreateDepartment(ctx, budget.Department{Code: code, Name: text.Name(code), Active: true})
	if err == nil {
		c.departments = append(c.departments, d.ID)
	}
	a, err := s.CreateAccount(ctx, budget.Account{Code: code, Type: budget.Opex})
	if err == nil {
		c.accounts = append(c.accounts, a.ID)
	}
	return err
}

func (c *clerking) plan(ctx context.Context, s *Store) error {
	var lines []budget.Line
	for range 1 + c.IntN(3) {
		key := budget.LineKey{Key: c.key(), Version: oneOf(c, budget.Versions()...)}
		lines = append(lines, budget.Line{LineKey: key, Amount: c.amount(), Currency: c.currency()})
	}
	stored, err := s.CreateLines(ctx, lines)
	if err == nil {
		c.lines = append(c.lines, rows.Map(stored, func(l budget.Line) budget.LineID { return l.ID })...)
	}
	return err
}

func (c *clerking) post(ctx context.Context, s *Store) error {
	var actuals []budget.Actual
	for range 1 + c.IntN(5) {
		actuals = append(actuals, budget.Actual{Key: c.key(), Amount: c.amount(), Currency: c.currency(), Source: oneOf[text.Source](c, "", "erp", "a \"b\"", "ü")})
	}
	stored, err := s.IngestActuals(ctx, actuals)
	if err == nil {
		c.actuals = append(c.actuals, rows.Map(stored, func(a budget.Actual) budget.ActualID { return a.ID })...)
	}
	return err
}

// removeSome removes the oldest ones.
func (c *clerking) removeSome(t *testing.T) {
	t.Helper()
	lines, actuals := min(100, len(c.lines)), min(100, len(c.actuals))
	for _, id := range c.lines[:lines] {
		_, _ = c.stores[1].DeleteLine(t.Context(), id) // it may be gone
	}
	for _, id := range c.actuals[:actuals] {
		_, _ = c.stores[0].DeleteActual(t.Context(), id) // it may be gone
	}
	c.lines, c.actuals = c.lines[lines:], c.actuals[actuals:]
}
