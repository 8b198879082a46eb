package budget

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Report sets budget against actual for one fiscal period (budget document,
// "Variance report").
type Report struct {
	Department string // a department's code, or AllDepartments
	Year       fiscal.Year
	Period     fiscal.Period
	Version    Version
	Totals               // in the currency that most lines have
	ByCurrency []Totals  // by currency code; nil unless the lines differ in currency
	Lines      []Compare // by department code, account code and currency
}

// Compare is one line of a report: an account's figures in one department and one
// currency.
type Compare struct {
	Department text.Code
	Account    Account
	Currency   money.Currency
	Budgeted   bool // there is a budget line, be it of 0
	Posted     bool // there is an actual, be it of 0
	Variance
}

// Unbudgeted reports an actual without any budget line.
func (c Compare) Unbudgeted() bool { return c.Posted && !c.Budgeted }

// Totals are the sums of the columns over the lines of one currency; currencies are
// never added to each other.
type Totals struct {
	Currency money.Currency // "" without lines
	Budget   money.Sum
	Actual   money.Sum
	Variance money.Sum // of the lines' variances
	Percent  money.Percent
}

// ReportQuery says which report is wanted.
type ReportQuery struct {
	Year       fiscal.Year
	Period     fiscal.Period
	Version    Version
	Department text.Code      // "" = every department
	Currency   money.Currency // "" = every currency
}

// Posting is one budgeted or actual amount of the period that a report is about.
type Posting struct {
	DepartmentID DepartmentID
	AccountID    AccountID
	Amount       money.Amount
	Currency     money.Currency
}

// Postings are what a report is made of, read from one snapshot. Both sides are
// sorted by department id and account id, which are unique within a side.
type Postings struct {
	Departments map[DepartmentID]text.Code // of those that have postings
	Accounts    map[AccountID]Account      // those that have postings
	Budgeted    []Posting
	Actual      []Posting
}

// newReport compares the postings: every account that has a budget or an actual is
// a line, the missing side is 0, and a pair that differs in currency is two lines.
func newReport(q ReportQuery, department string, p Postings) Report {
	lines := make([]Compare, 0, max(len(p.Budgeted), len(p.Actual)))
	for _, of := range p.byDepartment() {
		first := len(lines)
		merge(of.budgeted, of.actual, func(budgeted, actual *Posting) {
			if budgeted != nil && actual != nil && budgeted.Currency != actual.Currency {
				lines = p.compare(lines, q.Currency, of.department, budgeted, nil)
				budgeted = nil
			}
			lines = p.compare(lines, q.Currency, of.department, budgeted, actual)
		})
		slices.SortFunc(lines[first:], func(a, b Compare) int {
			return cmp.Or(cmp.Compare(a.Account.Code, b.Account.Code), cmp.Compare(a.Currency, b.Currency))
		})
	}
	r := Report{Department: department, Year: q.Year, Period: q.Period, Version: q.Version}
	return r.of(lines)
}

// compare appends the line of an account's two postings, of which one may be nil,
// where it is in the currency that is wanted, if any.
func (p Postings) compare(lines []Compare, wanted money.Currency, department text.Code, budgeted, actual *Posting) []Compare {
	at := budgeted
	if at == nil {
		at = actual
	}
	if wanted != "" && wanted != at.Currency {
		return lines
	}
	account := p.Accounts[at.AccountID]
	line := Compare{Department: department, Account: account, Currency: at.Currency, Budgeted: budgeted != nil, Posted: actual != nil}
	var planned, posted money.Amount
	if budgeted != nil {
		planned = budgeted.Amount
	}
	if actual != nil {
		posted = actual.Amount
	}
	line.Variance = Vary(account.FavourHigh, planned, posted)
	return append(lines, line)
}

// departmentPostings are both sides of one department, sorted by account id.
type departmentPostings struct {
	department       text.Code
	budgeted, actual []Posting
}

// byDepartment is one for each department that has postings, by code: few are sorted
// instead of every line.
func (p Postings) byDepartment() []departmentPostings {
	var all []departmentPostings
	budgeted, actual := p.Budgeted, p.Actual
	for len(budgeted) > 0 || len(actual) > 0 {
		id := DepartmentID(math.MaxInt64)
		for _, side := range [][]Posting{budgeted, actual} {
			if len(side) > 0 {
				id = min(id, side[0].DepartmentID)
			}
		}
		of := departmentPostings{department: p.Departments[id]}
		of.budgeted, budgeted = cut(budgeted, id)
		of.actual, actual = cut(actual, id)
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b departmentPostings) int { return cmp.Compare(a.department, b.department) })
	return all
}

// cut splits a side behind the postings of a department, where they come first.
func cut(side []Posting, id DepartmentID) (of, rest []Posting) {
	n := 0
	for n < len(side) && side[n].DepartmentID == id {
		n++
	}
	return side[:n], side[n:]
}

// merge walks two sides of a department in step; the side that has no posting to an
// account is nil there.
func merge(budgeted, actual []Posting, visit func(budgeted, actual *Posting)) {
	for len(budgeted) > 0 || len(actual) > 0 {
		var order int
		switch {
		case len(actual) == 0:
			order = -1
		case len(budgeted) == 0:
			order = 1
		default:
			order = cmp.Compare(budgeted[0].AccountID, actual[0].AccountID)
		}
		switch {
		case order < 0:
			visit(&budgeted[0], nil)
			budgeted = budgeted[1:]
		case order > 0:
			visit(nil, &actual[0])
			actual = actual[1:]
		default:
			visit(&budgeted[0], &actual[0])
			budgeted, actual = budgeted[1:], actual[1:]
		}
	}
}

// Over returns the report of the lines whose printed percentage exceeds the
// threshold, in either direction.
func (r Report) Over(threshold money.Percent) Report {
	var lines []Compare
	for _, line := range r.Lines {
		if line.Percent.Exceeds(threshold) {
			lines = append(lines, line)
		}
	}
	return r.of(lines)
}

// of returns the report with other lines, and the totals of those.
func (r Report) of(lines []Compare) Report {
	r.Lines, r.Totals, r.ByCurrency = lines, Totals{}, nil
	tallies := map[money.Currency]*tally{}
	var t *tally
	for i := range lines {
		line := &lines[i]
		if t == nil || t.Currency != line.Currency { // most lines have that of the one before
			if t = tallies[line.Currency]; t == nil {
				t = &tally{Totals: Totals{Currency: line.Currency}}
				tallies[line.Currency] = t
			}
		}
		t.lines++
		t.Budget.Add(line.Budget)
		t.Actual.Add(line.Actual)
		t.Variance.Add(line.Abs)
	}
	most := 0
	for _, currency := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[currency]
		t.Percent = percent(t.Variance, t.Budget, t.Actual)
		r.ByCurrency = append(r.ByCurrency, t.Totals)
		if t.lines > most {
			most, r.Totals = t.lines, t.Totals
		}
	}
	if len(r.ByCurrency) == 1 {
		r.ByCurrency = nil
	}
	return r
}

// tally is the totals of a currency and how many lines they are of.
type tally struct {
	Totals
	lines int
}
