package api

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// mostFindings bounds how many findings of a kind are told.
const mostFindings = 200

// findingBody is what is likely to be a mistake.
type findingBody struct {
	Kind     string      `json:"kind"`
	Severity severity    `json:"severity"`
	Count    int64       `json:"count"`
	Title    string      `json:"title"`
	Detail   string      `json:"detail"`
	Subject  subjectBody `json:"subject"`
}

// severity says how likely it is that figures are wrong for it.
type severity string

const (
	high   severity = "high"
	medium severity = "medium"
	low    severity = "low"
)

func (s severity) rank() int { return slices.Index([]severity{high, medium, low}, s) }

// subjectBody names what a finding is about.
type subjectBody struct {
	Department   text.Code      `json:"department,omitzero"`
	GLCode       text.Code      `json:"gl_code,omitzero"`
	Currency     money.Currency `json:"currency,omitzero"`
	Entity       journal.Entity `json:"entity,omitzero"`
	Company      text.Name      `json:"company,omitzero"`
	FiscalYear   fiscal.Year    `json:"fiscal_year,omitzero"`
	FiscalPeriod fiscal.Period  `json:"fiscal_period,omitzero"`
}

func (a *api) quality(c *gin.Context) error {
	usage, err := a.Ledger.Usage(c.Request.Context())
	if err != nil {
		return err
	}
	posted := map[money.Currency]int64{}
	for _, use := range []budget.Use{usage.Lines, usage.Actuals} {
		for currency, n := range use.Currencies {
			posted[currency] += n
		}
	}
	book, err := a.Book.Quality(c.Request.Context(), posted, mostFindings)
	if err != nil {
		return err
	}
	ledger, err := a.Ledger.Quality(c.Request.Context(), mostFindings)
	return ok(c, map[string]any{"items": findingsOf(book, ledger, usage)}, err)
}

