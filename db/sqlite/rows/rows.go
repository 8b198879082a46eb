// Package rows turns rows of the generated queries into values of the domains, and reads tables in
// short pages.
//
// It knows no file and opens no connection. It neither begins nor ends a transaction: its callers pass
// their queries.
package rows

import (
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// Actual is a row of actuals.
func Actual(r gen.Actual) budget.Actual {
	return budget.Actual{
		ID:       budget.ActualID(r.ID),
		Key:      Key(r.DepartmentID, r.GlAccountID, r.FiscalYear, r.FiscalPeriod),
		Amount:   money.Amount(r.Amount),
		Currency: money.Currency(r.Currency),
		Source:   text.Source(r.Source),
	}
}

// Line is a row of budget_lines.
func Line(r gen.BudgetLine) budget.Line {
	return budget.Line{
		ID: budget.LineID(r.ID),
		LineKey: budget.LineKey{
			Key:     Key(r.DepartmentID, r.GlAccountID, r.FiscalYear, r.FiscalPeriod),
			Version: budget.Version(r.Version),
		},
		Amount:   money.Amount(r.Amount),
		Currency: money.Currency(r.Currency),
		Notes:    text.Note(r.Notes),
	}
}

// Company is a row of companies.
func Company(r gen.Company) trading.Company {
	return trading.Company{
		ID:                trading.CompanyID(r.ID),
		Name:              text.Name(r.Name),
		SharesOutstanding: trading.Outstanding(r.SharesOutstanding),
		Price:             money.Price(r.Price),
		CurrencyID:        trading.CurrencyID(OrZero(r.CurrencyID)),
	}
}

// Optional returns the column of a value, NULL for the zero value.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// OrZero returns the value of an optional column, zero for NULL.
func OrZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// Currency is a row of currencies.
func Currency(r gen.Currency) trading.Currency {
	return trading.Currency{ID: trading.CurrencyID(r.ID), Code: money.Currency(r.Code), Name: text.Name(r.Name)}
}

// Department is a row of departments.
func Department(r gen.Department) budget.Department {
	return budget.Department{
		ID: budget.DepartmentID(r.ID), Code: text.Code(r.Code), Name: text.Name(r.Name),
		CostCenter: text.Label(r.CostCenter), Active: r.Active,
	}
}

// Account is a row of gl_accounts.
func Account(r gen.GlAccount) budget.Account {
	return budget.Account{
		ID: budget.AccountID(r.ID), Code: text.Code(r.Code), Description: text.Note(r.Description),
		Type: budget.AccountType(r.Type), FavourHigh: r.FavourHigh,
	}
}

// The names of the rows of the table sequences.
const (
	BudgetLineIDs = "budget_lines"
	ActualIDs     = "actuals"
)

// Revenue is a row of revenues.
func Revenue(r gen.Revenue) trading.Revenue {
	return trading.Revenue{
		ID:           trading.RevenueID(r.ID),
		CompanyID:    trading.CompanyID(r.CompanyID),
		Category:     text.Name(r.Category),
		Amount:       money.Amount(r.Amount),
		FiscalYear:   fiscal.Year(OrZero(r.FiscalYear)),
		CurrencyCode: money.Currency(OrZero(r.CurrencyCode)),
	}
}

// Token is a row of tokens.
func Token(r gen.Token) access.Token {
	return access.Token{
		ID: access.TokenID(r.ID), Name: text.Name(r.Name), Scope: access.Scope(r.Scope), Digest: digestOf(r.Digest),
		Created: time.UnixMicro(r.CreatedAt).UTC(), Expires: moment(r.ExpiresAt),
		Revoked: moment(r.RevokedAt), LastUsed: moment(r.LastUsedAt),
	}
}

// digestOf returns the digest in a column. In a damaged file it may be the zero digest, which no secret
// has.
func digestOf(column []byte) (d access.Digest) {
	if len(column) == len(d) {
		copy(d[:], column)
	}
	return d
}

// Micros returns the column of a time, NULL for the zero time, which means never.
func Micros(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return new(t.UnixMicro())
}

// moment returns the time of such a column.
func moment(column *int64) time.Time {
	if column == nil {
		return time.Time{}
	}
	return time.UnixMicro(*column).UTC()
}

// Trade is a row of trades.
func Trade(r gen.Trade) trading.Trade {
	return trading.Trade{
		ID: trading.TradeID(r.ID),
		Instrument: trading.Instrument{
			Symbol:   trading.Symbol(r.Symbol),
			Currency: money.Currency(r.CurrencyCode),
			Product:  trading.Product(r.Product),
		},
		Shares: trading.Shares(r.Shares),
		Side:   trading.Side(r.Side),
		Price:  money.Price(r.Price),
		Date:   Date(r.TradedAt),
	}
}

// Date returns the instant of a column that holds nanoseconds since 1970.
func Date(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }

// Key returns the key of a posting.
func Key(department, account, year, period int64) budget.Key {
	return budget.Key{
		DepartmentID: budget.DepartmentID(department),
		AccountID:    budget.AccountID(account),
		Year:         fiscal.Year(year),
		Period:       fiscal.Period(period),
	}
}
