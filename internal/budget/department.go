package budget

import (
	"errors"
	"strings"

	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/text"
)

// DepartmentID identifies a department.
type DepartmentID int64

// Department is a part of the company with a budget of its own (interface.md, "Departments").
// Its code is unique without regard to case; name and cost centre may repeat.
type Department struct {
	ID         DepartmentID
	Code       text.Code
	Name       text.Name
	CostCenter text.Label
	Active     bool
}

// DepartmentFields are the fields of a department.
var DepartmentFields = field.List[Department]{
	field.ID("id", func(d *Department) *DepartmentID { return &d.ID }).Assigned(),
	field.Text("code", ParseDepartmentCode, func(d *Department) *text.Code { return &d.Code }),
	field.Text("name", text.ParseName, func(d *Department) *text.Name { return &d.Name }),
	field.Text("cost_center", text.ParseLabel, func(d *Department) *text.Label { return &d.CostCenter }).Optional(),
	field.Flag("active", func(d *Department) *bool { return &d.Active }).Default(func(d *Department) { d.Active = true }),
}

// DepartmentChange is a change of a department.
type DepartmentChange = field.Change[Department]

// AllDepartments is the code of a report over all departments. No department may have it.
const AllDepartments = "ALL"

// ParseDepartmentCode reads the code of a department. The error continues the
// field's name.
func ParseDepartmentCode(raw string) (text.Code, error) {
	code, err := text.ParseCode(raw)
	if err == nil && code.Fold() == text.Code(AllDepartments).Fold() {
		err = errors.New("must not be " + AllDepartments + ", which stands for every department")
	}
	return code, err
}

// Identifier names departments by one of their fields.
type Identifier struct {
	By    IdentifierField
	Value string
}

// Same reports whether the two name the same, codes without regard to case.
func (i Identifier) Same(other Identifier) bool {
	if i.By == ByCode && other.By == ByCode {
		return text.Code(i.Value).Fold() == text.Code(other.Value).Fold()
	}
	return i == other
}

// IdentifierField is a field that a department can be looked up by; its value is
// the field's name in the interface.
type IdentifierField string

// The identifiers of a department (interface.md, "Departments").
const (
	ByCode       IdentifierField = "code" // without regard to case
	ByName       IdentifierField = "name"
	ByCostCenter IdentifierField = "cost_center"
)

// MostNamed is how many departments an error lists when they share an identifier.
const MostNamed = 10

// Only returns the one department among those an identifier matched. NotFound when
// there is none; AmbiguousIdentifier, naming the codes of MostNamed, when there are several.
func (i Identifier) Only(matches []Department) (Department, error) {
	switch len(matches) {
	case 0:
		return Department{}, fault.New(fault.NotFound, "no department has the %s %q", i.By, text.Shorten(i.Value))
	case 1:
		return matches[0], nil
	}
	var codes []string
	for _, d := range matches[:min(len(matches), MostNamed)] {
		codes = append(codes, string(d.Code))
	}
	if len(matches) > MostNamed {
		codes = append(codes, "and others")
	}
	var fields fault.Fields
	fields.Add(string(i.By), "is shared by the departments %s; use one of these codes", strings.Join(codes, ", "))
	return Department{}, fields.As(fault.AmbiguousIdentifier)
}