// findingsOf are the findings in either, the most severe first.
func findingsOf(book trading.Quality, ledger budget.Quality, usage budget.Usage) []findingBody {
	findings := []findingBody{}
	for _, d := range book.Doubtful {
		findings = append(findings, doubtOf(d, usage))
	}
	for _, gap := range ledger.Unposted {
		findings = append(findings, gapOf("budget_without_actual", gap, "budgeted, with no actual"))
	}
	for _, gap := range ledger.Unbudgeted {
		findings = append(findings, gapOf("unbudgeted_actual", gap, "posted, with no budget line in original"))
	}
	var ambiguous []findingBody
	for _, n := range ledger.Namesakes {
		ambiguous = append(ambiguous, departmentsOf(n))
	}
	for _, same := range book.Namesakes {
		ambiguous = append(ambiguous, companiesOf(same))
	}
	findings = append(findings, ambiguous[:min(len(ambiguous), mostFindings)]...)
	for _, account := range ledger.Contrary {
		findings = append(findings, contraryOf(account))
	}
	slices.SortStableFunc(findings, func(a, b findingBody) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	return findings
}

// doubtOf names one kind of records that are in the currency, for whoever looks at them.
func doubtOf(d trading.Doubt, usage budget.Usage) findingBody {
	entity := journal.BudgetLines
	if usage.Actuals.Currencies[d.Currency] > 0 {
		entity = journal.Actuals
	}
	if d.Trades > 0 {
		entity = journal.Trades
	}
	var uses []string
	if d.Trades > 0 {
		uses = append(uses, counted(d.Trades, "trade", "trades"))
	}
	if d.Postings > 0 {
		uses = append(uses, counted(d.Postings, "budget line or actual", "budget lines and actuals"))
	}
	return findingBody{
		Kind: "doubtful_currency", Severity: high, Count: d.Records(),
		Title:   fmt.Sprintf("Currency %s", d.Currency),
		Detail:  fmt.Sprintf("neither registered nor a code of ISO 4217; used by %s", strings.Join(uses, " and ")),
		Subject: subjectBody{Currency: d.Currency, Entity: entity},
	}
}

// gapOf names the period of a gap only where it is one.
func gapOf(kind string, gap budget.Gap, what string) findingBody {
	body := findingBody{
		Kind: kind, Severity: medium, Count: int64(gap.Periods.Len()),
		Title:   fmt.Sprintf("%s, account %s, %d", gap.Department.Code, gap.Account.Code, gap.Year),
		Detail:  described(gap.Account, fmt.Sprintf("%s: %s", spoken(gap.Periods), what)),
		Subject: subjectBody{Department: gap.Department.Code, GLCode: gap.Account.Code, FiscalYear: gap.Year},
	}
	if gap.Periods.Len() == 1 {
		body.Subject.FiscalPeriod = gap.Periods.Last()
	}
	return body
}

func departmentsOf(n budget.Namesakes) findingBody {
	codes := make([]string, len(n.First))
	for i, d := range n.First {
		codes[i] = string(d.Code)
	}
	field := "name"
	if n.By == budget.ByCostCenter {
		field = "cost centre"
	}
	return findingBody{
		Kind: "ambiguous_name", Severity: medium, Count: int64(n.Total),
		Title:   fmt.Sprintf("Departments with the %s %q", field, text.Shorten(n.Value)),
		Detail:  fmt.Sprintf("%s; a lookup by this %s is refused", someOf(codes, n.Total), field),
		Subject: subjectBody{Department: n.First[0].Code},
	}
}

func companiesOf(same trading.Namesakes) findingBody {
	var ids []string
	for _, id := range same.IDs[:min(len(same.IDs), budget.MostNamesakes)] {
		ids = append(ids, fmt.Sprint(id))
	}
	return findingBody{
		Kind: "ambiguous_name", Severity: low, Count: int64(len(same.IDs)),
		Title:   fmt.Sprintf("Companies with the name %q", text.Shorten(string(same.Name))),
		Detail:  fmt.Sprintf("ids %s; a position of this name may not be valued at their price", someOf(ids, len(same.IDs))),
		Subject: subjectBody{Company: same.Name},
	}
}

// contraryOf takes an account of revenue that favours a low actual for what it often is:
// a contra account.
func contraryOf(a budget.Account) findingBody {
	severity, favours := medium, "high"
	if !a.FavourHigh {
		severity, favours = low, "low"
	}
	return findingBody{
		Kind: "favour_high_against_type", Severity: severity, Count: 1,
		Title:   fmt.Sprintf("Account %s", a.Code),
		Detail:  described(a, fmt.Sprintf("of type %s, favours a %s actual", a.Type, favours)),
		Subject: subjectBody{GLCode: a.Code},
	}
}

// described puts what an account is before what is said of it.
func described(a budget.Account, what string) string {
	if a.Description == "" {
		return what
	}
	return text.Shorten(string(a.Description)) + "; " + what
}

// counted is a number of things.
func counted(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// someOf lists the first names of so many.
func someOf(first []string, total int) string {
	listed := strings.Join(first, ", ")
	if total > len(first) {
		listed += fmt.Sprintf(" and %d more", total-len(first))
	}
	return listed
}

// spoken names periods, many that follow each other by the first and the last.
func spoken(periods fiscal.Set) string {
	var runs []string
	for p := range periods.All() {
		if p > 1 && periods.Has(p-1) {
			continue
		}
		last := p
		for periods.Has(last + 1) {
			last++
		}
		run := fmt.Sprintf("%d to %d", p, last)
		switch last - p {
		case 0:
			run = fmt.Sprint(p)
		case 1:
			run = fmt.Sprintf("%d, %d", p, last)
		}
		runs = append(runs, run)
	}
	noun := "periods"
	if periods.Len() == 1 {
		noun = "period"
	}
	return noun + " " + strings.Join(runs, ", ")
}
