package budget

import (
	"cmp"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Tally is the sum of one side's postings to an account in a currency: of every department in
// one period, or of one department in several periods.
type Tally struct {
	DepartmentID DepartmentID  // 0 = all selected departments
	Period       fiscal.Period // 0 = all selected periods
	AccountID    AccountID
	Currency     money.Currency
	Count        int64 // of the postings
	Sum          money.Sum
}

// Tallies are the sums of both sides of a fiscal year, read from one snapshot. Each side is
// sorted by department id, period, account id and currency, which are unique together. Callers
// share them and must not change them.
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

// Places counts the accounts that have a tally, in each department, period and currency.
func (t Tallies) Places() int { return places(t.Budgeted, t.Actual, (*Tally).Compare) }

// merge visits each place that has either side, with its figures; at is a tally of that place.
func (t Tallies) merge(visit func(at *Tally, account Account, f Figures)) {
	merge(t.Budgeted, t.Actual, (*Tally).Compare, func(budgeted, actual *Tally) {
		at := either(budgeted, actual)
		account := t.Accounts[at.AccountID]
		visit(at, account, figuresOf(account.FavourHigh, budgeted.sum(), actual.sum()))
	})
}

// sum is the tally's sum; nil of no tally.
func (t *Tally) sum() *money.Sum {
	if t == nil {
		return nil
	}
	return &t.Sum
}

// currencies counts the postings of both sides by currency: of one currency, or of all for "".
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
