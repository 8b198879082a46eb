package storetest

import (
	"testing"

	"daybook/internal/trading"
)

func empty() []clause {
	return []clause{
		{"a fresh store holds nothing", func(t *testing.T, s Store) {
			holdsNothing(t, s, true, true)
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
		{"a currency is something", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "USD")))(t)
			holdsNothing(t, s, false, true)
		}},
		{"a company is something", func(t *testing.T, s Store) {
			company(t, s, "Acme")
			holdsNothing(t, s, false, true)
		}},
		{"a trade is something until it is voided, flat or not", func(t *testing.T, s Store) {
			stored := must(s.AddTrades(t.Context(), []trading.Trade{
				trade("ACME", trading.Buy, 1, "1"), trade("ACME", trading.Sell, 1, "1"),
			}))(t)
			holdsNothing(t, s, false, true)
			for _, one := range stored {
				must(s.VoidTrade(t.Context(), one.ID))(t)
			}
			holdsNothing(t, s, true, true)
		}},
		{"a department is something until it is deleted", func(t *testing.T, s Store) {
			d := department(t, s, "ENG")
			holdsNothing(t, s, true, false)
			must(s.DeleteDepartment(t.Context(), d.ID))(t)
			holdsNothing(t, s, true, true)
		}},
		{"a token is no data", func(t *testing.T, s Store) {
			token(t, s, "feed")
			holdsNothing(t, s, true, true)
		}},
		{"an account is something until it is deleted", func(t *testing.T, s Store) {
			a := account(t, s, "4000")
			holdsNothing(t, s, true, false)
			must(s.DeleteAccount(t.Context(), a.ID))(t)
			holdsNothing(t, s, true, true)
		}},
	}
}

func holdsNothing(t *testing.T, s Store, wantTrading, wantBudget bool) {
	t.Helper()
	if got := must(s.TradingEmpty(t.Context()))(t); got != wantTrading {
		t.Errorf("trading empty: got %t, want %t", got, wantTrading)
	}
	if got := must(s.BudgetEmpty(t.Context()))(t); got != wantBudget {
		t.Errorf("budget empty: got %t, want %t", got, wantBudget)
	}
}
