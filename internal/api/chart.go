package api

import (
	"net/http"
	"slices"
	"strconv"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/text"
)

func (a *api) createDepartment(c *request) error {
	return creation(c, http.StatusCreated, budget.DepartmentFields, a.Ledger.CreateDepartment)
}

func (a *api) listDepartments(c *request) error {
	return list(c, a.Ledger.Departments(c.Request.Context()), budget.DepartmentFields.Append)
}

// getDepartment looks a department up by a body, or by a query for the many clients that cannot send
// a body with GET.
func (a *api) getDepartment(c *request) error {
	f, err := identifying(c)
	if err != nil {
		return err
	}
	identifier, err := identifierIn(f, queryForm(c))
	if err != nil {
		return err
	}
	department, err := a.Ledger.Department(c.Request.Context(), identifier)
	return answer(c, http.StatusOK, department, budget.DepartmentFields.Append, err)
}

func (a *api) setActivity(c *request) error {
	f, err := identifying(c)
	if err != nil {
		return err
	}
	active := required(f, "active", field.Bool)
	identifier, err := identifierIn(f) // with all that is wrong in the form
	if err != nil {
		return err
	}
	department, err := a.Ledger.SetActive(once(c, http.StatusOK, budget.DepartmentFields.Append), identifier, active)
	return answer(c, http.StatusOK, department, budget.DepartmentFields.Append, err)
}

func (a *api) updateDepartment(c *request) error {
	return edit(c, budget.DepartmentFields, a.Ledger.UpdateDepartment)
}

func (a *api) deleteDepartment(c *request) error {
	return deletion(c, a.Ledger.DeleteDepartment, budget.DepartmentFields.Append, "department_id")
}

// mostIdentifiers is how many identifiers are compared with each other before they are refused.
const mostIdentifiers = 10

// identifierIn returns the one identifier in the forms. It ignores empty ones, because clients send
// unused strings as "". Invalid, MissingIdentifier, ConflictingIdentifiers. Errors as form.repeated.
func identifierIn(forms ...*form) (budget.Identifier, error) {
	var found []budget.Identifier
	var wrong fault.Fields
	present := false
	for _, f := range forms {
		for _, by := range []budget.IdentifierField{budget.ByCode, budget.ByName, budget.ByCostCenter} {
			for v := range f.named(string(by)) {
				present = true
				label, err := field.String(text.ParseLabel)(v)
				if by == budget.ByCode && label != "" {
					_, err = field.String(text.ParseCode)(v)
				}
				wrong.Check(string(by), err)
				identifier := budget.Identifier{By: by, Value: string(label)}
				if label != "" && len(found) < mostIdentifiers && !slices.ContainsFunc(found, identifier.Same) {
					found = append(found, identifier)
				}
			}
		}
		if err := f.repeated(); err != nil {
			return budget.Identifier{}, err
		}
		wrong = append(wrong, f.wrong...)
	}
	switch {
	case len(found) > 1:
		var conflicts fault.Fields
		many := strconv.Itoa(len(found))
		if len(found) == mostIdentifiers {
			many += " or more"
		}
		for _, i := range found {
			conflicts.Add(string(i.By), "is one of %s identifiers; send only one", many)
		}
		return budget.Identifier{}, conflicts.As(fault.ConflictingIdentifiers)
	case len(wrong) > 0:
		if !present {
			wrong.Add("code", "must be given, or name or cost_center")
		}
		return budget.Identifier{}, wrong.Err()
	case len(found) == 0:
		return budget.Identifier{}, fault.New(fault.MissingIdentifier, "say which department: by code, name or cost_center")
	}
	return found[0], nil
}

func (a *api) createAccount(c *request) error {
	return creation(c, http.StatusCreated, budget.AccountFields, a.Ledger.CreateAccount)
}

func (a *api) updateAccount(c *request) error {
	return edit(c, budget.AccountFields, a.Ledger.UpdateAccount)
}

func (a *api) listAccounts(c *request) error {
	return list(c, a.Ledger.Accounts(c.Request.Context()), budget.AccountFields.Append)
}

func (a *api) deleteAccount(c *request) error {
	return deletion(c, a.Ledger.DeleteAccount, budget.AccountFields.Append, "gl_account_id")
}
