// Package quality says what a finding is: something in the data that is likely to be a mistake.
//
// It must not know the rules by which a domain finds mistakes.
package quality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Finding is something that is likely to be a mistake.
type Finding struct {
	Kind     Kind
	Severity Severity
	Count    int64  // of the records it is about
	Title    string // what it is about, for people
	Detail   string // what is wrong with it, for people
	Subject  Subject
}

// Kind is the kind of a finding.
type Kind string

// The kinds.
const (
	DoubtfulCurrency    Kind = "doubtful_currency"
	BudgetWithoutActual Kind = "budget_without_actual"
	UnbudgetedActual    Kind = "unbudgeted_actual"
	AmbiguousName       Kind = "ambiguous_name"
	FavourAgainstType   Kind = "favour_high_against_type"
)

// Severity is how likely it is that figures are wrong because of a finding.
type Severity string

// The severities, the highest first.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

func (s Severity) rank() int { return slices.Index([]Severity{High, Medium, Low}, s) }

// Subject names what a finding is about. A zero field is not part of it.
type Subject struct {
	Department   text.Code
	Account      text.Code
	Currency     money.Currency
	Records      Records
	Company      text.Name
	FiscalYear   fiscal.Year
	FiscalPeriod fiscal.Period
}

// Records is a kind of records, by the name of its entity in the journal.
type Records string

// The kinds of records that a finding may be about.
const (
	Trades      Records = "trades"
	BudgetLines Records = "budget_lines"
	Actuals     Records = "actuals"
)

// Order sorts findings by severity, the highest first, and keeps the order of equal ones. Of each
// kind it keeps the first most.
func Order(findings []Finding, most int) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	counts := map[Kind]int{}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		counts[f.Kind]++
		return counts[f.Kind] > most
	})
}

// Counted prints a number of things.
func Counted(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// MostListed is how many names Some lists.
const MostListed = 10

// Some lists the first names, and counts the others of total.
func Some(names []string, total int) string {
	first := names[:min(len(names), MostListed)]
	listed := strings.Join(first, ", ")
	if total > len(first) {
		listed += fmt.Sprintf(" and %d more", total-len(first))
	}
	return listed
}
