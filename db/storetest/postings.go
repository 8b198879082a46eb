package storetest

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/text"
)

func postings() []clause {
	return []clause{
		{"postings are those of the period, sorted, with their departments and accounts", sortedPostings},
		{"the version selects budget lines, not actuals", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			forecast := chart.line(1)
			forecast.Version, forecast.Amount = budget.Forecast1, amount("9")
			must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), forecast}))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			for version, want := range map[budget.Version][]budget.Posting{
				budget.Original:  {posting(chart.key(1), chart.line(1).Amount)},
				budget.Forecast1: {posting(chart.key(1), forecast.Amount)},
				budget.Forecast2: nil,
			} {
				got := must(s.Postings(t.Context(), 2025, 1, version, 0))(t)
				same(t, "budgeted in "+string(version), got.Budgeted, want)
				same(t, "actual beside "+string(version), got.Actual, []budget.Posting{posting(chart.key(1), chart.actual(1).Amount)})
			}
		}},
		{"a period or department without postings has none", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			must(s.CreateLines(t.Context(), []budget.Line{chart.line(1)}))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			for _, other := range []budget.Key{
				{Year: 2025, Period: 2},
				{Year: 2024, Period: 1},
				{Year: 2025, Period: 1, DepartmentID: chart.otherDepartment},
				{Year: 2025, Period: 1, DepartmentID: 98},
			} {
				got := must(s.Postings(t.Context(), other.Year, other.Period, budget.Original, other.DepartmentID))(t)
				if len(got.Budgeted)+len(got.Actual) != 0 {
					t.Errorf("%+v: got %+v, want no postings", other, got)
				}
			}
		}},
	}
}

func sortedPostings(t *testing.T, s Store) {
	var departments []budget.Department
	var accounts []budget.Account
	for _, code := range []text.Code{"Z", "y", "É", "M"} {
		departments = append(departments, department(t, s, code))
		accounts = append(accounts, account(t, s, code))
	}
	var budgeted []budget.Line
	var actual []budget.Actual
	for i := range departments {
		for j := range accounts {
			key := budget.Key{DepartmentID: departments[3-i].ID, AccountID: accounts[(j*3+1)%4].ID, Year: 2025, Period: 6}
			if i != 1 {
				budgeted = append(budgeted, budget.Line{LineKey: budget.LineKey{Key: key, Version: budget.Original}, Amount: amount("10"), Currency: "USD"})
			}
			if j != 2 {
				actual = append(actual, budget.Actual{Key: key, Amount: amount("-20"), Currency: "EUR"})
			}
		}
	}
	must(s.CreateLines(t.Context(), budgeted))(t)
	must(s.IngestActuals(t.Context(), actual))(t)
	for _, only := range append([]budget.Department{{}}, departments...) {
		var wantBudgeted, wantActual []budget.Posting
		for _, l := range budgeted {
			if only.ID == 0 || only.ID == l.DepartmentID {
				wantBudgeted = append(wantBudgeted, budget.Posting{DepartmentID: l.DepartmentID, AccountID: l.AccountID, Amount: l.Amount, Currency: l.Currency})
			}
		}
		for _, a := range actual {
			if only.ID == 0 || only.ID == a.DepartmentID {
				wantActual = append(wantActual, budget.Posting{DepartmentID: a.DepartmentID, AccountID: a.AccountID, Amount: a.Amount, Currency: a.Currency})
			}
		}
		slices.SortFunc(wantBudgeted, byKey)
		slices.SortFunc(wantActual, byKey)
		got := must(s.Postings(t.Context(), 2025, 6, budget.Original, only.ID))(t)
		same(t, "budgeted", got.Budgeted, wantBudgeted)
		same(t, "actual", got.Actual, wantActual)
		checkNames(t, got, departments, accounts)
	}
}

// checkNames fails the test unless the maps have the departments and accounts of the postings, and no
// others.
func checkNames(t *testing.T, p budget.Postings, departments []budget.Department, accounts []budget.Account) {
	t.Helper()
	for _, one := range slices.Concat(p.Budgeted, p.Actual) {
		d := slices.IndexFunc(departments, func(d budget.Department) bool { return d.ID == one.DepartmentID })
		a := slices.IndexFunc(accounts, func(a budget.Account) bool { return a.ID == one.AccountID })
		same(t, "department of a posting", p.Departments[one.DepartmentID], departments[d].Code)
		same(t, "account of a posting", p.Accounts[one.AccountID], accounts[a])
	}
	ofDepartment := func(p budget.Posting) budget.DepartmentID { return p.DepartmentID }
	ofAccount := func(p budget.Posting) budget.AccountID { return p.AccountID }
	same(t, "departments that have postings", slices.Sorted(maps.Keys(p.Departments)), ids(p.Budgeted, p.Actual, ofDepartment))
	same(t, "accounts that have postings", slices.Sorted(maps.Keys(p.Accounts)), ids(p.Budgeted, p.Actual, ofAccount))
}

// ids returns the distinct ids of both sides, sorted.
func ids[T any, ID ~int64](budgeted, actual []T, id func(T) ID) (different []ID) {
	for _, one := range slices.Concat(budgeted, actual) {
		different = append(different, id(one))
	}
	slices.Sort(different)
	return slices.Compact(different)
}

func byKey(a, b budget.Posting) int {
	return cmp.Or(cmp.Compare(a.DepartmentID, b.DepartmentID), cmp.Compare(a.AccountID, b.AccountID))
}

func posting(k budget.Key, a money.Amount) budget.Posting {
	return budget.Posting{DepartmentID: k.DepartmentID, AccountID: k.AccountID, Amount: a, Currency: "USD"}
}
