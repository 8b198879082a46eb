package budget

import (
	"cmp"
	"context"
	"slices"

	"daybook/internal/fault"
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
// NotFound: the department is unknown. Invalid: there are more than 50,000 accounts and currencies.
func (l *Ledger) Trend(ctx context.Context, q ReportQuery) (Trend, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Trend{}, err
	}
	tallies, err := l.Months(ctx, q.Year, q.Version, department.ID)
	if err != nil {
		return Trend{}, err
	}
	items, err := tallies.accountTrends(within(q.Currency))
	return Trend{Department: string(department.Code), Year: q.Year, Version: q.Version, Items: items}, err
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

// mostTrends is how many rows a trend may have. A row takes 800 bytes, and as many in the answer.
const mostTrends = 50_000

// accountTrends groups the tallies by account and by each wanted currency. Invalid: there are too many.
func (t Tallies) accountTrends(wanted func(money.Currency) bool) ([]AccountTrend, error) {
	type row struct {
		account  AccountID
		currency money.Currency
	}
	at := map[row]int{}
	var trends []AccountTrend
	tooMany := false
	t.merge(func(tally *Tally, account Account, f Figures) {
		if !wanted(tally.Currency) {
			return
		}
		of := row{tally.AccountID, tally.Currency}
		i, is := at[of]
		switch {
		case !is && len(trends) == mostTrends:
			tooMany = true
			return
		case !is:
			i, trends = len(trends), append(trends, AccountTrend{Account: account, Currency: tally.Currency})
			at[of] = i
		}
		trends[i].Months[tally.Period-1] = f
	})
	if tooMany {
		return nil, fault.New(fault.Invalid, "the report has more than %d accounts and currencies; ask for one department or one currency", mostTrends)
	}
	slices.SortFunc(trends, func(a, b AccountTrend) int {
		return cmp.Or(byStatement(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
	})
	return trends, nil
}
