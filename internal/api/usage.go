package api

import (
	"context"
	"iter"

	"daybook/internal/budget"
)

// usedDepartmentBody is a department, and how much is posted to it.
type usedDepartmentBody struct {
	departmentBody
	usageBody
}

// usedAccountBody is an account, and how much is posted to it.
type usedAccountBody struct {
	accountBody
	usageBody
}

// usageBody counts budget lines of every version, and actuals.
type usageBody struct {
	BudgetLines int64 `json:"budget_lines"`
	Actuals     int64 `json:"actuals"`
}

func (a *api) pageDepartments(c *request) error {
	return usedPage(c, a, a.Ledger.Departments, func(d budget.Department) budget.DepartmentID { return d.ID },
		func(d budget.Department, u budget.Usage) usedDepartmentBody {
			return usedDepartmentBody{departmentOf(d), usageBody{u.Lines.Departments[d.ID], u.Actuals.Departments[d.ID]}}
		})
}

func (a *api) pageAccounts(c *request) error {
	return usedPage(c, a, a.Ledger.Accounts, func(account budget.Account) budget.AccountID { return account.ID },
		func(account budget.Account, u budget.Usage) usedAccountBody {
			return usedAccountBody{accountOf(account), usageBody{u.Lines.Accounts[account.ID], u.Actuals.Accounts[account.ID]}}
		})
}

// usedPage responds with a page of a short list by id, with how much is posted to each record.
func usedPage[T, Body any, ID ~int64](c *request, a *api, list func(context.Context) iter.Seq2[T, error], id func(T) ID, body func(T, budget.Usage) Body) error {
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
	return page(c, records, limit, encoded(func(record T) Body { return body(record, usage) }), id, err)
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
