package api

import (
	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// trendBody is a fiscal year, period by period; period 1 is at 0.
type trendBody struct {
	Department string                                      `json:"department"`
	FiscalYear fiscal.Year                                 `json:"fiscal_year"`
	Version    budget.Version                              `json:"version"`
	LastBooked *fiscal.Period                              `json:"last_booked_period"`
	Items      each[budget.AccountTrend, accountTrendBody] `json:"items"`
}

// accountTrendBody is an account's year in one currency; a period with nothing is null.
type accountTrendBody struct {
	GLCode        text.Code                      `json:"gl_code"`
	GLDescription text.Note                      `json:"gl_description"`
	GLType        budget.AccountType             `json:"gl_type"`
	FavourHigh    bool                           `json:"favour_high"`
	Contra        bool                           `json:"contra"`
	Currency      money.Currency                 `json:"currency"`
	Budget        [fiscal.Periods]*money.Sum     `json:"budget"`
	Actual        [fiscal.Periods]*money.Sum     `json:"actual"`
	VarianceAbs   [fiscal.Periods]*money.Sum     `json:"variance_abs"`
	Status        [fiscal.Periods]*budget.Status `json:"status"`
}

func accountTrendOf(trend budget.AccountTrend) accountTrendBody {
	account := trend.Account
	body := accountTrendBody{
		GLCode: account.Code, GLDescription: account.Description, GLType: account.Type, FavourHigh: account.FavourHigh,
		Contra: account.Contra(), Currency: trend.Currency,
	}
	for i, f := range &trend.Months {
		body.Budget[i] = shown(f.Budget, f.Budgeted)
		body.Actual[i] = shown(f.Actual, f.Posted)
		body.VarianceAbs[i] = shown(f.Variance, f.Budgeted || f.Posted)
		body.Status[i] = shown(f.Status(), f.Budgeted || f.Posted)
	}
	return body
}

func (a *api) trend(c *request) error {
	f := queryForm(c)
	q := budget.ReportQuery{Year: required(f, "year", field.Whole(fiscal.NewYear))}
	narrowReport(f, &q)
	if err := f.err(); err != nil {
		return err
	}
	t, err := a.Ledger.Trend(c.Request.Context(), q)
	last := t.LastBooked()
	body := trendBody{
		Department: t.Department, FiscalYear: t.Year, Version: t.Version,
		LastBooked: shown(last, last != 0), Items: each[budget.AccountTrend, accountTrendBody]{t.Items, accountTrendOf},
	}
	return ok(c, body, err)
}
