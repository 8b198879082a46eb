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

// Namesakes are departments that share a name, which is therefore ambiguous.
type Namesakes struct {
	Name  string
	First []Department // by id, at most quality.MostListed
	Total int          // how many there are, with those that are not listed
}

// Quality looks for what is likely to be a mistake, and returns the first most of each kind: of gaps
// those of the newest year, and among these those of most periods.
func (l *Ledger) Quality(ctx context.Context, most int) (Quality, error) {
	unposted, unbudgeted, err := l.gaps(ctx, most)
	if err != nil {
		return Quality{}, err
	}
	all := chart{most: most}
	if err := l.Chart(ctx, all.department, all.account); err != nil {
		return Quality{}, err
	}
	q := Quality{Namesakes: all.namesakes(), AgainstType: all.againstType, Unposted: unposted, Unbudgeted: unbudgeted}
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
// the names that namesakes share.
func (q *Quality) dropGone() {
	gone := func(g Gap) bool { return g.Department.Code == "" || g.Account.Code == "" }
	q.Unposted, q.Unbudgeted = slices.DeleteFunc(q.Unposted, gone), slices.DeleteFunc(q.Unbudgeted, gone)
	q.Namesakes = slices.DeleteFunc(q.Namesakes, func(n Namesakes) bool {
		return slices.ContainsFunc(n.First, func(d Department) bool { return d.Code == "" })
	})
	for i := range q.Namesakes {
		same := &q.Namesakes[i]
		same.Name = string(same.First[0].Name)
	}
}

// gaps returns the first most gaps of either side. It reads the newest years until it has them.
func (l *Ledger) gaps(ctx context.Context, most int) (unposted, unbudgeted []Gap, err error) {
	usage, err := l.Usage(ctx)
	if err != nil {
		return nil, nil, err
	}
	newest := usage.Actuals.newest(l.horizon())
	for _, year := range slices.Backward(usage.Years()) {
		if len(unposted) >= most && len(unbudgeted) >= most {
			break
		}
		v, err := l.Coverage(ctx, year)
		if err != nil {
			return nil, nil, err
		}
		lacking, beyond := v.gaps(most, newest)
		unposted, unbudgeted = append(unposted, lacking...), append(unbudgeted, beyond...)
	}
	return upTo(most, unposted), upTo(most, unbudgeted), nil
}

// newest is the newest month with a posting up to the horizon, or zero if there is none.
func (u Use) newest(horizon Month) (newest Month) {
	for m := range u.Months {
		if !horizon.Before(m) && newest.Before(m) {
			newest = m
		}
	}
	return newest
}

// gaps are the periods of a year in which one side lacks what the other has: the first most accounts
// with such periods. A budget is expected to have an actual before the newest month.
func (v Coverage) gaps(most int, newest Month) (unposted, unbudgeted []Gap) {
	lacking, beyond := firstCovers{most: most}, firstCovers{most: most}
	v.merge(func(budgeted, actual Cover) {
		at := actual
		at.There = budgeted.Counting.Less(actual.There) & newest.passed(at.Year)
		lacking.add(at)
		at.There = actual.There.Less(budgeted.There)
		beyond.add(at)
	})
	return lacking.gaps(), beyond.gaps()
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

// firstCovers keeps the first covers of a year: those of most periods.
type firstCovers struct {
	most   int
	covers []Cover
}

// add adds a cover, unless it has no period.
func (f *firstCovers) add(c Cover) {
	if c.There == 0 {
		return
	}
	f.covers = append(f.covers, c)
	if len(f.covers) > 2*f.most {
		f.cut()
	}
}

func (f *firstCovers) cut() {
	slices.SortFunc(f.covers, func(a, b Cover) int {
		return cmp.Or(cmp.Compare(b.There.Len(), a.There.Len()), cmp.Compare(a.DepartmentID, b.DepartmentID), cmp.Compare(a.AccountID, b.AccountID))
	})
	f.covers = upTo(f.most, f.covers)
}

// gaps returns the covers as gaps with the ids of department and account.
func (f *firstCovers) gaps() (gaps []Gap) {
	f.cut()
	for _, c := range f.covers {
		gaps = append(gaps, Gap{Department: Department{ID: c.DepartmentID}, Account: Account{ID: c.AccountID}, Year: c.Year, Periods: c.There})
	}
	return gaps
}

func upTo[T any](most int, list []T) []T { return list[:min(len(list), most)] }
