package records

import (
	"fmt"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// Names say what the departments and accounts are called that postings name by their ids.
type Names struct {
	Department, Account func(id int64) (string, error)
}

// Words say which record an entry is of, as people know it, such as the account 4000.
func Words(e *journal.Entry, names Names) (string, error) {
	switch e.Entity {
	case journal.Currencies:
		return "the currency " + known(string(last(trading.CurrencyFields, e).Code)), nil
	case journal.Companies:
		return "the company " + known(string(last(trading.CompanyFields, e).Name)), nil
	case journal.Revenues:
		return fmt.Sprintf("the revenue %d, %s", e.EntityID, known(string(last(trading.RevenueFields, e).Category))), nil
	case journal.Trades:
		return fmt.Sprintf("the trade %d of %s", e.EntityID, known(string(last(TradeFields, e).Symbol))), nil
	case journal.Departments:
		return "the department " + known(string(last(budget.DepartmentFields, e).Code)), nil
	case journal.Accounts:
		return "the account " + known(string(last(budget.AccountFields, e).Code)), nil
	case journal.BudgetLines:
		line := last(budget.LineFields, e)
		posting, err := names.posting(line.Key)
		return fmt.Sprintf("the budget line of %s, %s", posting, line.Version), err
	case journal.Actuals:
		posting, err := names.posting(last(budget.ActualFields, e).Key)
		return "the actual of " + posting, err
	case journal.Tokens, journal.Batches, journal.Maps:
		one := map[journal.Entity]string{journal.Tokens: "token", journal.Batches: "batch", journal.Maps: "map"}
		return fmt.Sprintf("the %s %d", one[e.Entity], e.EntityID), nil
	}
	return fmt.Sprintf("entry %d of %s", e.Seq, e.Entity), nil
}

// last is the record as an entry left it, or as it was before it was removed.
func last[R any](fields field.List[R], e *journal.Entry) (r R) {
	if body := e.After; body != nil {
		fields.Scan(body, &r)
		return r
	}
	fields.Scan(e.Before, &r)
	return r
}

func known(name string) string { return text.Printable(text.Shorten(name)) }

// posting names a posting by its key: Sales, 4000, P01 2026.
func (n Names) posting(k budget.Key) (string, error) {
	department, err := n.Department(int64(k.DepartmentID))
	if err != nil {
		return "", err
	}
	account, err := n.Account(int64(k.AccountID))
	return fmt.Sprintf("%s, %s, P%02d %d", known(department), known(account), k.Period, k.Year), err
}
