package budget

import (
	"cmp"
	"context"
	"maps"
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

// Namesakes are departments, by id, that share an identifier, which is therefore ambiguous.
type Namesakes struct {
	Identifier
	Departments []Department
}

// Quality looks for what is likely to be a mistake, and returns the first most of each kind: of gaps
// those of the newest year, and among these those of most periods.
func (l *Ledger) Quality(ctx context.Context, most int) (Quality, error) {
	v, err := l.store.Coverage(ctx)
	if err != nil {
		return Quality{}, err
	}
	unposted, unbudgeted := v.gaps(most, l.horizon())
	departments := slices.SortedFunc(maps.Values(v.Departments), func(a, b Department) int { return cmp.Compare(a.ID, b.ID) })
	accounts := slices.SortedFunc(maps.Values(v.Accounts), func(a, b Account) int { return cmp.Compare(a.ID, b.ID) })
	q := Quality{
		Unposted: unposted, Unbudgeted: unbudgeted,
		Namesakes: upTo(most, namesakes(departments)), AgainstType: upTo(most, againstType(accounts)),
	}
	var named []*Account
	for _, gaps := range [][]Gap{q.Unposted, q.Unbudgeted} {
		for i := range gaps {
			named = append(named, &gaps[i].Account)
		}
	}
	for i := range q.AgainstType {
		named = append(named, &q.AgainstType[i])
	}
	return q, l.describe(ctx, named)
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
	return v.named(most, unpostedCovers), v.named(most, unbudgetedCovers)
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

// named are the first covers, as gaps with department and account.
func (v Coverage) named(most int, covers []Cover) []Gap {
	slices.SortFunc(covers, func(a, b Cover) int {
		return cmp.Or(
			cmp.Compare(b.Year, a.Year), cmp.Compare(b.There.Len(), a.There.Len()),
			cmp.Compare(a.DepartmentID, b.DepartmentID), cmp.Compare(a.AccountID, b.AccountID))
	})
	var gaps []Gap
	for _, c := range upTo(most, covers) {
		gaps = append(gaps, Gap{Department: v.Departments[c.DepartmentID], Account: v.Accounts[c.AccountID], Year: c.Year, Periods: c.There})
	}
	return gaps
}

// namesakes are the departments that share a name, and those that share a cost centre,
// each in the order of its first.
func namesakes(departments []Department) (found []Namesakes) {
	for _, by := range []struct {
		field IdentifierField
		value func(Department) string
	}{
		{ByName, func(d Department) string { return string(d.Name) }},
		{ByCostCenter, func(d Department) string { return string(d.CostCenter) }},
	} {
		sharing := map[string][]Department{}
		for _, d := range departments {
			sharing[by.value(d)] = append(sharing[by.value(d)], d)
		}
		for _, d := range departments {
			value := by.value(d)
			if value != "" && len(sharing[value]) > 1 && sharing[value][0].ID == d.ID {
				found = append(found, Namesakes{Identifier{by.field, value}, sharing[value]})
			}
		}
	}
	return found
}

// againstType are the accounts that favour what their type does not.
func againstType(accounts []Account) []Account {
	return slices.DeleteFunc(accounts, func(a Account) bool { return !a.Contra() })
}

func upTo[T any](most int, list []T) []T { return list[:min(len(list), most)] }
