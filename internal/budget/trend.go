package budget

import (
	"cmp"
	"context"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Trend is how budget and actual went over the periods of a fiscal year.
type Trend struct {
	Department string // a department's code, or AllDepartments
	Year       fiscal.Year
	Version    Version
	Items      []Course // in the order of a profit and loss statement, by account code and currency
}

// Course is an account's figures in one currency in each period; period 1 is at 0.
type Course struct {
	Account  Account
	Currency money.Currency
	Months   [fiscal.Periods]Figures
}

// Trend shows the periods of a year beside each other; the period of the query does
// not matter. NotFound: an unknown department.
func (l *Ledger) Trend(ctx context.Context, q ReportQuery) (Trend, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Trend{}, err
	}
	tallies, err := l.store.Months(ctx, q.Year, q.Version, department.ID)
	if err != nil {
		return Trend{}, err
	}
	return Trend{
		Department: string(department.Code), Year: q.Year, Version: q.Version, Items: tallies.courses(within(q.Currency)),
	}, nil
}

// within wants one currency, or every one for "".
func within(currency money.Currency) (wanted func(money.Currency) bool) {
	return func(c money.Currency) bool { return currency == "" || currency == c }
}

// courses puts the periods of each account and each currency that is wanted beside each
// other.
func (t Tallies) courses(wanted func(money.Currency) bool) []Course {
	type row struct {
		account  AccountID
		currency money.Currency
	}
	rows := map[row]*Course{}
	t.compare(func(at *Tally, account Account, f Figures) {
		if !wanted(at.Currency) {
			return
		}
		of := row{at.AccountID, at.Currency}
		if rows[of] == nil {
			rows[of] = &Course{Account: account, Currency: at.Currency}
		}
		rows[of].Months[at.Period-1] = f
	})
	courses := make([]Course, 0, len(rows))
	for _, c := range rows {
		courses = append(courses, *c)
	}
	slices.SortFunc(courses, func(a, b Course) int {
		return cmp.Or(byStatement(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
	})
	return courses
}
