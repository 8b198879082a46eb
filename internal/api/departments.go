package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/text"
)

type departmentBody struct {
	ID         budget.DepartmentID `json:"id"`
	Code       text.Code           `json:"code"`
	Name       text.Name           `json:"name"`
	CostCenter text.Label          `json:"cost_center"`
	Active     bool                `json:"active"`
}

func departmentOf(d budget.Department) departmentBody { return departmentBody(d) }

func (a *api) createDepartment(c *request) error {
	return creation(c, http.StatusCreated, newDepartment, a.Ledger.CreateDepartment, encoded(departmentOf))
}

func newDepartment(f *form) budget.Department {
	return budget.Department{
		Code:       required(f, "code", field.String(budget.ParseDepartmentCode)),
		Name:       required(f, "name", field.String(text.ParseName)),
		CostCenter: optional(f, "cost_center", "", field.String(text.ParseLabel)),
		Active:     optional(f, "active", true, field.Bool),
	}
}

func (a *api) listDepartments(c *request) error {
	return list(c, a.Ledger.Departments(c.Request.Context()), encoded(departmentOf))
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
	return ok(c, departmentOf(department), err)
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
	department, err := a.Ledger.SetActive(once(c, http.StatusOK, encoded(departmentOf)), identifier, active)
	return ok(c, departmentOf(department), err)
}

func (a *api) updateDepartment(c *request) error {
	return edit(c, departmentFields, func(ctx context.Context, id budget.DepartmentID, to, was budget.DepartmentFields) (budget.Department, error) {
		return a.Ledger.UpdateDepartment(ctx, id, budget.DepartmentChange{To: to, Was: was})
	}, encoded(departmentOf))
}

func departmentFields(f *form) budget.DepartmentFields {
	return budget.DepartmentFields{
		Code:       maybe(f, "code", field.String(budget.ParseDepartmentCode)),
		Name:       maybe(f, "name", field.String(text.ParseName)),
		CostCenter: maybe(f, "cost_center", field.String(text.ParseLabel)),
		Active:     maybe(f, "active", field.Bool),
	}
}

func (a *api) deleteDepartment(c *request) error {
	return deletion(c, a.Ledger.DeleteDepartment, encoded(departmentOf), "department_id")
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
