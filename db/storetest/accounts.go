package storetest

import (
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

func accounts() []clause {
	return []clause{
		{"accounts are returned as they were stored, and listed by id", func(t *testing.T, s Store) {
			var want []budget.Account
			for _, a := range []budget.Account{
				{Code: "4000", Description: "Sales\nof all\tkinds", Type: budget.Revenue, FavourHigh: true},
				{Code: "4900", Description: "Sales returns", Type: budget.Revenue},
				{Code: "5000", Type: budget.COGS},
				{Code: "6000", Type: budget.Opex, FavourHigh: true},
				{Code: "7000", Type: budget.Headcount},
				{Code: "8000", Description: text.Note(strings.Repeat("漢", text.MaxNote)), Type: budget.Capex},
			} {
				got := must(s.CreateAccount(t.Context(), a))(t)
				a.ID = got.ID
				same(t, "stored account", got, a)
				want = append(want, a)
			}
			same(t, "accounts", all(t, s.Accounts(t.Context())), want)
			checkRising(t, want, func(a budget.Account) int64 { return int64(a.ID) })
		}},
		{"a code that exists is refused in upper and lower case, and the error has the id of its account", func(t *testing.T, s Store) {
			for _, spellings := range [][]text.Code{{"Acc-1", "ACC-1", "acc-1"}, {"É1", "é1"}} {
				stored := account(t, s, spellings[0])
				for _, code := range spellings {
					refusedAsTaken[budget.Account](t, stored.ID)(s.CreateAccount(t.Context(), budget.Account{Code: code, Type: budget.Capex}))
				}
			}
			if got := len(all(t, s.Accounts(t.Context()))); got != 2 {
				t.Errorf("got %d accounts, want 2", got)
			}
		}},
		{"an account is found by its code in upper and lower case", func(t *testing.T, s Store) {
			first, second := account(t, s, "Acc-1"), account(t, s, "É1")
			same(t, "account", must(s.Account(t.Context(), "aCC-1"))(t), first)
			same(t, "account", must(s.Account(t.Context(), "é1"))(t), second)
			refused(s.Account(t.Context(), "Acc"))(t, fault.NotFound)
		}},
		{"a deleted account is returned and removed, and its id is never used again", func(t *testing.T, s Store) {
			first, last := account(t, s, "1"), account(t, s, "2")
			same(t, "deleted account", must(s.DeleteAccount(t.Context(), last.ID))(t), last)
			refused(s.DeleteAccount(t.Context(), last.ID))(t, fault.NotFound)
			same(t, "accounts", all(t, s.Accounts(t.Context())), []budget.Account{first})
			if next := account(t, s, "2"); next.ID <= last.ID {
				t.Errorf("got id %d after deleting %d, want a higher one", next.ID, last.ID)
			}
		}},
		{"an account with budget lines or actuals cannot be deleted, and the message counts them", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			inUse(t, s, chart, func() error {
				_, err := s.DeleteAccount(t.Context(), chart.account)
				return err
			})
		}},
	}
}

func account(t *testing.T, s Store, code text.Code) budget.Account {
	t.Helper()
	return must(s.CreateAccount(t.Context(), budget.Account{Code: code, Type: budget.Opex}))(t)
}
