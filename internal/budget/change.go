package budget

import (
	"fmt"
	"strings"

	"daybook/internal/fault"
	"daybook/internal/text"
)

// DepartmentFields are fields of a department; nil is one that is not said.
type DepartmentFields struct {
	Code       *text.Code
	Name       *text.Name
	CostCenter *text.Label
	Active     *bool
}

// DepartmentChange sets the fields To of a department. Was are the values that the writer saw.
type DepartmentChange struct{ To, Was DepartmentFields }

// Err is Invalid when the change sets no field.
func (c DepartmentChange) Err() error {
	if c.To == (DepartmentFields{}) {
		return noChange("code", "name", "cost_center", "active")
	}
	return nil
}

// Apply returns the department after the change. ChangedSince, without the newest entry: it does not have the
// values that the writer saw.
func (c DepartmentChange) Apply(d Department) (Department, error) {
	var others fault.Fields
	compare(&others, "code", c.Was.Code, d.Code)
	compare(&others, "name", c.Was.Name, d.Name)
	compare(&others, "cost_center", c.Was.CostCenter, d.CostCenter)
	compare(&others, "active", c.Was.Active, d.Active)
	set(&d.Code, c.To.Code)
	set(&d.Name, c.To.Name)
	set(&d.CostCenter, c.To.CostCenter)
	set(&d.Active, c.To.Active)
	return d, others.As(fault.ChangedSince)
}

// AccountFields are fields of an account; nil is one that is not said.
type AccountFields struct {
	Code        *text.Code
	Description *text.Note
	Type        *AccountType
	FavourHigh  *bool
}

// AccountChange sets the fields To of an account. Was are the values that the writer saw.
type AccountChange struct{ To, Was AccountFields }

// Err is Invalid when the change sets no field.
func (c AccountChange) Err() error {
	if c.To == (AccountFields{}) {
		return noChange("code", "description", "type", "favour_high")
	}
	return nil
}

// Apply returns the account after the change. A change of the type leaves FavourHigh as it is.
// ChangedSince, without the newest entry: it does not have the values that the writer saw.
func (c AccountChange) Apply(a Account) (Account, error) {
	var others fault.Fields
	compare(&others, "code", c.Was.Code, a.Code)
	compare(&others, "description", c.Was.Description, a.Description)
	compare(&others, "type", c.Was.Type, a.Type)
	compare(&others, "favour_high", c.Was.FavourHigh, a.FavourHigh)
	set(&a.Code, c.To.Code)
	set(&a.Description, c.To.Description)
	set(&a.Type, c.To.Type)
	set(&a.FavourHigh, c.To.FavourHigh)
	return a, others.As(fault.ChangedSince)
}

func noChange(first string, others ...string) error {
	var fields fault.Fields
	fields.Add(first, "must be given, or %s", strings.Join(others, " or "))
	return fields.Err()
}

// compare adds a field whose value is not the one that a writer saw.
func compare[T comparable](others *fault.Fields, field string, seen *T, is T) {
	if seen == nil || *seen == is {
		return
	}
	printed := fmt.Sprint(is)
	if _, flag := any(is).(bool); !flag {
		printed = fmt.Sprintf("%q", text.Shorten(printed))
	}
	*others = append(*others, fault.Detail{Field: field, Message: "is now " + printed, Is: is})
}

func set[T any](field, to *T) {
	if to != nil {
		*field = *to
	}
}
