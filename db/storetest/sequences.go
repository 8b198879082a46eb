package storetest

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// many is more records than a store reads in one short piece.
const many = 2_500

func sequences() []clause {
	var clauses []clause
	for _, list := range [][]clause{
		sequence[trading.Currency]{
			name: "currencies",
			add: func(ctx context.Context, s Store, i int) error {
				_, err := s.AddCurrency(ctx, trading.Currency{Code: money.Currency(fmt.Sprintf("C%d", i)), Name: "any"})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[trading.Currency, error] { return s.Currencies(ctx) },
			id:   func(c trading.Currency) int64 { return int64(c.ID) },
		}.clauses(),
		sequence[trading.Company]{
			name: "companies",
			add: func(ctx context.Context, s Store, _ int) error {
				_, err := s.AddCompany(ctx, trading.Company{Name: "any"})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[trading.Company, error] { return s.Companies(ctx) },
			id:   func(c trading.Company) int64 { return int64(c.ID) },
		}.clauses(),
		sequence[trading.Revenue]{
			name:  "revenues",
			first: func(t *testing.T, s Store) { company(t, s, "Acme") },
			add: func(ctx context.Context, s Store, _ int) error {
				_, err := s.AddRevenue(ctx, trading.Revenue{CompanyID: 1, Category: "any"})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[trading.Revenue, error] { return s.Revenues(ctx, 1) },
			id:   func(r trading.Revenue) int64 { return int64(r.ID) },
		}.clauses(),
		sequence[trading.Trade]{
			name: "trades",
			add: func(ctx context.Context, s Store, _ int) error {
				_, err := s.AddTrades(ctx, []trading.Trade{trade("ACME", trading.Buy, 1, "1")})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[trading.Trade, error] { return s.Trades(ctx) },
			id:   func(t trading.Trade) int64 { return int64(t.ID) },
		}.clauses(),
		sequence[budget.Department]{
			name: "departments",
			add: func(ctx context.Context, s Store, i int) error {
				_, err := s.CreateDepartment(ctx, budget.Department{Code: text.Code(fmt.Sprint("D", i)), Name: "any"})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[budget.Department, error] { return s.Departments(ctx) },
			id:   func(d budget.Department) int64 { return int64(d.ID) },
		}.clauses(),
		sequence[budget.Account]{
			name: "accounts",
			add: func(ctx context.Context, s Store, i int) error {
				_, err := s.CreateAccount(ctx, budget.Account{Code: text.Code(fmt.Sprint("A", i)), Type: budget.Opex})
				return err
			},
			read: func(ctx context.Context, s Store) iter.Seq2[budget.Account, error] { return s.Accounts(ctx) },
			id:   func(a budget.Account) int64 { return int64(a.ID) },
		}.clauses(),
	} {
		clauses = append(clauses, list...)
	}
	return append(clauses, clause{"positions can be written while they are read, and the reading can stop early", positionsWhileWritten})
}

// sequence is a list that a store yields by id.
type sequence[T any] struct {
	name  string
	first func(t *testing.T, s Store)                            // stores what the records need, or nil
	add   func(ctx context.Context, s Store, distinct int) error // is called by many goroutines at once
	read  func(ctx context.Context, s Store) iter.Seq2[T, error]
	id    func(T) int64
}

func (q sequence[T]) clauses() []clause {
	return []clause{
		{q.name + " end with the newest record at the time that they began, although more are written meanwhile", q.endsWithNewest},
		{q.name + " can be stopped early, and read again", q.stopsEarly},
		{q.name + " yield nothing after an error", q.endsWithError},
	}
}

// fill adds n records.
func (q sequence[T]) fill(t *testing.T, s Store, n int) {
	t.Helper()
	if q.first != nil {
		q.first(t, s)
	}
	var failed atomic.Value
	inCrowd(n, func(i int) {
		if err := q.add(t.Context(), s, i); err != nil {
			failed.Store(err)
		}
	})
	if err := failed.Load(); err != nil {
		t.Fatal(err)
	}
}

func (q sequence[T]) endsWithNewest(t *testing.T, s Store) {
	q.fill(t, s, many)
	var got []T
	written := 0
	for record, err := range q.read(t.Context(), s) {
		if err != nil {
			t.Fatal(err)
		}
		if len(got)%(many/5) == 0 && written < 9 {
			if err := q.add(t.Context(), s, many+written); err != nil {
				t.Fatalf("writing while %d of %d are read: got error %v, want none", len(got), many, err)
			}
			written++
		}
		got = append(got, record)
	}
	if len(got) != many {
		t.Errorf("got %d records, want the %d that existed at the start", len(got), many)
	}
	checkRising(t, got, q.id)
	if got, want := len(all(t, q.read(t.Context(), s))), many+written; got != want {
		t.Errorf("afterwards: got %d records, want %d", got, want)
	}
}

func (q sequence[T]) stopsEarly(t *testing.T, s Store) {
	q.fill(t, s, 5)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	list := q.read(ctx, s)
	for range 200 { // more than a store has connections
		for _, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if err := q.add(ctx, s, 5); err != nil {
		t.Fatalf("writing after stopped reads: got error %v, want none", err)
	}
	if got := len(all(t, list)); got != 6 {
		t.Errorf("read again: got %d records, want 6", got)
	}
}

func (q sequence[T]) endsWithError(t *testing.T, s Store) {
	q.fill(t, s, many)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	records, errs := 0, 0
	for _, err := range q.read(ctx, s) {
		if errs > 0 {
			t.Fatal("got a record after an error, want the end of the sequence")
		}
		if err != nil {
			errs++
			continue
		}
		records++
		cancel()
	}
	if errs == 0 && records != many {
		t.Errorf("got %d of %d records and no error, want all or an error", records, many)
	}
}

func positionsWhileWritten(t *testing.T, s Store) {
	held := make([]trading.Trade, many)
	for i := range held {
		held[i] = trade(fmt.Sprintf("S%05d", i), trading.Buy, 1, "1")
	}
	must(s.AddTrades(t.Context(), held))(t)
	got := 0
	for position, err := range s.Positions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if position.Quantity == 0 {
			t.Errorf("got a flat position in %s, want none", position.Symbol)
		}
		if got%(many/5) == 0 {
			must(s.AddTrades(t.Context(), []trading.Trade{trade("S00000", trading.Sell, 1, "1"), trade("S02000", trading.Buy, 1, "1")}))(t)
		}
		got++
	}
	if got != many {
		t.Errorf("got %d positions, want %d", got, many)
	}
	for range 200 {
		for _, err := range s.Positions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	checkPositions(t, s)
}
