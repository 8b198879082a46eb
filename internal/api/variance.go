package api

import (
	"strings"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// reportBody is a variance report (interface.md, "Variance"). TotalsByCurrency is there only with
// several currencies, and Threshold only for alerts.
type reportBody struct {
	Department   string         `json:"department"`
	FiscalYear   fiscal.Year    `json:"fiscal_year"`
	FiscalPeriod fiscal.Period  `json:"fiscal_period"`
	Version      budget.Version `json:"version"`
	totalsBody
	Lines            each[budget.VarianceLine, varianceLineBody] `json:"lines"`
	TotalsByCurrency []totalsBody                                `json:"totals_by_currency,omitempty"`
	Threshold        *money.Percent                              `json:"threshold,omitzero"`
}

type totalsBody struct {
	Currency         money.Currency `json:"currency"`
	TotalBudget      money.Sum      `json:"total_budget"`
	TotalActual      money.Sum      `json:"total_actual"`
	TotalVariance    money.Sum      `json:"total_variance"`
	TotalVariancePct money.Percent  `json:"total_variance_pct"`
}

func totalsOf(t budget.Totals) totalsBody {
	return totalsBody{
		Currency: t.Currency, TotalBudget: t.Budget, TotalActual: t.Actual, TotalVariance: t.Variance,
		TotalVariancePct: t.Percent,
	}
}

// varianceLineBody is a variance line. Department is there only in a report over all departments.
type varianceLineBody struct {
	Department    text.Code          `json:"department,omitzero"`
	GLCode        text.Code          `json:"gl_code"`
	GLDescription text.Note          `json:"gl_description"`
	GLType        budget.AccountType `json:"gl_type"`
	Budget        money.Amount       `json:"budget"`
	Actual        money.Amount       `json:"actual"`
	VarianceAbs   money.Amount       `json:"variance_abs"`
	VariancePct   money.Percent      `json:"variance_pct"`
	Status        budget.Status      `json:"status"`
	Currency      money.Currency     `json:"currency"`
}

func reportOf(r budget.Report) reportBody {
	lineOf := func(line budget.VarianceLine) varianceLineBody {
		body := varianceLineBody{
			GLCode: line.Account.Code, GLDescription: line.Account.Description, GLType: line.Account.Type,
			Budget: line.Budget, Actual: line.Actual,
			VarianceAbs: line.Abs, VariancePct: line.Percent, Status: line.Status, Currency: line.Currency,
		}
		if r.Department == budget.AllDepartments {
			body.Department = line.Department
		}
		return body
	}
	body := reportBody{
		Department: r.Department, FiscalYear: r.Year, FiscalPeriod: r.Period, Version: r.Version,
		totalsBody: totalsOf(r.Totals),
		Lines:      each[budget.VarianceLine, varianceLineBody]{r.Lines, lineOf},
	}
	for _, t := range r.ByCurrency {
		body.TotalsByCurrency = append(body.TotalsByCurrency, totalsOf(t))
	}
	return body
}

// reportQuery reads the parameters of a report.
func reportQuery(f *form) budget.ReportQuery {
	q := budget.ReportQuery{
		Year:   required(f, "year", field.Whole(fiscal.NewYear)),
		Period: required(f, "period", field.Whole(fiscal.NewPeriod)),
	}
	narrowReport(f, &q)
	return q
}

// narrowReport reads the parameters of a report that have defaults.
func narrowReport(f *form, q *budget.ReportQuery) {
	q.Version = optional(f, "version", budget.Original, field.String(budget.ParseVersion))
	q.Department = departmentCode(f)
	q.Currency = optional(f, "currency", "", field.String(money.ParseCurrency))
}

// departmentCode reads `dept`; "" is every department.
func departmentCode(f *form) text.Code {
	code := optional(f, "dept", "", field.String(text.ParseCode))
	if strings.EqualFold(string(code), budget.AllDepartments) {
		return ""
	}
	return code
}

func (a *api) variance(c *request) error {
	f := queryForm(c)
	q := reportQuery(f)
	if err := f.err(); err != nil {
		return err
	}
	report, err := a.Ledger.Variance(c.Request.Context(), q)
	return ok(c, reportOf(report), err)
}

func (a *api) alerts(c *request) error {
	f := queryForm(c)
	q := reportQuery(f)
	threshold := thresholdParameter(f)
	if err := f.err(); err != nil {
		return err
	}
	report, err := a.Ledger.Variance(c.Request.Context(), q)
	body := reportOf(report.Over(threshold))
	body.Threshold = &threshold
	return ok(c, body, err)
}

// thresholdParameter reads the percentage above which a line is an alert.
func thresholdParameter(f *form) money.Percent {
	return optional(f, "threshold", budget.DefaultThreshold(), field.Decimal(budget.ParseThreshold, budget.ParseThreshold))
}

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
