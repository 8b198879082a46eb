package budget

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Report compares budget and actual for one fiscal period (interface.md, "Variance").
type Report struct {
	Department string // a department's code, or AllDepartments
	Year       fiscal.Year
	Period     fiscal.Period
	Version    Version
	Totals                    // in the currency that most lines have
	ByCurrency []Totals       // by currency code; nil unless the lines differ in currency
	Lines      []VarianceLine // by department code, account code and currency
}

// VarianceLine is one line of a report: an account's figures in one department and one
// currency.
type VarianceLine struct {
	Department text.Code
	Account    Account
	Currency   money.Currency
	Budgeted   bool // there is a budget line, even one of 0
	Posted     bool // there is an actual, even one of 0
	Variance
}

// Unbudgeted reports an actual without any budget line.
func (c VarianceLine) Unbudgeted() bool { return c.Posted && !c.Budgeted }

// Totals are the sums of the columns over the lines of one currency; currencies are
// never added to each other.
type Totals struct {
	Currency money.Currency // "" without lines
	Budget   money.Sum
	Actual   money.Sum
	Variance money.Sum // of the lines' variances
	Percent  money.Percent
}

// ReportQuery selects a report.
type ReportQuery struct {
	Year       fiscal.Year
	Period     fiscal.Period
	Version    Version
	Department text.Code      // "" = every department
	Currency   money.Currency // "" = every currency
}

// Posting is one budgeted or actual amount of a report's period.
type Posting struct {
	DepartmentID DepartmentID
	AccountID    AccountID
	Amount       money.Amount
	Currency     money.Currency
}

// Postings are what a report is computed from, read from one snapshot. Each side is sorted by
// department id and account id, which are unique together.
type Postings struct {
	Departments map[DepartmentID]text.Code // of those that have postings
	Accounts    map[AccountID]Account      // those that have postings
	Budgeted    []Posting
	Actual      []Posting
}

// Places counts the accounts that have a posting, in each department and currency: the lines of a report.
func (p Postings) Places() int {
	return places(p.Budgeted, p.Actual, func(a, b *Posting) int { return cmp.Or(a.compare(b), cmp.Compare(a.Currency, b.Currency)) })
}

// newReport compares the postings. An account that has a budget or an actual in a department
// is a line, in which a missing side is 0. An account whose two sides differ in currency is
// two lines.
func newReport(q ReportQuery, department string, p Postings) Report {
	lines := make([]VarianceLine, 0, p.Places())
	for _, id := range p.departments() {
		begin := len(lines)
		merge(of(id, p.Budgeted), of(id, p.Actual), (*Posting).compare, func(budgeted, actual *Posting) {
			if budgeted != nil && actual != nil && budgeted.Currency != actual.Currency {
				lines = p.appendLine(lines, q.Currency, budgeted, nil)
				budgeted = nil
			}
			lines = p.appendLine(lines, q.Currency, budgeted, actual)
		})
		slices.SortFunc(lines[begin:], func(a, b VarianceLine) int {
			return cmp.Or(cmp.Compare(a.Account.Code, b.Account.Code), cmp.Compare(a.Currency, b.Currency))
		})
	}
	r := Report{Department: department, Year: q.Year, Period: q.Period, Version: q.Version}
	return r.of(lines)
}

// departments returns the ids of the departments that have postings, by their codes.
func (p Postings) departments() (ids []DepartmentID) {
	for _, side := range [][]Posting{p.Budgeted, p.Actual} {
		for i := range side {
			if i == 0 || side[i].DepartmentID != side[i-1].DepartmentID {
				ids = append(ids, side[i].DepartmentID)
			}
		}
	}
	slices.SortFunc(ids, func(a, b DepartmentID) int {
		return cmp.Or(cmp.Compare(p.Departments[a], p.Departments[b]), cmp.Compare(a, b))
	})
	return slices.Compact(ids)
}

// of returns the postings of a department on one side.
func of(id DepartmentID, side []Posting) []Posting {
	first := func(id DepartmentID) int {
		at, _ := slices.BinarySearchFunc(side, id, func(p Posting, id DepartmentID) int { return cmp.Compare(p.DepartmentID, id) })
		return at
	}
	return side[first(id):first(id+1)]
}

// compare orders the postings of a side.
func (p *Posting) compare(o *Posting) int {
	return cmp.Or(cmp.Compare(p.DepartmentID, o.DepartmentID), cmp.Compare(p.AccountID, o.AccountID))
}

// appendLine appends the line of an account's two postings, one of which may be nil, unless
// another currency is wanted.
func (p Postings) appendLine(lines []VarianceLine, wanted money.Currency, budgeted, actual *Posting) []VarianceLine {
	at := either(budgeted, actual)
	if wanted != "" && wanted != at.Currency {
		return lines
	}
	account := p.Accounts[at.AccountID]
	line := VarianceLine{Department: p.Departments[at.DepartmentID], Account: account, Currency: at.Currency, Budgeted: budgeted != nil, Posted: actual != nil}
	line.Variance = NewVariance(account.FavourHigh, budgeted.amount(), actual.amount())
	return append(lines, line)
}

// amount is the posting's amount; 0 of no posting.
func (p *Posting) amount() money.Amount {
	if p == nil {
		return 0
	}
	return p.Amount
}

// DefaultThreshold is the percentage that alerts exceed unless another is given.
func DefaultThreshold() money.Percent { return money.WholePercent(10) }

// ParseThreshold reads a percentage of 0 or more. The error continues the field's name.
func ParseThreshold(raw string) (money.Percent, error) {
	p, err := money.ParsePercent(raw)
	if err == nil && p.Sign() < 0 {
		err = fmt.Errorf("must be 0 or more, got %s", p)
	}
	return p, err
}

// Over returns the report of the lines whose printed percentage exceeds the threshold, in either
// direction.
func (r Report) Over(threshold money.Percent) Report {
	var lines []VarianceLine
	for _, line := range r.Lines {
		if line.Percent.Exceeds(threshold) {
			lines = append(lines, line)
		}
	}
	return r.of(lines)
}

// of returns the report with other lines, and their totals.
func (r Report) of(lines []VarianceLine) Report {
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

// tally is the totals of a currency and the number of its lines.
type tally struct {
	Totals
	lines int
}
