package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"daybook/internal/budget"
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

// ingestActual answers 200 to the first and to the repeated post alike.
func (a *api) ingestActual(c *gin.Context) error {
	f, err := wrappable(c)
	if err != nil {
		return err
	}
	actual := budget.Actual{
		Key:      requiredKey(f),
		Amount:   required(f, "amount", amount()),
		Currency: required(f, "currency", str(money.ParseCurrency)),
		Source:   optional(f, "source", "", str(text.ParseSource)),
	}
	if err := f.err(); err != nil {
		return err
	}
	actual, err = a.Ledger.Ingest(once(c, http.StatusOK, actualOf), actual)
	return ok(c, actualOf(actual), err)
}

func (a *api) deleteActual(c *gin.Context) error {
	return deletion(c, a.Ledger.DeleteActual, actualOf)
}

func (a *api) pageActuals(c *gin.Context) error {
	f := queryForm(c)
	by, down := sorting(f, budget.Sorts())
	byID := by == budget.SortByID
	after, limit := placeParameters(f, byID)
	filter := budget.ActualFilter{
		KeyFilter: keyFilter(f),
		Currency:  maybe(f, "currency", str(money.ParseCurrency)),
		Source:    maybe(f, "source", str(text.ParseSource)),
		Sort:      by,
		Down:      down,
		After:     after,
		Limit:     limit,
	}
	codes := codeFilter(f)
	if err := f.err(); err != nil {
		return err
	}
	if err := a.narrow(c.Request.Context(), &filter.KeyFilter, codes); err != nil {
		return err
	}
	actuals, err := a.Ledger.ActualPage(c.Request.Context(), filter)
	return placedPage(c, actuals, byID, actualOf, err)
}
