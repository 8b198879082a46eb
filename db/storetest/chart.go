package storetest

import (
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
)

// chart is the departments and accounts that budget lines and actuals are posted to.
type chart struct {
	department, otherDepartment budget.DepartmentID
	account, otherAccount       budget.AccountID
}

// newChart stores two departments and two accounts.
func newChart(t *testing.T, s Store) chart {
	t.Helper()
	return chart{
		department:      department(t, s, "D1").ID,
		otherDepartment: department(t, s, "D2").ID,
		account:         account(t, s, "A1").ID,
		otherAccount:    account(t, s, "A2").ID,
	}
}

func (c chart) key(period int) budget.Key {
	return budget.Key{DepartmentID: c.department, AccountID: c.account, Year: 2025, Period: fiscal.Period(period)}
}

func (c chart) line(period int) budget.Line {
	return budget.Line{
		LineKey:  budget.LineKey{Key: c.key(period), Version: budget.Original},
		Amount:   amount("1200.5"),
		Currency: "USD",
		Notes:    "planned",
	}
}

func (c chart) actual(period int) budget.Actual {
	return budget.Actual{Key: c.key(period), Amount: amount("1100.25"), Currency: "USD", Source: "ERP"}
}

// badKey is a key with ids that do not exist, and the fields that have these ids.
type badKey struct {
	key    budget.Key
	fields []string
}

func (c chart) badKeys() []badKey {
	department, account, both := c.key(3), c.key(3), c.key(3)
	department.DepartmentID = 98
	account.AccountID = 99
	both.DepartmentID, both.AccountID = 98, 99
	return []badKey{
		{department, []string{"department_id"}},
		{account, []string{"gl_account_id"}},
		{both, []string{"department_id", "gl_account_id"}},
	}
}

// filters returns filters by each part of a key.
func (c chart) filters() map[string]budget.KeyFilter {
	return map[string]budget.KeyFilter{
		"department":         {DepartmentID: &c.department},
		"other department":   {DepartmentID: &c.otherDepartment},
		"account":            {AccountID: &c.account},
		"year":               {Year: new(fiscal.Year(2025))},
		"period":             {Period: new(fiscal.Period(3))},
		"every part":         c.every(),
		"department's year":  {DepartmentID: &c.otherDepartment, Year: new(fiscal.Year(2024))},
		"unknown department": {DepartmentID: new(budget.DepartmentID(98))},
		"another year":       {Year: new(fiscal.Year(1999))},
	}
}

// every returns a filter by all parts of a key.
func (c chart) every() budget.KeyFilter {
	return budget.KeyFilter{
		DepartmentID: &c.department, AccountID: &c.account, Year: new(fiscal.Year(2024)), Period: new(fiscal.Period(12)),
	}
}

// keyMatches reports whether a key matches a filter.
func keyMatches(f budget.KeyFilter, k budget.Key) bool {
	return (f.DepartmentID == nil || *f.DepartmentID == k.DepartmentID) &&
		(f.AccountID == nil || *f.AccountID == k.AccountID) &&
		(f.Year == nil || *f.Year == k.Year) &&
		(f.Period == nil || *f.Period == k.Period)
}

// valueMatches reports whether a value matches a filter; nil matches every value.
func valueMatches[T comparable](filter *T, v T) bool { return filter == nil || *filter == v }
