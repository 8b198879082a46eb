package storetest

import (
	"maps"
	"slices"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

func tallies() []clause {
	return []clause{
		{"are the postings of the year, added up", addedUp},
		{"tell of what was written last", func(t *testing.T, s Store) {
			g := ground(t, s)
			for n := range 3 {
				one := g.actual(1 + n)
				stored := must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
				one.Amount = amount("-5")
				must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
				must(s.CreateLines(t.Context(), []budget.Line{g.line(1 + n)}))(t)
				tallied(t, s, 2025, budget.Original, 0)
				must(s.DeleteActual(t.Context(), stored[0].ID))(t)
				tallied(t, s, 2025, budget.Original, 0)
			}
		}},
		{"go beyond 64 bits", func(t *testing.T, s Store) {
			g := ground(t, s)
			var want money.Sum
			for period := range fiscal.Periods {
				line := g.line(period + 1)
				line.Amount = amount("99999999999999.9999")
				want.Add(line.Amount)
				must(s.CreateLines(t.Context(), []budget.Line{line}))(t)
			}
			got := must(s.YearToDate(t.Context(), 2025, fiscal.Periods, budget.Original, 0))(t)
			same(t, "year to date", got.Budgeted, []budget.Tally{{DepartmentID: g.department, AccountID: g.account, Currency: "USD", Count: fiscal.Periods, Sum: want}})
		}},
	}
}

func addedUp(t *testing.T, s Store) {
	g := ground(t, s)
	var lines []budget.Line
	var actual []budget.Actual
	for i := range 240 {
		line, one := g.line(1+i%12), g.actual(12-i%11)
		line.Year, one.Year = fiscal.Year(2024+i/12%2), fiscal.Year(2024+i/12%2)
		if i/24%2 == 1 {
			line.DepartmentID, one.DepartmentID = g.otherDepartment, g.otherDepartment
		}
		if i/48%2 == 1 {
			line.AccountID, one.AccountID = g.otherAccount, g.otherAccount
		}
		line.Version = budget.Versions()[i/96%3]
		line.Currency, one.Currency = []money.Currency{"EUR", "USD"}[i%5%2], []money.Currency{"EUR", "USD"}[i%3%2]
		line.Amount, one.Amount = amount("0.01")+money.Amount(i), amount("-3")+money.Amount(i*i)
		lines, actual = append(lines, line), append(actual, one)
	}
	must(s.CreateLines(t.Context(), lines))(t)
	must(s.IngestActuals(t.Context(), actual))(t)
	for _, year := range []fiscal.Year{2024, 2025, 1999} {
		for _, version := range budget.Versions() {
			for _, department := range []budget.DepartmentID{0, g.department, g.otherDepartment, 98} {
				tallied(t, s, year, version, department)
			}
		}
	}
}

// tallied complains when the year is not added up as its periods' postings are.
func tallied(t *testing.T, s Store, year fiscal.Year, version budget.Version, department budget.DepartmentID) {
	t.Helper()
	var budgeted, actual []budget.Tally // of each posting
	for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
		p := must(s.Postings(t.Context(), year, period, version, department))(t)
		budgeted, actual = append(budgeted, each(p.Budgeted, period)...), append(actual, each(p.Actual, period)...)
		got := must(s.YearToDate(t.Context(), year, period, version, department))(t)
		without := func(of budget.Tally) budget.Tally { of.Period = 0; return of }
		same(t, "budgeted in the year to date", got.Budgeted, together(budgeted, without))
		same(t, "actual in the year to date", got.Actual, together(actual, without))
		same(t, "departments", slices.Sorted(maps.Keys(got.Departments)), ids(got.Budgeted, got.Actual, func(of budget.Tally) budget.DepartmentID { return of.DepartmentID }))
		accounts := ids(got.Budgeted, got.Actual, func(of budget.Tally) budget.AccountID { return of.AccountID })
		same(t, "accounts", slices.Sorted(maps.Keys(got.Accounts)), accounts)
	}
	got := must(s.Months(t.Context(), year, version, department))(t)
	without := func(of budget.Tally) budget.Tally { of.DepartmentID = 0; return of }
	same(t, "budgeted in the months", got.Budgeted, together(budgeted, without))
	same(t, "actual in the months", got.Actual, together(actual, without))
}

func each(postings []budget.Posting, period fiscal.Period) (tallies []budget.Tally) {
	for _, p := range postings {
		tallies = append(tallies, budget.Tally{
			DepartmentID: p.DepartmentID, Period: period, AccountID: p.AccountID, Currency: p.Currency, Count: 1, Sum: money.SumOf(p.Amount),
		})
	}
	return tallies
}

// together adds up what is the same without a part of it.
func together(tallies []budget.Tally, without func(budget.Tally) budget.Tally) (sums []budget.Tally) {
	for _, one := range tallies {
		of := without(one)
		i := slices.IndexFunc(sums, func(known budget.Tally) bool { return known.Compare(&of) == 0 })
		if i < 0 {
			sums = append(sums, of)
			continue
		}
		sums[i].Count += of.Count
		sums[i].Sum = sums[i].Sum.Plus(of.Sum)
	}
	slices.SortFunc(sums, func(a, b budget.Tally) int { return a.Compare(&b) })
	return sums
}
