package budget

import (
	"cmp"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Tally is what postings of one side add up to under an account in a currency: those
// of every department in one period, or those of one department in several periods.
type Tally struct {
	DepartmentID DepartmentID  // 0 = every department that is asked for
	Period       fiscal.Period // 0 = every period that is asked for
	AccountID    AccountID
	Currency     money.Currency
	Count        int64 // of the postings
	Sum          money.Sum
}

// Tallies are both sides of a fiscal year, added up, from one snapshot. A side is sorted
// by department id, period, account id and currency, which are unique together. They are
// shared: whoever asks for them leaves them as they are.
type Tallies struct {
	Departments map[DepartmentID]text.Code // of those that have tallies
	Accounts    map[AccountID]Account      // those that have tallies
	Budgeted    []Tally
	Actual      []Tally
}

// Compare orders the tallies of a side.
func (t *Tally) Compare(o *Tally) int {
	if order := cmp.Or(cmp.Compare(t.DepartmentID, o.DepartmentID), cmp.Compare(t.Period, o.Period), cmp.Compare(t.AccountID, o.AccountID)); order != 0 {
		return order
	}
	return cmp.Compare(t.Currency, o.Currency)
}

// compare walks both sides in step, and gives the figures of each place that has any;
// at is the tally of one of them.
func (t Tallies) compare(visit func(at *Tally, account Account, f Figures)) {
	budgeted, actual := t.Budgeted, t.Actual
	for len(budgeted) > 0 || len(actual) > 0 {
		var at *Tally
		var planned, posted *money.Sum
		var order int
		switch {
		case len(actual) == 0:
			order = -1
		case len(budgeted) == 0:
			order = 1
		default:
			order = budgeted[0].Compare(&actual[0])
		}
		if order <= 0 {
			at, planned, budgeted = &budgeted[0], &budgeted[0].Sum, budgeted[1:]
		}
		if order >= 0 {
			at, posted, actual = &actual[0], &actual[0].Sum, actual[1:]
		}
		account := t.Accounts[at.AccountID]
		visit(at, account, figuresOf(account.FavourHigh, planned, posted))
	}
}

// currencies counts the postings of each currency on both sides; a currency of "" is every
// one.
func (t Tallies) currencies(currency money.Currency) map[money.Currency]int64 {
	wanted, postings := within(currency), map[money.Currency]int64{}
	for _, side := range [][]Tally{t.Budgeted, t.Actual} {
		for i := range side {
			if wanted(side[i].Currency) {
				postings[side[i].Currency] += side[i].Count
			}
		}
	}
	return postings
}
