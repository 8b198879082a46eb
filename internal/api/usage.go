package api

import (
	"iter"

	"github.com/gin-gonic/gin"

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

func (a *api) pageDepartments(c *gin.Context) error {
	f := queryForm(c)
	after, limit := pageParameters[budget.DepartmentID](f)
	if err := f.err(); err != nil {
		return err
	}
	id := func(d budget.Department) budget.DepartmentID { return d.ID }
	departments, err := pageOf(a.Ledger.Departments(c.Request.Context()), after, limit, id)
	if err != nil {
		return err
	}
	usage, err := a.Ledger.Usage(c.Request.Context())
	return page(c, departments, limit, func(d budget.Department) usedDepartmentBody {
		return usedDepartmentBody{departmentOf(d), usageBody{usage.Lines.Departments[d.ID], usage.Actuals.Departments[d.ID]}}
	}, id, err)
}

func (a *api) pageAccounts(c *gin.Context) error {
	f := queryForm(c)
	after, limit := pageParameters[budget.AccountID](f)
	if err := f.err(); err != nil {
		return err
	}
	id := func(account budget.Account) budget.AccountID { return account.ID }
	accounts, err := pageOf(a.Ledger.Accounts(c.Request.Context()), after, limit, id)
	if err != nil {
		return err
	}
	usage, err := a.Ledger.Usage(c.Request.Context())
	return page(c, accounts, limit, func(account budget.Account) usedAccountBody {
		return usedAccountBody{accountOf(account), usageBody{usage.Lines.Accounts[account.ID], usage.Actuals.Accounts[account.ID]}}
	}, id, err)
}

// pageOf takes the records behind an id from a short list that is by id: those of a page,
// and one more where there is one.
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
