package budget

import (
	"cmp"
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
	Variance
}

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
	Departments map[DepartmentID]Department
	Accounts    map[AccountID]Account
	Budgeted    []Posting
	Actual      []Posting
}

// newReport compares the postings: every account that has a budget or an actual is
// a line, the missing side is 0, and a pair that differs in currency is two lines.
func newReport(q ReportQuery, department string, p Postings) Report {
	lines := make([]Compare, 0, max(len(p.Budgeted), len(p.Actual)))
	add := func(at Posting, budgeted, actual money.Amount) {
		if q.Currency != "" && q.Currency != at.Currency {
			return
		}
		account := p.Accounts[at.AccountID]
		lines = append(lines, Compare{
			Department: p.Departments[at.DepartmentID].Code,
			Account:    account,
			Currency:   at.Currency,
			Variance:   Vary(account.FavourHigh, budgeted, actual),
		})
	}
	merge(p.Budgeted, p.Actual, func(budgeted, actual *Posting) {
		switch {
		case actual == nil:
			add(*budgeted, budgeted.Amount, 0)
		case budgeted == nil:
			add(*actual, 0, actual.Amount)
		case budgeted.Currency == actual.Currency:
			add(*budgeted, budgeted.Amount, actual.Amount)
		default:
			add(*budgeted, budgeted.Amount, 0)
			add(*actual, 0, actual.Amount)
		}
	})
	slices.SortFunc(lines, func(a, b Compare) int {
		return cmp.Or(
			cmp.Compare(a.Department, b.Department),
			cmp.Compare(a.Account.Code, b.Account.Code),
			cmp.Compare(a.Currency, b.Currency))
	})
	r := Report{Department: department, Year: q.Year, Period: q.Period, Version: q.Version}
	return r.of(lines)
}

// merge walks two sorted sides in step; the side that has no posting at a place is
// nil there.
func merge(budgeted, actual []Posting, visit func(budgeted, actual *Posting)) {
	for len(budgeted) > 0 || len(actual) > 0 {
		var order int
		switch {
		case len(actual) == 0:
			order = -1
		case len(budgeted) == 0:
			order = 1
		default:
			b, a := &budgeted[0], &actual[0]
			order = cmp.Or(cmp.Compare(b.DepartmentID, a.DepartmentID), cmp.Compare(b.AccountID, a.AccountID))
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
	counts := map[money.Currency]int{}
	sums := map[money.Currency]*Totals{}
	for i := range lines {
		line := &lines[i]
		t := sums[line.Currency]
		if t == nil {
			t = &Totals{Currency: line.Currency}
			sums[line.Currency] = t
		}
		counts[line.Currency]++
		t.Budget.Add(line.Budget)
		t.Actual.Add(line.Actual)
		t.Variance.Add(line.Abs)
	}
	most := 0
	for _, t := range sums {
		t.Percent = percent(t.Variance, t.Budget, t.Actual)
		r.ByCurrency = append(r.ByCurrency, *t)
	}
	slices.SortFunc(r.ByCurrency, func(a, b Totals) int { return cmp.Compare(a.Currency, b.Currency) })
	for _, t := range r.ByCurrency {
		if counts[t.Currency] > most {
			most, r.Totals = counts[t.Currency], t
		}
	}
	if len(r.ByCurrency) == 1 {
		r.ByCurrency = nil
	}
	return r
}
