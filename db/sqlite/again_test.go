package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"modernc.org/sqlite"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// queue sends a request and returns when it waits in the writer's queue. answer waits for its result.
func queue[T any](t *testing.T, s *Store, request func() (T, error)) (answer func() (T, error)) {
	t.Helper()
	ahead := s.writer.requests.Len()
	var record T
	var err error
	var asking sync.WaitGroup
	asking.Go(func() { record, err = request() })
	for s.writer.requests.Len() == ahead {
		runtime.Gosched()
	}
	return func() (T, error) {
		asking.Wait()
		return record, err
	}
}

// afterRollback calls then once, after the writer has rolled back a transaction and before it begins
// the next.
func afterRollback(t *testing.T, s *Store, then func()) {
	t.Helper()
	err := s.writer.conn.conn.Raw(func(conn any) error {
		hooks, is := conn.(sqlite.HookRegisterer)
		if !is {
			return errors.New("the driver has no hooks")
		}
		hooks.RegisterRollbackHook(sync.OnceFunc(then))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// claimedAs returns the context of a request with a key, whose answer is its record.
func claimedAs(t *testing.T, key idempotency.Key) context.Context {
	t.Helper()
	return claimedIn(t.Context(), key)
}

// claimedIn claims every kind of write that the tests make with a key.
func claimedIn(ctx context.Context, key idempotency.Key) context.Context {
	ctx = claim(ctx, key, records.Currency)
	ctx = claim(ctx, key, records.Department)
	ctx = claim(ctx, key, records.Account)
	ctx = claim(ctx, key, records.Line)
	ctx = claim(ctx, key, records.Actual)
	ctx = claim(ctx, key, tradeAnswer)
	ctx = idempotency.WithOne[budget.Line](ctx)
	ctx = idempotency.WithOne[budget.Actual](ctx)
	return idempotency.WithOne[trading.Trade](ctx)
}

func claim[T any](ctx context.Context, key idempotency.Key, body func(T) []byte) context.Context {
	return idempotency.With(ctx, idempotency.Claim[T]{
		Request: idempotency.Request{Principal: idempotency.Local, Key: key},
		Answer: func(result T) (idempotency.Answer, error) {
			return idempotency.Answer{Status: 200, Body: body(result)}, nil
		},
	})
}

// tradeAnswer encodes a trade with the field names of the API.
func tradeAnswer(t trading.Trade) []byte {
	return fmt.Appendf(nil, `{"Symbol":%q,"CurrencyCode":%q,"Shares":%d,"Product":%d,"Type":%t,"Price":%s,"Date":%q,"ID":%d}`,
		t.Symbol, t.Currency, t.Shares, t.Product, t.Side.Flag(), t.Price.AppendTo(nil), t.Date.Format(time.RFC3339Nano), t.ID)
}

// TestAGroupThatIsDoneAgain: a group with failing requests is rolled back and done again. Each request
// gets its own answer, only the good ones are stored, and their ids are unique, although another process
// wrote between.
func TestAGroupThatIsDoneAgain(t *testing.T) {
	s, other := openTwice(t)
	if _, err := s.CreateDepartment(t.Context(), budget.Department{Code: "FIN", Name: "Finance", Active: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(t.Context(), budget.Account{Code: "6000", Type: budget.Opex}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddCurrency(claimedAs(t, "done before"), trading.Currency{Code: "USD", Name: "US dollar"}); err != nil {
		t.Fatal(err)
	}
	line := func(period int) budget.Line {
		return budget.Line{LineKey: budget.LineKey{Key: newPosting(period), Version: budget.Original}, Amount: 1, Currency: "EUR"}
	}
	between := 0
	var foreign []budget.Line
	afterRollback(t, s, func() {
		between++
		var err error
		if foreign, err = other.CreateLines(t.Context(), []budget.Line{line(11), line(12)}); err != nil {
			t.Errorf("the other process: got %v, want no error", err)
		}
	})
	create := func(ctx context.Context, lines ...budget.Line) func() ([]budget.Line, error) {
		return queue(t, s, func() ([]budget.Line, error) { return s.CreateLines(ctx, lines) })
	}
	release := hold(t, s)
	good := []func() ([]budget.Line, error){create(t.Context(), line(1), line(2))}
	bad := []func() ([]budget.Line, error){create(t.Context(), line(3), line(4), line(3))} // fails after two lines
	good = append(good, create(claimedAs(t, "new"), line(5)))
	replayed := queue(t, s, func() (trading.Currency, error) {
		return s.AddCurrency(claimedAs(t, "done before"), trading.Currency{Code: "USD", Name: "US dollar"})
	})
	bad = append(bad, create(claimedAs(t, "in vain"), line(6), line(1)))
	actuals := queue(t, s, func() ([]budget.Actual, error) {
		return s.IngestActuals(t.Context(), []budget.Actual{{Key: newPosting(1), Amount: 1, Currency: "EUR"}})
	})
	good = append(good, create(t.Context(), line(7), line(8)))
	release()

	if between != 1 {
		t.Fatalf("got %d rollbacks before all were answered, want one", between)
	}
	want := map[budget.LineID]budget.Line{}
	note := func(lines []budget.Line) {
		for _, l := range lines {
			if taken, is := want[l.ID]; is || l.ID == 0 {
				t.Errorf("got %+v with the id of %+v, want another id", l, taken)
			}
			want[l.ID] = l
		}
	}
	for i, answer := range good {
		lines, err := answer()
		if err != nil {
			t.Errorf("good request %d: got %v, want no error", i, err)
		}
		note(lines)
	}
	note(foreign)
	for i, answer := range bad {
		if _, err := answer(); fault.KindOf(err) != fault.AlreadyExists {
			t.Errorf("bad request %d: got %v, want AlreadyExists", i, err)
		}
	}
	if _, err := replayed(); outcomeOf(err) != "answered US dollar" {
		t.Errorf("the request that was done before: got %s, want its answer", outcomeOf(err))
	}
	if stored, err := actuals(); err != nil || len(stored) != 1 || stored[0].ID != 1 {
		t.Errorf("actuals: got %v, %v, want one with the id 1", stored, err)
	}
	wantLines(t, s, want)
	for key, kept := range map[idempotency.Key]bool{"new": true, "in vain": false} {
		_, err := s.CreateLines(claimedAs(t, key), []budget.Line{line(9)})
		if _, answered := errors.AsType[*idempotency.AnsweredError](err); answered != kept {
			t.Errorf("a retry with the key %q: got %v, want the stored answer: %t", key, err, kept)
		}
	}
	if got := sqlitetest.Found(t, s.file.Path); len(got) > 0 {
		t.Errorf("afterwards: got %q, want nothing", got)
	}
}

// newPosting returns the key of a posting to the only department and account.
func newPosting(period int) budget.Key {
	return budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: fiscal.Period(period)}
}

// wantLines fails the test unless the store has exactly these budget lines, and their ids have no gap.
func wantLines(t *testing.T, s *Store, want map[budget.LineID]budget.Line) {
	t.Helper()
	page, err := s.LinePage(t.Context(), budget.LineFilter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	lines := page.Records
	if len(lines) != len(want) {
		t.Errorf("got %d lines, want %d", len(lines), len(want))
	}
	for i, l := range lines {
		if l != want[l.ID] {
			t.Errorf("got %+v, want %+v", l, want[l.ID])
		}
		if l.ID != budget.LineID(i+1) {
			t.Errorf("line %d: got the id %d, want no gap", i+1, l.ID)
		}
	}
}

// TestAGroupThatCannotBeDoneAgain: if another process takes the lock before the group is done again, and
// keeps it, every request of the group is refused, and nothing of it is stored.
func TestAGroupThatCannotBeDoneAgain(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	other, err := s.file.Open(t.Context(), "rw", 1, []file.Pragma{{Name: "busy_timeout", Value: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, err := s.writer.conn.conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 100"); err != nil {
		t.Fatal(err)
	}
	afterRollback(t, s, func() {
		if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Errorf("the other process: got %v, want no error", err)
		}
	})
	release := occupy(t, s)
	answers := []<-chan error{
		send(t.Context(), t, s, addCurrency("AAA")),
		send(t.Context(), t, s, func(context.Context, *tx) error { return fault.New(fault.Invalid, "refused") }),
		send(t.Context(), t, s, addCurrency("BBB")),
	}
	for i, err := range []error{release(), <-answers[0], <-answers[1], <-answers[2]} {
		if err == nil || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("request %d: got %v, want Unavailable", i, err)
		}
	}
	if _, err := other.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); len(got) != 0 {
		t.Errorf("got %v stored, want nothing", got)
	}
	if err := s.writer.write(t.Context(), addCurrency("CCC")); err != nil {
		t.Errorf("a write afterwards: got %v, want no error", err)
	}
	if entries, err := s.JournalPage(t.Context(), journal.Filter{Limit: 10}); err != nil || len(entries) != 0 {
		t.Errorf("got %v, %v, want an empty journal", entries, err)
	}
}
