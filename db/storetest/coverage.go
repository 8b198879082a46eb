package storetest

import (
	"slices"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
)

func coverage() []clause {
	return []clause{
		{"of nothing is none", func(t *testing.T, s Store) {
			got := must(s.Coverage(t.Context()))(t)
			if len(got.Budgeted)+len(got.Actual) != 0 {
				t.Errorf("got %+v, want nothing", got)
			}
		}},
		{"has the periods that have postings", coveredPeriods},
		{"tells of what was written last", func(t *testing.T, s Store) {
			g := ground(t, s)
			for n := range 3 {
				line := must(s.CreateLines(t.Context(), []budget.Line{g.line(1 + n)}))(t)[0]
				covered(t, s, 2025)
				one := must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(1 + n)}))(t)[0]
				covered(t, s, 2025)
				must(s.UpdateLine(t.Context(), budget.LineRef{ID: line.ID}, budget.LineChange{Amount: new(amount("0"))}))(t)
				covered(t, s, 2025)
				must(s.DeleteActual(t.Context(), one.ID))(t)
				covered(t, s, 2025)
			}
		}},
		{"goes with a chart of all departments and accounts, and with the names of some", charted},
	}
}

// charted compares a chart, and names by id, with the lists.
func charted(t *testing.T, s Store) {
	ground(t, s)
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
	gone := want[len(want)-1].ID + 7
	same(t, "names", must(s.Named(t.Context(), []budget.DepartmentID{departments[1].ID}, []budget.AccountID{want[1].ID, gone, want[0].ID, want[1].ID}))(t), names)
	for i := range want {
		want[i].Description = ""
	}
	same(t, "accounts", accounts, want)
}

func coveredPeriods(t *testing.T, s Store) {
	g := ground(t, s)
	var lines []budget.Line
	var actual []budget.Actual
	for i := range 240 {
		line, one := g.line(1+i%12), g.actual(12-i%11)
		line.Year, one.Year = fiscal.Year(2024+i/12%3), fiscal.Year(2023+i/12%3)
		if i/36%2 == 1 {
			line.DepartmentID, one.AccountID = g.otherDepartment, g.otherAccount
		}
		if i/7%2 == 1 {
			line.AccountID, one.DepartmentID = g.otherAccount, g.otherDepartment
		}
		line.Version = budget.Versions()[i/60]
		if i%5 == 1 {
			line.Amount, one.Amount = 0, 0
		}
		lines, actual = append(lines, line), append(actual, one)
	}
	must(s.CreateLines(t.Context(), unique(lines)))(t)
	must(s.IngestActuals(t.Context(), actual))(t)
	covered(t, s, 2023, 2024, 2025, 2026)
}

// unique are the lines without those whose key another has.
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

// covered complains when the coverage is not that of the postings of these years, which
// are all that there are.
func covered(t *testing.T, s Store, years ...fiscal.Year) {
	t.Helper()
	got := must(s.Coverage(t.Context()))(t)
	var budgeted, actual []budget.Cover
	for _, year := range years {
		for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
			p := must(s.Postings(t.Context(), year, period, budget.Original, 0))(t)
			budgeted, actual = covering(budgeted, year, period, p.Budgeted), covering(actual, year, period, p.Actual)
		}
	}
	same(t, "what is budgeted", got.Budgeted, budgeted)
	same(t, "what is posted", got.Actual, actual)
}

// covering takes the postings of a period into the covers, which stay sorted.
func covering(covers []budget.Cover, year fiscal.Year, period fiscal.Period, postings []budget.Posting) []budget.Cover {
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
