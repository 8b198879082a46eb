package api

import (
	"slices"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/quality"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// mostFindings is how many findings of a kind are listed at most.
const mostFindings = 200

// qualityBody lists at most Limit findings of a kind.
type qualityBody struct {
	Items []findingBody `json:"items"`
	Limit int           `json:"limit"`
}

// findingBody is something that is likely to be a mistake.
type findingBody struct {
	Kind     quality.Kind     `json:"kind"`
	Severity quality.Severity `json:"severity"`
	Count    int64            `json:"count"`
	Title    string           `json:"title"`
	Detail   string           `json:"detail"`
	Subject  subjectBody      `json:"subject"`
}

// subjectBody names what a finding is about.
type subjectBody struct {
	Department   text.Code       `json:"department,omitzero"`
	GLCode       text.Code       `json:"gl_code,omitzero"`
	Currency     money.Currency  `json:"currency,omitzero"`
	Entity       quality.Records `json:"entity,omitzero"`
	Company      text.Name       `json:"company,omitzero"`
	FiscalYear   fiscal.Year     `json:"fiscal_year,omitzero"`
	FiscalPeriod fiscal.Period   `json:"fiscal_period,omitzero"`
}

func findingOf(f quality.Finding) findingBody {
	s := f.Subject
	return findingBody{
		Kind: f.Kind, Severity: f.Severity, Count: f.Count, Title: f.Title, Detail: f.Detail,
		Subject: subjectBody{
			Department: s.Department, GLCode: s.Account, Currency: s.Currency, Entity: s.Records, Company: s.Company,
			FiscalYear: s.FiscalYear, FiscalPeriod: s.FiscalPeriod,
		},
	}
}

func (a *api) quality(c *request) error {
	usage, err := a.Ledger.Usage(c.Request.Context())
	if err != nil {
		return err
	}
	book, err := a.Book.Quality(c.Request.Context(), postedIn(usage), mostFindings)
	if err != nil {
		return err
	}
	ledger, err := a.Ledger.Quality(c.Request.Context(), mostFindings)
	items := []findingBody{}
	for _, f := range quality.Order(slices.Concat(book.Findings(), ledger.Findings()), mostFindings) {
		items = append(items, findingOf(f))
	}
	return ok(c, qualityBody{Items: items, Limit: mostFindings}, err)
}

// postedIn counts what a ledger has in each currency.
func postedIn(usage budget.Usage) map[money.Currency]trading.Posted {
	posted := map[money.Currency]trading.Posted{}
	for currency, n := range usage.Lines.Currencies {
		posted[currency] = trading.Posted{BudgetLines: n}
	}
	for currency, n := range usage.Actuals.Currencies {
		posted[currency] = trading.Posted{BudgetLines: posted[currency].BudgetLines, Actuals: n}
	}
	return posted
}
