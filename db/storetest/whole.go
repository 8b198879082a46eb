package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// whole are the clauses about Atomically.
func whole() []clause {
	return []clause{
		{"records of trading and of budgets are stored together", func(t *testing.T, s Store) {
			if err := s.Atomically(t.Context(), func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Fatal(err)
			}
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 2)
			same(t, "positions", len(all(t, s.Positions(t.Context()))), 1)
			same(t, "lines", len(allLines(t, s)), 1)
			same(t, "actuals", len(allActuals(t, s)), 1)
			checkPositions(t, s)
		}},
		{"nothing is stored if the work fails, and the store can still write", func(t *testing.T, s Store) {
			failure := errors.New("no more")
			for name, fail := range map[string]func() error{
				"an error": func() error { return failure },
				"a panic":  func() error { panic("a defect") },
			} {
				err := s.Atomically(t.Context(), func(ctx context.Context) error {
					return errors.Join(storeBoth(ctx, s, "A"), fail())
				})
				if err == nil {
					t.Errorf("%s: got no error, want one", name)
				}
				checkEmpty(t, s, true, true)
			}
			if err := s.Atomically(t.Context(), func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Errorf("after the failures: got error %v, want none", err)
			}
		}},
		{"nothing is stored if a call in the work is refused, even if the work ignores the error", func(t *testing.T, s Store) {
			err := s.Atomically(t.Context(), func(ctx context.Context) error {
				_ = storeBoth(ctx, s, "A")
				_, _ = s.CreateAccount(ctx, budget.Account{Code: "A", Type: budget.Opex})
				return storeBoth(ctx, s, "B")
			})
			if got := fault.KindOf(err); got != fault.AlreadyExists {
				t.Errorf("got error %v, want kind AlreadyExists", err)
			}
			checkEmpty(t, s, true, true)
		}},
		{"the work sees what it stored, and others see it only after the end", func(t *testing.T, s Store) {
			if err := s.Atomically(t.Context(), func(ctx context.Context) error {
				known := func(ctx context.Context) string {
					trading, err := s.TradingEmpty(ctx)
					budget, errBudget := s.BudgetEmpty(ctx)
					return fmt.Sprint(trading, budget, errors.Join(err, errBudget))
				}
				before := known(ctx)
				if err := storeBoth(ctx, s, "A"); err != nil {
					return err
				}
				same(t, "empty before, after, and to others", []string{before, known(ctx), known(t.Context())},
					[]string{"true true <nil>", "false false <nil>", "true true <nil>"})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			checkEmpty(t, s, false, false)
		}},
		{"when many call Atomically at the same time, one runs after another", func(t *testing.T, s Store) {
			inCrowd(crowd, func(int) {
				_ = s.Atomically(t.Context(), func(ctx context.Context) error {
					if empty, err := s.BudgetEmpty(ctx); err != nil || !empty {
						return errors.Join(err, errors.New("the store is not empty: another call was first"))
					}
					return storeBoth(ctx, s, "A")
				})
			})
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 2)
			checkPositions(t, s)
		}},
	}
}

// storeBoth stores records of both domains: two trades, a department, an account, a line and an actual.
func storeBoth(ctx context.Context, s Store, code text.Code) error {
	_, err := s.AddTrades(ctx, []trading.Trade{trade(string(code), trading.Buy, 3, "1"), trade(string(code), trading.Sell, 1, "2")})
	if err != nil {
		return err
	}
	d, err := s.CreateDepartment(ctx, budget.Department{Code: "D" + code, Name: "any"})
	if err != nil {
		return err
	}
	a, err := s.CreateAccount(ctx, budget.Account{Code: code, Type: budget.Opex})
	if err != nil {
		return err
	}
	at := chart{department: d.ID, account: a.ID}
	if _, err := s.CreateLines(ctx, []budget.Line{at.line(1)}); err != nil {
		return err
	}
	_, err = s.IngestActuals(ctx, []budget.Actual{at.actual(1)})
	return err
}
