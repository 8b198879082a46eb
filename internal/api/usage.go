package api

import (
	"context"
	"iter"

	"daybook/internal/budget"
	"daybook/internal/field"
)

// usageBody counts budget lines of every version, and actuals.
type usageBody struct {
	BudgetLines int64 `json:"budget_lines"`
	Actuals     int64 `json:"actuals"`
}

func (a *api) pageDepartments(c *request) error {
	return usedPage(c, a, a.Ledger.Departments, budget.DepartmentFields, func(d budget.Department) budget.DepartmentID { return d.ID },
		func(d budget.Department, u budget.Usage) usageBody {
			return usageBody{u.Lines.Departments[d.ID], u.Actuals.Departments[d.ID]}
		})
}

func (a *api) pageAccounts(c *request) error {
	return usedPage(c, a, a.Ledger.Accounts, budget.AccountFields, func(account budget.Account) budget.AccountID { return account.ID },
		func(account budget.Account, u budget.Usage) usageBody {
			return usageBody{u.Lines.Accounts[account.ID], u.Actuals.Accounts[account.ID]}
		})
}

// usedPage responds with a page of a short list by id, with how much is posted to each record.
func usedPage[T any, ID ~int64](
	c *request, a *api, list func(context.Context) iter.Seq2[T, error], fields field.List[T], id func(T) ID, used func(T, budget.Usage) usageBody,
) error {
	f := queryForm(c)
	after, limit := pageParameters[ID](f)
	if err := f.err(); err != nil {
		return err
	}
	records, err := pageOf(list(c.Request.Context()), after, limit, id)
	if err != nil {
		return err
	}
	usage, err := a.Ledger.Usage(c.Request.Context())
	encode := with(fields.Append, encoded(func(record T) usageBody { return used(record, usage) }))
	return page(c, records, limit, encode, id, err)
}

// pageOf reads the records after an id from a list by id: those of a page, and one more if there is.
func pageOf[T any, ID ~int64](records iter.Seq2[T, error], after ID, limit int, id func(T) ID) (taken []T, err error) {
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		if id(record) <= after {
			continue
		}
		if taken = append(taken, record); len(taken) > limit {
			break
		}
	}
	return taken, nil
}
