package budget

import (
	"fmt"

	"daybook/internal/quality"
	"daybook/internal/text"
)

// Findings are the findings of the ledger, for people.
func (q Quality) Findings() (found []quality.Finding) {
	for _, gap := range q.Unposted {
		found = append(found, gap.finding(quality.BudgetWithoutActual, "budgeted, with no actual"))
	}
	for _, gap := range q.Unbudgeted {
		found = append(found, gap.finding(quality.UnbudgetedActual, "posted, with no budget line in original"))
	}
	for _, n := range q.Namesakes {
		found = append(found, n.finding())
	}
	for _, account := range q.AgainstType {
		found = append(found, account.finding())
	}
	return found
}

// finding names the period of a gap only if it is one period.
func (g Gap) finding(kind quality.Kind, what string) quality.Finding {
	f := quality.Finding{
		Kind: kind, Severity: quality.Medium, Count: int64(g.Periods.Len()),
		Title:   fmt.Sprintf("%s, account %s, %d", g.Department.Code, g.Account.Code, g.Year),
		Detail:  g.Account.described(fmt.Sprintf("%s: %s", g.Periods, what)),
		Subject: quality.Subject{Department: g.Department.Code, Account: g.Account.Code, FiscalYear: g.Year},
	}
	if g.Periods.Len() == 1 {
		f.Subject.FiscalPeriod = g.Periods.Last()
	}
	return f
}

func (n Namesakes) finding() quality.Finding {
	codes := make([]string, len(n.First))
	for i, d := range n.First {
		codes[i] = string(d.Code)
	}
	return quality.Finding{
		Kind: quality.AmbiguousName, Severity: quality.Medium, Count: int64(n.Total),
		Title:   fmt.Sprintf("Departments with the name %q", text.Shorten(n.Name)),
		Detail:  quality.Some(codes, n.Total) + "; a lookup by this name is refused",
		Subject: quality.Subject{Department: n.First[0].Code},
	}
}

// finding is about an account that favours what its type does not. An account of revenue that
// favours a low actual is often right: it is a contra account.
func (a Account) finding() quality.Finding {
	severity, favours := quality.Medium, "high"
	if !a.FavourHigh {
		severity, favours = quality.Low, "low"
	}
	return quality.Finding{
		Kind: quality.FavourAgainstType, Severity: severity, Count: 1,
		Title:   fmt.Sprintf("Account %s", a.Code),
		Detail:  a.described(fmt.Sprintf("of type %s, but a %s actual counts as good", a.Type.title(), favours)),
		Subject: quality.Subject{Account: a.Code},
	}
}

// described puts the account's description before a sentence.
func (a Account) described(what string) string {
	if a.Description == "" {
		return what
	}
	return text.Shorten(string(a.Description)) + "; " + what
}
