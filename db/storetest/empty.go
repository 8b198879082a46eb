package storetest

import (
	"testing"

	"daybook/internal/trading"
)

func empty() []clause {
	return []clause{
		{"a new store is empty", func(t *testing.T, s Store) {
			checkEmpty(t, s, true, true)
			same(t, "currencies", all(t, s.Currencies(t.Context())), nil)
			same(t, "companies", all(t, s.Companies(t.Context())), nil)
			same(t, "trades", all(t, s.Trades(t.Context())), nil)
			same(t, "positions", all(t, s.Positions(t.Context())), nil)
			same(t, "departments", all(t, s.Departments(t.Context())), nil)
			same(t, "accounts", all(t, s.Accounts(t.Context())), nil)
			same(t, "lines", allLines(t, s), nil)
			same(t, "actuals", allActuals(t, s), nil)
			same(t, "tokens", must(s.Tokens(t.Context()))(t), nil)
		}},
		{"a store with a currency is not empty", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "USD")))(t)
			checkEmpty(t, s, false, true)
		}},
		{"a store with a company is not empty", func(t *testing.T, s Store) {
			company(t, s, "Acme")
			checkEmpty(t, s, false, true)
		}},
		{"a store with trades is not empty until all are voided, even if the position is flat", func(t *testing.T, s Store) {
			stored := must(s.AddTrades(t.Context(), []trading.Trade{
				trade("ACME", trading.Buy, 1, "1"), trade("ACME", trading.Sell, 1, "1"),
			}))(t)
			checkEmpty(t, s, false, true)
			for _, one := range stored {
				must(s.VoidTrade(t.Context(), one.ID))(t)
			}
			checkEmpty(t, s, true, true)
		}},
		{"a store with a department is not empty until it is deleted", func(t *testing.T, s Store) {
			d := department(t, s, "ENG")
			checkEmpty(t, s, true, false)
			must(s.DeleteDepartment(t.Context(), d.ID))(t)
			checkEmpty(t, s, true, true)
		}},
		{"a store with only a token is empty", func(t *testing.T, s Store) {
			token(t, s, "feed")
			checkEmpty(t, s, true, true)
		}},
		{"a store with an account is not empty until it is deleted", func(t *testing.T, s Store) {
			a := account(t, s, "4000")
			checkEmpty(t, s, true, false)
			must(s.DeleteAccount(t.Context(), a.ID))(t)
			checkEmpty(t, s, true, true)
		}},
	}
}

// checkEmpty fails the test unless the store says of each domain whether it is empty, as wanted.
func checkEmpty(t *testing.T, s Store, wantTrading, wantBudget bool) {
	t.Helper()
	if got := must(s.TradingEmpty(t.Context()))(t); got != wantTrading {
		t.Errorf("trading empty: got %t, want %t", got, wantTrading)
	}
	if got := must(s.BudgetEmpty(t.Context()))(t); got != wantBudget {
		t.Errorf("budget empty: got %t, want %t", got, wantBudget)
	}
}
