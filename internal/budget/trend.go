package budget

import (
	"cmp"
	"context"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Trend shows budget and actual in each period of a fiscal year.
type Trend struct {
	Department string // a department's code, or AllDepartments
	Year       fiscal.Year
	Version    Version
	Items      []AccountTrend // in the order of a profit and loss statement, by account code and currency
}

// AccountTrend is an account's figures in one currency in each period; period 1 is at index 0.
type AccountTrend struct {
	Account  Account
	Currency money.Currency
	Months   [fiscal.Periods]Figures
}

// Trend returns the figures of each period of a year; it ignores the period of the query.
// NotFound: the department is unknown.
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
		Department: string(department.Code), Year: q.Year, Version: q.Version, Items: tallies.accountTrends(within(q.Currency)),
	}, nil
}

// LastBooked is the newest period with an actual; 0 where no period has one.
func (t Trend) LastBooked() fiscal.Period {
	for i := fiscal.Periods - 1; i >= 0; i-- {
		for j := range t.Items {
			if t.Items[j].Months[i].Posted {
				return fiscal.Period(i + 1)
			}
		}
	}
	return 0
}

// within accepts one currency, or every currency for "".
func within(currency money.Currency) (wanted func(money.Currency) bool) {
	return func(c money.Currency) bool { return currency == "" || currency == c }
}

// accountTrends groups the tallies by account and by each wanted currency.
func (t Tallies) accountTrends(wanted func(money.Currency) bool) []AccountTrend {
	type row struct {
		account  AccountID
		currency money.Currency
	}
	rows := map[row]*AccountTrend{}
	t.merge(func(at *Tally, account Account, f Figures) {
		if !wanted(at.Currency) {
			return
		}
		of := row{at.AccountID, at.Currency}
		if rows[of] == nil {
			rows[of] = &AccountTrend{Account: account, Currency: at.Currency}
		}
		rows[of].Months[at.Period-1] = f
	})
	accountTrends := make([]AccountTrend, 0, len(rows))
	for _, c := range rows {
		accountTrends = append(accountTrends, *c)
	}
	slices.SortFunc(accountTrends, func(a, b AccountTrend) int {
		return cmp.Or(byStatement(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
	})
	return accountTrends
}
