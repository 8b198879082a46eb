package api

import (
	"time"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// overviewBody summarises a period and its year. Both are null if nothing is posted.
type overviewBody struct {
	FiscalYear      *fiscal.Year           `json:"fiscal_year"`
	FiscalPeriod    *fiscal.Period         `json:"fiscal_period"`
	Version         budget.Version         `json:"version"`
	Department      string                 `json:"department"`
	Currencies      []currencyOverviewBody `json:"currencies"`
	CurrenciesTotal int                    `json:"currencies_total"`
	Sources         []sourceBody           `json:"sources"`
	SourcesTotal    int                    `json:"sources_total"`
}

type currencyOverviewBody struct {
	Currency   money.Currency            `json:"currency"`
	Lines      int                       `json:"lines"`
	Period     netFiguresBody            `json:"period"`
	YearToDate netFiguresBody            `json:"year_to_date"`
	Alerts     alertsBody                `json:"alerts"`
	Months     [fiscal.Periods]monthBody `json:"months"`
	Worst      []driverBody              `json:"worst"`
	Best       []driverBody              `json:"best"`
}

// alertsBody counts the lines of the period that exceed the threshold.
type alertsBody struct {
	Threshold    money.Percent `json:"threshold"`
	Unfavourable int           `json:"unfavourable"`
	Favourable   int           `json:"favourable"`
}

// netFiguresBody is a net result. A side without postings is null.
type netFiguresBody struct {
	Budget      *money.Sum    `json:"budget"`
	Actual      *money.Sum    `json:"actual"`
	VarianceAbs money.Sum     `json:"variance_abs"`
	VariancePct money.Percent `json:"variance_pct"`
	Status      budget.Status `json:"status"`
	Unbudgeted  bool          `json:"unbudgeted"`
}

func netFiguresOf(f budget.Figures) netFiguresBody {
	return netFiguresBody{
		Budget: shown(f.Budget, f.Budgeted), Actual: shown(f.Actual, f.Posted),
		VarianceAbs: f.Variance, VariancePct: f.Percent(), Status: f.Status(), Unbudgeted: f.Unbudgeted(),
	}
}

// monthBody is the net result of a period. A side without postings is null.
type monthBody struct {
	FiscalPeriod fiscal.Period  `json:"fiscal_period"`
	Budget       *money.Sum     `json:"budget"`
	Actual       *money.Sum     `json:"actual"`
	VarianceAbs  *money.Sum     `json:"variance_abs"`
	Status       *budget.Status `json:"status"`
	BudgetToDate *money.Sum     `json:"budget_to_date"`
	ActualToDate *money.Sum     `json:"actual_to_date"`
}

// driverBody is a line of the period.
type driverBody struct {
	Department    text.Code          `json:"department"`
	GLCode        text.Code          `json:"gl_code"`
	GLDescription text.Note          `json:"gl_description"`
	GLType        budget.AccountType `json:"gl_type"`
	Currency      money.Currency     `json:"currency"`
	Budget        *money.Amount      `json:"budget"`
	Actual        *money.Amount      `json:"actual"`
	VarianceAbs   money.Amount       `json:"variance_abs"`
	VariancePct   money.Percent      `json:"variance_pct"`
	Status        budget.Status      `json:"status"`
	Unbudgeted    bool               `json:"unbudgeted"`
}

// sourceBody is how recent a feed is; received_at is null if that was long ago.
type sourceBody struct {
	Source       text.Source   `json:"source"`
	Actuals      int64         `json:"actuals"`
	FiscalYear   fiscal.Year   `json:"fiscal_year"`
	FiscalPeriod fiscal.Period `json:"fiscal_period"`
	Behind       int           `json:"periods_behind"`
	ReceivedAt   *time.Time    `json:"received_at"`
}

func currencyOverviewOf(s budget.CurrencyOverview, threshold money.Percent) currencyOverviewBody {
	body := currencyOverviewBody{
		Currency: s.Currency, Lines: s.Lines, Period: netFiguresOf(s.Period), YearToDate: netFiguresOf(s.YearToDate),
		Alerts: alertsBody{threshold, s.Unfavourable, s.Favourable},
		Worst:  driversOf(s.Worst), Best: driversOf(s.Best),
	}
	for i, f := range &s.Months {
		there, toDate := f.Budgeted || f.Posted, s.ToDate[i]
		body.Months[i] = monthBody{
			FiscalPeriod: fiscal.Period(i + 1),
			Budget:       shown(f.Budget, f.Budgeted), Actual: shown(f.Actual, f.Posted), VarianceAbs: shown(f.Variance, there), Status: shown(f.Status(), there),
			BudgetToDate: shown(toDate.Budget, toDate.Budgeted), ActualToDate: shown(toDate.Actual, toDate.Posted),
		}
	}
	return body
}

func driversOf(lines []budget.VarianceLine) []driverBody {
	bodies := make([]driverBody, len(lines))
	for i, line := range lines {
		bodies[i] = driverBody{
			Department: line.Department, GLCode: line.Account.Code, GLDescription: line.Account.Description, GLType: line.Account.Type,
			Currency: line.Currency, Budget: shown(line.Budget, line.Budgeted), Actual: shown(line.Actual, line.Posted),
			VarianceAbs: line.Abs, VariancePct: line.Percent, Status: line.Status, Unbudgeted: line.Unbudgeted(),
		}
	}
	return bodies
}

func overviewOf(o budget.Overview, threshold money.Percent) overviewBody {
	body := overviewBody{
		FiscalYear: shown(o.Year, o.Year != 0), FiscalPeriod: shown(o.Period, o.Period != 0), Version: o.Version, Department: o.Department,
		Currencies: make([]currencyOverviewBody, len(o.Currencies)), CurrenciesTotal: o.CurrenciesTotal,
		Sources: make([]sourceBody, len(o.Sources)), SourcesTotal: o.SourcesTotal,
	}
	for i, s := range o.Currencies {
		body.Currencies[i] = currencyOverviewOf(s, threshold)
	}
	for i, s := range o.Sources {
		body.Sources[i] = sourceBody{
			Source: s.Name, Actuals: s.Actuals, FiscalYear: s.Newest.Year, FiscalPeriod: s.Newest.Period, Behind: o.Behind(s),
			ReceivedAt: shown(s.Changed, !s.Changed.IsZero()),
		}
	}
	return body
}

func (a *api) overview(c *request) error {
	f := queryForm(c)
	var narrow budget.ReportQuery
	narrowReport(f, &narrow)
	q := budget.OverviewQuery{
		Month: monthFilter(f), Version: narrow.Version, Department: narrow.Department, Currency: narrow.Currency,
		Threshold: budget.DefaultThreshold(),
	}
	if err := f.err(); err != nil {
		return err
	}
	o, err := a.Ledger.Overview(c.Request.Context(), q)
	return ok(c, overviewOf(o, q.Threshold), err)
}
