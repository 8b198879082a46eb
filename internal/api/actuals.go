package api

import (
	"net/http"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

type actualBody struct {
	ID           budget.ActualID     `json:"id"`
	DepartmentID budget.DepartmentID `json:"department_id"`
	GLAccountID  budget.AccountID    `json:"gl_account_id"`
	FiscalYear   fiscal.Year         `json:"fiscal_year"`
	FiscalPeriod fiscal.Period       `json:"fiscal_period"`
	Amount       money.Amount        `json:"amount"`
	Currency     money.Currency      `json:"currency"`
	Source       text.Source         `json:"source"`
}

func actualOf(a budget.Actual) actualBody {
	return actualBody{
		ID: a.ID, DepartmentID: a.DepartmentID, GLAccountID: a.AccountID, FiscalYear: a.Year, FiscalPeriod: a.Period,
		Amount: a.Amount, Currency: a.Currency, Source: a.Source,
	}
}

// ingestActual responds 200 to a new actual and to one that replaces another.
func (a *api) ingestActual(c *request) error {
	return creationAs(c, http.StatusOK, newActual, a.Ledger.Ingest, encoded(actualOf))
}

func newActual(f *form) budget.Actual {
	return budget.Actual{
		Key:      requiredKey(f),
		Amount:   required(f, "amount", field.Decimal(money.ParseAmount, money.ParseComputedAmount)),
		Currency: required(f, "currency", field.String(money.ParseCurrency)),
		Source:   optional(f, "source", "", field.String(text.ParseSource)),
	}
}

func (a *api) deleteActual(c *request) error {
	return deletion(c, a.Ledger.DeleteActual, encoded(actualOf))
}

func (a *api) pageActuals(c *request) error {
	f := queryForm(c)
	o := orderParameters(f, budget.Sorts())
	filter := budget.ActualFilter{
		KeyFilter: keyFilter(f),
		Currency:  maybe(f, "currency", field.String(money.ParseCurrency)),
		Source:    maybe(f, "source", field.String(text.ParseSource)),
		Sort:      o.by, Down: o.down, After: o.after, Limit: o.limit,
	}
	if err := a.readCodes(c.Request.Context(), f, &filter.KeyFilter); err != nil {
		return err
	}
	actuals, err := a.Ledger.ActualPage(c.Request.Context(), filter)
	return orderedPage(c, actuals, o.byID, encoded(actualOf), err)
}
