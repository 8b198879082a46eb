package budget

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Summary compares budget and actual in the order of a profit and loss statement, with subtotals and
// the net result.
type Summary struct {
	SummaryQuery
	Department string // a department's code, or AllDepartments
	Items      []Item
	Subtotals  []Subtotal // by type in the order of the statement, and currency
	Totals     []Net      // by currency
}

// SummaryQuery selects a summary.
type SummaryQuery struct {
	ReportQuery
	By   Grouping
	Span Span
}

// Grouping is what each item of a summary adds up.
type Grouping string

// The groupings, each within one currency.
const (
	PerAccount    Grouping = "account"
	PerLine       Grouping = "line" // one account in one department
	PerDepartment Grouping = "department"
)

// ParseGrouping reads a grouping without regard to case. The error continues the
// field's name.
func ParseGrouping(raw string) (Grouping, error) {
	return text.OneOf(raw, PerAccount, PerLine, PerDepartment)
}

// Span is how much of a fiscal year a summary covers.
type Span string

// The spans.
const (
	OnePeriod  Span = "period"
	YearToDate Span = "year_to_date" // up to and with the period
)

// ParseSpan reads a span without regard to case. The error continues the field's name.
func ParseSpan(raw string) (Span, error) { return text.OneOf(raw, OnePeriod, YearToDate) }

// Item is an account, a department or both, in one currency. The figures of a
// department are its net result.
type Item struct {
	Department text.Code // "" by account
	Account    Account   // zero by department
	Currency   money.Currency
	Figures
}

// Within are the figures of the item as part of its subtotal: those of a contra account are subtracted.
func (i Item) Within() Figures { return i.within(i.Account) }

// Subtotal adds up the accounts of a type; contra accounts are subtracted. So for revenue, budget and
// variance add up to the actual; for costs, actual and variance add up to the budget.
type Subtotal struct {
	Type     AccountType
	Currency money.Currency
	Figures
}

// Net is the net result in a currency: accounts that favour a high actual are added, others are
// subtracted. Budget and variance add up to the actual.
type Net struct {
	Currency money.Currency
	Figures
}

// Summary adds up the variance of a period, or of the year to date. NotFound: an
// unknown department.
func (l *Ledger) Summary(ctx context.Context, q SummaryQuery) (Summary, error) {
	if q.Span == OnePeriod {
		r, err := l.Variance(ctx, q.ReportQuery)
		if err != nil {
			return Summary{}, err
		}
		return newSummary(q, r.Department, r.items), nil
	}
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Summary{}, err
	}
	var tallies Tallies
	if q.By == PerAccount {
		tallies, err = l.Months(ctx, q.Year, q.Version, department.ID)
	} else {
		tallies, err = l.YearToDate(ctx, q.Year, q.Period, q.Version, department.ID)
	}
	if err != nil {
		return Summary{}, err
	}
	return newSummary(q, string(department.Code), tallies.through(q.Period)), nil
}

// items passes on each line of the report.
func (r Report) items(add func(Item)) {
	for i := range r.Lines {
		line := &r.Lines[i]
		add(Item{
			Department: line.Department, Account: line.Account, Currency: line.Currency,
			Figures: Figures{
				Budget: money.SumOf(line.Budget), Actual: money.SumOf(line.Actual), Variance: money.SumOf(line.Abs),
				Budgeted: line.Budgeted, Posted: line.Posted,
			},
		})
	}
}

// through passes on each tally up to and with a period.
func (t Tallies) through(period fiscal.Period) func(add func(Item)) {
	return func(add func(Item)) {
		t.merge(func(at *Tally, account Account, f Figures) {
			if at.Period <= period {
				add(Item{Department: t.Departments[at.DepartmentID], Account: account, Currency: at.Currency, Figures: f})
			}
		})
	}
}

// newSummary adds up lines, each of one department, account and currency.
func newSummary(q SummaryQuery, department string, lines func(add func(Item))) Summary {
	s := Summary{SummaryQuery: q, Department: department}
	type group struct {
		department text.Code
		account    AccountID
		currency   money.Currency
	}
	type kind struct {
		of       AccountType
		currency money.Currency
	}
	groups := map[group]int{}
	subtotals, totals := map[kind]Figures{}, map[money.Currency]Figures{}
	lines(func(line Item) {
		if q.Currency != "" && q.Currency != line.Currency {
			return
		}
		net := line.net(line.Account.FavourHigh)
		of := kind{line.Account.Type, line.Currency}
		subtotals[of] = subtotals[of].plus(line.within(line.Account))
		totals[line.Currency] = totals[line.Currency].plus(net)
		switch q.By {
		case PerLine:
			s.Items = append(s.Items, line)
			return
		case PerAccount:
			line.Department = ""
		case PerDepartment:
			line.Account, line.Figures = Account{}, net
		}
		at := group{line.Department, line.Account.ID, line.Currency}
		if i, known := groups[at]; known {
			s.Items[i].Figures = s.Items[i].plus(line.Figures)
			return
		}
		groups[at] = len(s.Items)
		s.Items = append(s.Items, line)
	})
	slices.SortFunc(s.Items, func(a, b Item) int {
		return cmp.Or(
			byStatement(a.Account, b.Account),
			cmp.Compare(a.Department, b.Department), cmp.Compare(a.Currency, b.Currency))
	})
	for k, f := range subtotals {
		s.Subtotals = append(s.Subtotals, Subtotal{k.of, k.currency, f})
	}
	slices.SortFunc(s.Subtotals, func(a, b Subtotal) int {
		return cmp.Or(cmp.Compare(a.Type.rank(), b.Type.rank()), cmp.Compare(a.Currency, b.Currency))
	})
	for _, currency := range slices.Sorted(maps.Keys(totals)) {
		s.Totals = append(s.Totals, Net{currency, totals[currency]})
	}
	return s
}

// byStatement orders accounts as a profit and loss statement does, and by code.
func byStatement(a, b Account) int {
	return cmp.Or(cmp.Compare(a.Type.rank(), b.Type.rank()), cmp.Compare(a.Code, b.Code))
}
