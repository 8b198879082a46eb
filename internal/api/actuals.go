package api

import (
	"net/http"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
)

// ingestActual responds 200 to a new actual and to one that replaces another.
func (a *api) ingestActual(c *request) error {
	return creation(c, http.StatusOK, budget.ActualFields, a.Ledger.Ingest)
}

func (a *api) deleteActual(c *request) error {
	return deletion(c, a.Ledger.DeleteActual, budget.ActualFields.Append)
}

// actualFilter reads which actuals are listed, and whether they are by id.
func actualFilter(f *form) (filter budget.ActualFilter, byID bool) {
	o := orderParameters(f, budget.Sorts())
	return budget.ActualFilter{
		KeyFilter: keyFilter(f),
		Currency:  maybe(f, "currency", field.String(money.ParseCurrency)),
		Source:    maybe(f, "source", field.String(text.ParseSource)),
		Sort:      o.by, Down: o.down, After: o.after, Limit: o.limit,
	}, o.byID
}

func (a *api) pageActuals(c *request) error {
	f := queryForm(c)
	filter, byID := actualFilter(f)
	if err := readCodes(c.Request.Context(), f, &filter.KeyFilter, a.Ledger); err != nil {
		return err
	}
	actuals, err := a.Ledger.ActualPage(c.Request.Context(), filter)
	return orderedPage(c, actuals, byID, budget.ActualFields.Append, err)
}
