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
		{"tallies are the sums of the postings of a year", yearTallies},
		{"the sums include the newest write", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			for n := range 3 {
				one := chart.actual(1 + n)
				stored := must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
				one.Amount = amount("-5")
				must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
				must(s.CreateLines(t.Context(), []budget.Line{chart.line(1 + n)}))(t)
				checkTallies(t, s, 2025, budget.Original, 0)
				must(s.DeleteActual(t.Context(), stored[0].ID))(t)
				checkTallies(t, s, 2025, budget.Original, 0)
			}
		}},
		{"a sum can exceed 64 bits", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			var want money.Sum
			for period := range fiscal.Periods {
				line := chart.line(period + 1)
				line.Amount = amount("99999999999999.9999")
				want.Add(line.Amount)
				must(s.CreateLines(t.Context(), []budget.Line{line}))(t)
			}
			got := must(s.YearToDate(t.Context(), 2025, fiscal.Periods, budget.Original, 0))(t)
			same(t, "year to date", got.Budgeted, []budget.Tally{{DepartmentID: chart.department, AccountID: chart.account, Currency: "USD", Count: fiscal.Periods, Sum: want}})
		}},
	}
}

func yearTallies(t *testing.T, s Store) {
	chart := newChart(t, s)
	var lines []budget.Line
	var actual []budget.Actual
	for i := range 240 {
		line, one := chart.line(1+i%12), chart.actual(12-i%11)
		line.Year, one.Year = fiscal.Year(2024+i/12%2), fiscal.Year(2024+i/12%2)
		if i/24%2 == 1 {
			line.DepartmentID, one.DepartmentID = chart.otherDepartment, chart.otherDepartment
		}
		if i/48%2 == 1 {
			line.AccountID, one.AccountID = chart.otherAccount, chart.otherAccount
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
			for _, department := range []budget.DepartmentID{0, chart.department, chart.otherDepartment, 98} {
				checkTallies(t, s, year, version, department)
			}
		}
	}
}

// checkTallies fails the test unless Months and YearToDate return the sums of the postings of each
// period.
func checkTallies(t *testing.T, s Store, year fiscal.Year, version budget.Version, department budget.DepartmentID) {
	t.Helper()
	var budgeted, actual []budget.Tally // of each posting
	for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
		p := must(s.Postings(t.Context(), year, period, version, department))(t)
		budgeted, actual = append(budgeted, tallyEach(p.Budgeted, period)...), append(actual, tallyEach(p.Actual, period)...)
		got := must(s.YearToDate(t.Context(), year, period, version, department))(t)
		without := func(of budget.Tally) budget.Tally { of.Period = 0; return of }
		same(t, "budgeted in the year to date", got.Budgeted, addUp(budgeted, without))
		same(t, "actual in the year to date", got.Actual, addUp(actual, without))
		same(t, "departments", slices.Sorted(maps.Keys(got.Departments)), ids(got.Budgeted, got.Actual, func(of budget.Tally) budget.DepartmentID { return of.DepartmentID }))
		accounts := ids(got.Budgeted, got.Actual, func(of budget.Tally) budget.AccountID { return of.AccountID })
		same(t, "accounts", slices.Sorted(maps.Keys(got.Accounts)), accounts)
	}
	got := must(s.Months(t.Context(), year, version, department))(t)
	without := func(of budget.Tally) budget.Tally { of.DepartmentID = 0; return of }
	same(t, "budgeted in the months", got.Budgeted, addUp(budgeted, without))
	same(t, "actual in the months", got.Actual, addUp(actual, without))
}

// tallyEach returns each posting of a period as a tally of its own.
func tallyEach(postings []budget.Posting, period fiscal.Period) (tallies []budget.Tally) {
	for _, p := range postings {
		tallies = append(tallies, budget.Tally{
			DepartmentID: p.DepartmentID, Period: period, AccountID: p.AccountID, Currency: p.Currency, Count: 1, Sum: money.SumOf(p.Amount),
		})
	}
	return tallies
}

// addUp adds up the tallies that are equal after without has removed a part of their keys.
func addUp(tallies []budget.Tally, without func(budget.Tally) budget.Tally) (sums []budget.Tally) {
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
