package storetest

import (
	"slices"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
)

func coverage() []clause {
	return []clause{
		{"without postings the coverage is empty", func(t *testing.T, s Store) {
			got := must(s.Coverage(t.Context(), 2025))(t)
			if len(got.Budgeted)+len(got.Actual) != 0 {
				t.Errorf("got %+v, want nothing", got)
			}
		}},
		{"the coverage has the periods that have postings", coveredPeriods},
		{"the coverage includes the newest write", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			for n := range 3 {
				line := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1 + n)}))(t)[0]
				checkCoverage(t, s, 2025)
				one := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1 + n)}))(t)[0]
				checkCoverage(t, s, 2025)
				must(s.UpdateLine(t.Context(), budget.LineRef{ID: line.ID}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: amount("0")}, "amount")}))(t)
				checkCoverage(t, s, 2025)
				must(s.DeleteActual(t.Context(), one.ID))(t)
				checkCoverage(t, s, 2025)
			}
		}},
		{"Chart has all departments and accounts, and Named has those with the given ids", chartAndNames},
	}
}

// chartAndNames compares what Chart and Named return with the lists of departments and accounts.
func chartAndNames(t *testing.T, s Store) {
	newChart(t, s)
	var departments []budget.Department
	var accounts []budget.Account
	err := s.Chart(t.Context(), func(d budget.Department) { departments = append(departments, d) }, func(a budget.Account) { accounts = append(accounts, a) })
	if err != nil {
		t.Fatal(err)
	}
	same(t, "departments", departments, all(t, s.Departments(t.Context())))
	want := all(t, s.Accounts(t.Context()))
	names := budget.Names{
		Departments: map[budget.DepartmentID]budget.Department{departments[1].ID: departments[1]},
		Accounts:    map[budget.AccountID]budget.Account{want[0].ID: want[0], want[1].ID: want[1]},
	}
	unknown := want[len(want)-1].ID + 7
	same(t, "names", must(s.Named(t.Context(), []budget.DepartmentID{departments[1].ID}, []budget.AccountID{want[1].ID, unknown, want[0].ID, want[1].ID}))(t), names)
	for i := range want {
		want[i].Description = ""
	}
	same(t, "accounts", accounts, want)
}

func coveredPeriods(t *testing.T, s Store) {
	chart := newChart(t, s)
	var lines []budget.Line
	var actual []budget.Actual
	for i := range 240 {
		line, one := chart.line(1+i%12), chart.actual(12-i%11)
		line.Year, one.Year = fiscal.Year(2024+i/12%3), fiscal.Year(2023+i/12%3)
		if i/36%2 == 1 {
			line.DepartmentID, one.AccountID = chart.otherDepartment, chart.otherAccount
		}
		if i/7%2 == 1 {
			line.AccountID, one.DepartmentID = chart.otherAccount, chart.otherDepartment
		}
		line.Version = budget.Versions()[i/60]
		if i%5 == 1 {
			line.Amount, one.Amount = 0, 0
		}
		lines, actual = append(lines, line), append(actual, one)
	}
	must(s.CreateLines(t.Context(), unique(lines)))(t)
	must(s.IngestActuals(t.Context(), actual))(t)
	checkCoverage(t, s, 2023, 2024, 2025, 2026)
}

// unique returns the lines, but only the first of those with the same key.
func unique(lines []budget.Line) (kept []budget.Line) {
	taken := map[budget.LineKey]bool{}
	for _, line := range lines {
		if !taken[line.LineKey] {
			taken[line.LineKey] = true
			kept = append(kept, line)
		}
	}
	return kept
}

// checkCoverage fails the test unless the coverage of each year is that of its postings.
func checkCoverage(t *testing.T, s Store, years ...fiscal.Year) {
	t.Helper()
	for _, year := range years {
		got := must(s.Coverage(t.Context(), year))(t)
		var budgeted, actual []budget.Cover
		for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
			p := must(s.Postings(t.Context(), year, period, budget.Original, 0))(t)
			budgeted, actual = addToCovers(budgeted, year, period, p.Budgeted), addToCovers(actual, year, period, p.Actual)
		}
		same(t, "coverage of budget lines", got.Budgeted, budgeted)
		same(t, "coverage of actuals", got.Actual, actual)
	}
}

// addToCovers adds the postings of a period to the covers, which are and stay sorted.
func addToCovers(covers []budget.Cover, year fiscal.Year, period fiscal.Period, postings []budget.Posting) []budget.Cover {
	for _, p := range postings {
		of := budget.Cover{Year: year, DepartmentID: p.DepartmentID, AccountID: p.AccountID}
		i, known := slices.BinarySearchFunc(covers, of, func(a, b budget.Cover) int { return a.Compare(&b) })
		if !known {
			covers = slices.Insert(covers, i, of)
		}
		covers[i].Take(period, p.Amount)
	}
	return covers
}
