package trading

import (
	"fmt"
	"strings"

	"daybook/internal/quality"
	"daybook/internal/text"
)

// Findings are the findings of the portfolio, for people.
func (q Quality) Findings() (found []quality.Finding) {
	for _, d := range q.Doubtful {
		found = append(found, d.finding())
	}
	for _, n := range q.Namesakes {
		found = append(found, n.finding())
	}
	return found
}

// finding names one kind of the records that are in the currency: the first of trades, actuals and
// budget lines that has any.
func (d Doubt) finding() quality.Finding {
	records := quality.BudgetLines
	if d.Posted.Actuals > 0 {
		records = quality.Actuals
	}
	var uses []string
	if d.Trades > 0 {
		records = quality.Trades
		uses = append(uses, quality.Counted(d.Trades, "trade", "trades"))
	}
	if n := d.Posted.all(); n > 0 {
		uses = append(uses, quality.Counted(n, "budget line or actual", "budget lines and actuals"))
	}
	return quality.Finding{
		Kind: quality.DoubtfulCurrency, Severity: quality.High, Count: d.Records(),
		Title:   fmt.Sprintf("Currency %s", d.Currency),
		Detail:  fmt.Sprintf("neither registered nor a code of ISO 4217; used by %s", strings.Join(uses, " and ")),
		Subject: quality.Subject{Currency: d.Currency, Records: records},
	}
}

func (n Namesakes) finding() quality.Finding {
	ids := make([]string, len(n.IDs))
	for i, id := range n.IDs {
		ids[i] = fmt.Sprint(id)
	}
	return quality.Finding{
		Kind: quality.AmbiguousName, Severity: quality.Low, Count: int64(len(ids)),
		Title:   fmt.Sprintf("Companies with the name %q", text.Shorten(string(n.Name))),
		Detail:  fmt.Sprintf("ids %s; a position of this name may not be valued at their price", quality.Some(ids, len(ids))),
		Subject: quality.Subject{Company: n.Name},
	}
}
