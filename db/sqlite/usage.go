package sqlite

import (
	"context"
	"maps"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Usage implements budget.Store.
func (s *Store) Usage(ctx context.Context) (budget.Usage, error) {
	return together(ctx, s, "usage", (*view).usage)
}

func (v *view) usage() (u budget.Usage, err error) {
	lines, err := v.lineUse()
	if err != nil {
		return u, err
	}
	actuals, err := v.actualUse()
	return budget.Usage{Lines: budget.Use(lines), Actuals: budget.Use(actuals)}, err
}

// lineUse is the part of Usage that is about budget lines.
func (v *view) lineUse() (use, error) {
	return recall(v, "usage", journal.BudgetLines, func() (use, error) { return v.usedBy(v.scanner.lineUse) })
}

// actualUse is the part that is about actuals.
func (v *view) actualUse() (use, error) {
	return recall(v, "usage", journal.Actuals, func() (use, error) { return v.usedBy(v.scanner.actualUse) })
}

// usedBy counts the postings of one side.
func (s *scanner) usedBy(row *cursor.Rows) (use, error) {
	u := newUsage()
	err := row.Read(func() { u.add(row, s.text(row.Text(0))) })
	return u.use(), err
}

// use is a budget.Use that follows the journal.
type use budget.Use

func (u use) size() int {
	return len(u.Departments) + len(u.Accounts) + len(u.Currencies) + len(u.Months)
}

func (u use) after(changes []change) (use, bool) {
	u = use{maps.Clone(u.Departments), maps.Clone(u.Accounts), maps.Clone(u.Currencies), maps.Clone(u.Months)}
	for _, c := range changes {
		if !add(u.Departments, c.DepartmentID, c.n) || !add(u.Accounts, c.AccountID, c.n) ||
			!add(u.Currencies, c.currency, c.n) || !add(u.Months, budget.Month{Year: c.Year, Period: c.Period}, c.n) {
			return u, false
		}
	}
	return u, true
}

// add counts by a key, and reports whether the count can be; what counts none is away.
func add[K comparable](counts map[K]int64, key K, n int64) bool {
	counts[key] += n
	if counts[key] == 0 {
		delete(counts, key)
	}
	return counts[key] >= 0
}

// usage is the counts of one side, as its rows come.
type usage struct {
	departments counter[budget.DepartmentID]
	accounts    counter[budget.AccountID]
	currencies  counter[money.Currency]
	months      counter[budget.Month]
}

func newUsage() *usage {
	return &usage{
		departments: counter[budget.DepartmentID]{counts: map[budget.DepartmentID]*int64{}},
		accounts:    counter[budget.AccountID]{counts: map[budget.AccountID]*int64{}},
		currencies:  counter[money.Currency]{counts: map[money.Currency]*int64{}},
		months:      counter[budget.Month]{counts: map[budget.Month]*int64{}},
	}
}

// add counts a row whose columns from 1 to 4 are year, period, department and account.
func (c *usage) add(row *cursor.Rows, currency string) {
	c.months.add(budget.Month{Year: fiscal.Year(row.Int(1)), Period: fiscal.Period(row.Int(2))})
	c.departments.add(budget.DepartmentID(row.Int(3)))
	c.accounts.add(budget.AccountID(row.Int(4)))
	c.currencies.add(money.Currency(currency))
}

func (c *usage) use() use {
	return use{
		Departments: c.departments.result(), Accounts: c.accounts.result(),
		Currencies: c.currencies.result(), Months: c.months.result(),
	}
}

// counter counts by key; of many that are the same in a row only the first is looked up.
type counter[K comparable] struct {
	counts map[K]*int64
	last   K
	run    *int64 // the count of last
}

func (c *counter[K]) add(key K) {
	if c.run == nil || key != c.last {
		if c.last, c.run = key, c.counts[key]; c.run == nil {
			c.run = new(int64)
			c.counts[key] = c.run
		}
	}
	*c.run++
}

func (c *counter[K]) result() map[K]int64 {
	result := make(map[K]int64, len(c.counts))
	for key, n := range c.counts {
		result[key] = *n
	}
	return result
}
