package storetest

import (
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
)

// plot is what budget lines and actuals are posted to.
type plot struct {
	department, otherDepartment budget.DepartmentID
	account, otherAccount       budget.AccountID
}

// ground lays a plot of two departments and two accounts.
func ground(t *testing.T, s Store) plot {
	t.Helper()
	return plot{
		department:      department(t, s, "D1").ID,
		otherDepartment: department(t, s, "D2").ID,
		account:         account(t, s, "A1").ID,
		otherAccount:    account(t, s, "A2").ID,
	}
}

func (g plot) key(period int) budget.Key {
	return budget.Key{DepartmentID: g.department, AccountID: g.account, Year: 2025, Period: fiscal.Period(period)}
}

func (g plot) line(period int) budget.Line {
	return budget.Line{
		LineKey:  budget.LineKey{Key: g.key(period), Version: budget.Original},
		Amount:   amount("1200.5"),
		Currency: "USD",
		Notes:    "planned",
	}
}

func (g plot) actual(period int) budget.Actual {
	return budget.Actual{Key: g.key(period), Amount: amount("1100.25"), Currency: "USD", Source: "ERP"}
}

// badKey is a key that names what does not exist, and the fields that do so.
type badKey struct {
	key    budget.Key
	fields []string
}

func (g plot) badKeys() []badKey {
	department, account, both := g.key(3), g.key(3), g.key(3)
	department.DepartmentID = 98
	account.AccountID = 99
	both.DepartmentID, both.AccountID = 98, 99
	return []badKey{
		{department, []string{"department_id"}},
		{account, []string{"gl_account_id"}},
		{both, []string{"department_id", "gl_account_id"}},
	}
}

// filters narrow by each part of a key.
func (g plot) filters() map[string]budget.KeyFilter {
	return map[string]budget.KeyFilter{
		"department":         {DepartmentID: &g.department},
		"other department":   {DepartmentID: &g.otherDepartment},
		"account":            {AccountID: &g.account},
		"year":               {Year: new(fiscal.Year(2025))},
		"period":             {Period: new(fiscal.Period(3))},
		"every part":         g.every(),
		"department's year":  {DepartmentID: &g.otherDepartment, Year: new(fiscal.Year(2024))},
		"unknown department": {DepartmentID: new(budget.DepartmentID(98))},
		"another year":       {Year: new(fiscal.Year(1999))},
	}
}

func (g plot) every() budget.KeyFilter {
	return budget.KeyFilter{
		DepartmentID: &g.department, AccountID: &g.account, Year: new(fiscal.Year(2024)), Period: new(fiscal.Period(12)),
	}
}

// has reports whether a filter lets a key through.
func has(f budget.KeyFilter, k budget.Key) bool {
	return (f.DepartmentID == nil || *f.DepartmentID == k.DepartmentID) &&
		(f.AccountID == nil || *f.AccountID == k.AccountID) &&
		(f.Year == nil || *f.Year == k.Year) &&
		(f.Period == nil || *f.Period == k.Period)
}

// is reports whether a filter lets a value through.
func is[T comparable](filter *T, v T) bool { return filter == nil || *filter == v }
