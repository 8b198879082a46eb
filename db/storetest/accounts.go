package storetest

import (
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
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
		{"a change sets the fields that it names, and reports follow it", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			must(s.CreateLines(t.Context(), []budget.Line{chart.line(1)}))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			want := all(t, s.Accounts(t.Context()))[0]
			year := chart.line(1).Year
			tallied := func() budget.Tallies { return must(s.Months(t.Context(), year, budget.Original, 0))(t) }
			before := tallied()
			set := budget.AccountFields.Part
			for _, to := range []field.Part[budget.Account]{
				set(budget.Account{Type: budget.Revenue, FavourHigh: true}, "type", "favour_high"),
				set(budget.Account{Code: "É-1", Description: "Sales\nof all kinds"}, "code", "description"),
				set(budget.Account{}, "favour_high"),
			} {
				change := budget.AccountChange{To: to}
				want, _ = change.Apply(want)
				same(t, "account", must(s.UpdateAccount(t.Context(), want.ID, change))(t), want)
				same(t, "account by code", must(s.Account(t.Context(), want.Code))(t), want)
				postings := must(s.Postings(t.Context(), year, 1, budget.Original, 0))(t)
				same(t, "account of the report", postings.Accounts[want.ID], want)
				after := tallied()
				same(t, "account of the months", after.Accounts[want.ID], want)
				same(t, "sums", after.Actual, before.Actual)
				same(t, "sums of the budget", after.Budgeted, before.Budgeted)
			}
		}},
		{"a change of no account, to the code of another one, or of other values than were seen is refused and stores nothing", func(t *testing.T, s Store) {
			a, other := account(t, s, "1"), account(t, s, "é")
			change := budget.AccountChange{To: budget.AccountFields.Part(budget.Account{Code: "É", Type: budget.Capex}, "code", "type")}
			_, err := s.UpdateAccount(t.Context(), other.ID+1, change)
			refused(0, err)(t, fault.NotFound)
			refusedAsTaken[budget.Account](t, other.ID)(s.UpdateAccount(t.Context(), a.ID, change))
			theirs := budget.AccountChange{To: budget.AccountFields.Part(budget.Account{Type: budget.COGS}, "type")}
			want := must(s.UpdateAccount(journal.With(t.Context(), journal.Origin{Actor: "them"}), a.ID, theirs))(t)
			third := account(t, s, "3")
			change = budget.AccountChange{
				To:  budget.AccountFields.Part(budget.Account{FavourHigh: true}, "favour_high"),
				Was: budget.AccountFields.Part(a, "type", "favour_high"),
			}
			_, err = s.UpdateAccount(t.Context(), a.ID, change)
			checkSince(t, s, refused(0, err)(t, fault.ChangedSince, "type"), "cogs")
			same(t, "accounts", all(t, s.Accounts(t.Context())), []budget.Account{want, other, third})
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
