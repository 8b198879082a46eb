package api

import (
	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// summaryBody is the sums of a variance, in the order of a profit and loss statement.
type summaryBody struct {
	Department   string                      `json:"department"`
	FiscalYear   fiscal.Year                 `json:"fiscal_year"`
	FiscalPeriod fiscal.Period               `json:"fiscal_period"`
	Version      budget.Version              `json:"version"`
	By           budget.Grouping             `json:"by"`
	Span         budget.Span                 `json:"span"`
	Items        each[budget.Item, itemBody] `json:"items"`
	Subtotals    []subtotalBody              `json:"subtotals"`
	Totals       []netBody                   `json:"totals"`
}

// itemBody is an item of a summary: an account, a department, or an account in a department. A side
// without postings is null.
type itemBody struct {
	Department    text.Code          `json:"department,omitzero"`
	GLCode        text.Code          `json:"gl_code,omitzero"`
	GLDescription *text.Note         `json:"gl_description,omitzero"`
	GLType        budget.AccountType `json:"gl_type,omitzero"`
	FavourHigh    *bool              `json:"favour_high,omitzero"`
	Contra        *bool              `json:"contra,omitzero"`
	Currency      money.Currency     `json:"currency"`
	Budget        *money.Sum         `json:"budget"`
	Actual        *money.Sum         `json:"actual"`
	VarianceAbs   money.Sum          `json:"variance_abs"`
	VariancePct   money.Percent      `json:"variance_pct"`
	Status        budget.Status      `json:"status"`
	Unbudgeted    bool               `json:"unbudgeted"`
}

func itemOf(i budget.Item) itemBody {
	body := itemBody{
		Department: i.Department, GLCode: i.Account.Code, GLType: i.Account.Type, Currency: i.Currency,
		Budget: shown(i.Budget, i.Budgeted), Actual: shown(i.Actual, i.Posted),
		VarianceAbs: i.Variance, VariancePct: i.Percent(), Status: i.Status(), Unbudgeted: i.Unbudgeted(),
	}
	if i.Account.ID != 0 {
		contra := i.Account.Contra()
		body.GLDescription, body.FavourHigh, body.Contra = &i.Account.Description, &i.Account.FavourHigh, &contra
	}
	return body
}

// shown is nil, which is null in JSON, for a value that is not there.
func shown[T any](v T, there bool) *T {
	if !there {
		return nil
	}
	return &v
}

// figuresBody is the sums of columns, 0 without postings.
type figuresBody struct {
	Budget      money.Sum     `json:"budget"`
	Actual      money.Sum     `json:"actual"`
	VarianceAbs money.Sum     `json:"variance_abs"`
	VariancePct money.Percent `json:"variance_pct"`
	Status      budget.Status `json:"status"`
}

func figuresOf(f budget.Figures) figuresBody {
	return figuresBody{Budget: f.Budget, Actual: f.Actual, VarianceAbs: f.Variance, VariancePct: f.Percent(), Status: f.Status()}
}

type subtotalBody struct {
	GLType   budget.AccountType `json:"gl_type"`
	Currency money.Currency     `json:"currency"`
	figuresBody
}

type netBody struct {
	Currency money.Currency `json:"currency"`
	figuresBody
}

func summaryOf(s budget.Summary) summaryBody {
	body := summaryBody{
		Department: s.Department, FiscalYear: s.Year, FiscalPeriod: s.Period, Version: s.Version, By: s.By, Span: s.Span,
		Items:     each[budget.Item, itemBody]{s.Items, itemOf},
		Subtotals: make([]subtotalBody, len(s.Subtotals)),
		Totals:    make([]netBody, len(s.Totals)),
	}
	for i, t := range s.Subtotals {
		body.Subtotals[i] = subtotalBody{GLType: t.Type, Currency: t.Currency, figuresBody: figuresOf(t.Figures)}
	}
	for i, t := range s.Totals {
		body.Totals[i] = netBody{Currency: t.Currency, figuresBody: figuresOf(t.Figures)}
	}
	return body
}

func (a *api) summary(c *request) error {
	f := queryForm(c)
	q := summaryQuery(f)
	if err := f.err(); err != nil {
		return err
	}
	s, err := a.Ledger.Summary(c.Request.Context(), q)
	return ok(c, summaryOf(s), err)
}

// summaryQuery reads the parameters of a summary.
func summaryQuery(f *form) budget.SummaryQuery {
	return budget.SummaryQuery{
		ReportQuery: reportQuery(f),
		By:          optional(f, "by", budget.PerAccount, field.String(budget.ParseGrouping)),
		Span:        optional(f, "span", budget.OnePeriod, field.String(budget.ParseSpan)),
	}
}
