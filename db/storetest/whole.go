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

// whole is about Atomically.
func whole() []clause {
	return []clause{
		{"is stored whole, through both doors", func(t *testing.T, s Store) {
			if err := s.Atomically(t.Context(), func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Fatal(err)
			}
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 2)
			same(t, "positions", len(all(t, s.Positions(t.Context()))), 1)
			same(t, "lines", len(allLines(t, s)), 1)
			same(t, "actuals", len(allActuals(t, s)), 1)
			agree(t, s)
		}},
		{"leaves nothing when it fails, and others go on", func(t *testing.T, s Store) {
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
				holdsNothing(t, s, true, true)
			}
			if err := s.Atomically(t.Context(), func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		}},
		{"fails with a part that is refused, also where nobody heeds that", func(t *testing.T, s Store) {
			err := s.Atomically(t.Context(), func(ctx context.Context) error {
				_ = storeBoth(ctx, s, "A")
				_, _ = s.CreateAccount(ctx, budget.Account{Code: "A", Type: budget.Opex})
				return storeBoth(ctx, s, "B")
			})
			if got := fault.KindOf(err); got != fault.AlreadyExists {
				t.Errorf("got %v, want the error", err)
			}
			holdsNothing(t, s, true, true)
		}},
		{"knows what it stored, and shows it to nobody before its end", func(t *testing.T, s Store) {
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
			holdsNothing(t, s, false, false)
		}},
		{"of a crowd is one after another", func(t *testing.T, s Store) {
			inCrowd(crowd, func(int) {
				_ = s.Atomically(t.Context(), func(ctx context.Context) error {
					if empty, err := s.BudgetEmpty(ctx); err != nil || !empty {
						return errors.Join(err, errors.New("another was first"))
					}
					return storeBoth(ctx, s, "A")
				})
			})
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 2)
			agree(t, s)
		}},
	}
}

// storeBoth stores something of each domain.
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
	at := plot{department: d.ID, account: a.ID}
	if _, err := s.CreateLines(ctx, []budget.Line{at.line(1)}); err != nil {
		return err
	}
	_, err = s.IngestActuals(ctx, []budget.Actual{at.actual(1)})
	return err
}
