package budget

import (
	"cmp"
	"context"
	"slices"

	"daybook/internal/fiscal"
)

// Quality is what is likely to be a mistake in a ledger.
type Quality struct {
	Unposted    []Gap // a budget other than 0 without an actual, before the newest month up to the horizon that has an actual
	Unbudgeted  []Gap // an actual without a budget line
	Namesakes   []Namesakes
	AgainstType []Account // that favour what their type does not, by id
}

// Gap is the periods of a fiscal year in which one side has nothing and the other has
// something, whatever their currencies. The budget is that of the original version.
type Gap struct {
	Department Department
	Account    Account
	Year       fiscal.Year
	Periods    fiscal.Set
}

// Namesakes are departments that share an identifier, which is therefore ambiguous.
type Namesakes struct {
	Identifier
	First []Department // by id, at most quality.MostListed
	Total int          // how many there are, with those that are not listed
}

// Quality looks for what is likely to be a mistake, and returns the first most of each kind: of gaps
// those of the newest year, and among these those of most periods.
func (l *Ledger) Quality(ctx context.Context, most int) (Quality, error) {
	v, err := l.store.Coverage(ctx)
	if err != nil {
		return Quality{}, err
	}
	all := chart{most: most}
	if err := l.store.Chart(ctx, all.department, all.account); err != nil {
		return Quality{}, err
	}
	q := Quality{Namesakes: all.namesakes(), AgainstType: all.againstType}
	q.Unposted, q.Unbudgeted = v.gaps(most, l.horizon())
	var departments []*Department
	var accounts []*Account
	for _, gaps := range [][]Gap{q.Unposted, q.Unbudgeted} {
		for i := range gaps {
			departments, accounts = append(departments, &gaps[i].Department), append(accounts, &gaps[i].Account)
		}
	}
	for _, same := range q.Namesakes {
		for i := range same.First {
			departments = append(departments, &same.First[i])
		}
	}
	for i := range q.AgainstType {
		accounts = append(accounts, &q.AgainstType[i])
	}
	err = l.name(ctx, departments, accounts)
	q.dropGone()
	return q, err
}

// dropGone drops the findings about a department or an account that was deleted since, and completes
// the identifiers that namesakes share.
func (q *Quality) dropGone() {
	gone := func(g Gap) bool { return g.Department.Code == "" || g.Account.Code == "" }
	q.Unposted, q.Unbudgeted = slices.DeleteFunc(q.Unposted, gone), slices.DeleteFunc(q.Unbudgeted, gone)
	q.Namesakes = slices.DeleteFunc(q.Namesakes, func(n Namesakes) bool {
		return slices.ContainsFunc(n.First, func(d Department) bool { return d.Code == "" })
	})
	for i := range q.Namesakes {
		same := &q.Namesakes[i]
		same.Value = string(same.First[0].Name)
		if same.By == ByCostCenter {
			same.Value = string(same.First[0].CostCenter)
		}
	}
}

// gaps are the periods in which one side lacks what the other has.
func (v Coverage) gaps(most int, horizon Month) (unposted, unbudgeted []Gap) {
	newest := v.newest(horizon)
	var unpostedCovers, unbudgetedCovers []Cover
	v.merge(func(budgeted, actual Cover) {
		at := actual
		if at.There = budgeted.Counting.Less(actual.There) & newest.passed(at.Year); at.There != 0 {
			unpostedCovers = append(unpostedCovers, at)
		}
		if at.There = actual.There.Less(budgeted.There); at.There != 0 {
			unbudgetedCovers = append(unbudgetedCovers, at)
		}
	})
	return named(most, unpostedCovers), named(most, unbudgetedCovers)
}

// passed are the periods of a year before the month.
func (m Month) passed(year fiscal.Year) fiscal.Set {
	switch {
	case year < m.Year:
		return fiscal.WholeYear
	case year == m.Year:
		return fiscal.Before(m.Period)
	}
	return 0
}

// reached are the periods of a year up to and with the month.
func (m Month) reached(year fiscal.Year) fiscal.Set {
	if year == m.Year {
		return m.passed(year).With(m.Period)
	}
	return m.passed(year)
}

// named are the first covers, as gaps with the ids of department and account.
func named(most int, covers []Cover) []Gap {
	slices.SortFunc(covers, func(a, b Cover) int {
		return cmp.Or(
			cmp.Compare(b.Year, a.Year), cmp.Compare(b.There.Len(), a.There.Len()),
			cmp.Compare(a.DepartmentID, b.DepartmentID), cmp.Compare(a.AccountID, b.AccountID))
	})
	var gaps []Gap
	for _, c := range upTo(most, covers) {
		gaps = append(gaps, Gap{Department: Department{ID: c.DepartmentID}, Account: Account{ID: c.AccountID}, Year: c.Year, Periods: c.There})
	}
	return gaps
}

func upTo[T any](most int, list []T) []T { return list[:min(len(list), most)] }
