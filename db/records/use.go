package records

import (
	"maps"

	"daybook/internal/budget"
	"daybook/internal/money"
)

// Use counts the postings of one side by what they use.
type Use budget.Use

// Size implements Sums.
func (u Use) Size() int {
	return len(u.Departments) + len(u.Accounts) + len(u.Currencies) + len(u.Months)
}

// After implements Sums.
func (u Use) After(changes []Change) (Use, bool) {
	u = Use{maps.Clone(u.Departments), maps.Clone(u.Accounts), maps.Clone(u.Currencies), maps.Clone(u.Months)}
	for _, c := range changes {
		if !add(u.Departments, c.DepartmentID, c.Count) || !add(u.Accounts, c.AccountID, c.Count) ||
			!add(u.Currencies, c.Currency, c.Count) || !add(u.Months, c.month(), c.Count) {
			return u, false
		}
	}
	return u, true
}

func (c *Change) month() budget.Month { return budget.Month{Year: c.Year, Period: c.Period} }

// add counts by a key, and reports whether the count is possible. A key that counts 0 is removed.
func add[K comparable](counts map[K]int64, key K, n int64) bool {
	counts[key] += n
	if counts[key] == 0 {
		delete(counts, key)
	}
	return counts[key] >= 0
}

// UseCounter counts the postings of one side as they are read.
type UseCounter struct {
	departments counter[budget.DepartmentID]
	accounts    counter[budget.AccountID]
	currencies  counter[money.Currency]
	months      counter[budget.Month]
}

// NewUseCounter returns a counter of no postings.
func NewUseCounter() *UseCounter {
	return &UseCounter{
		departments: counter[budget.DepartmentID]{counts: map[budget.DepartmentID]*int64{}},
		accounts:    counter[budget.AccountID]{counts: map[budget.AccountID]*int64{}},
		currencies:  counter[money.Currency]{counts: map[money.Currency]*int64{}},
		months:      counter[budget.Month]{counts: map[budget.Month]*int64{}},
	}
}

// Add counts a posting.
func (c *UseCounter) Add(k budget.Key, currency money.Currency) {
	c.months.add(budget.Month{Year: k.Year, Period: k.Period})
	c.departments.add(k.DepartmentID)
	c.accounts.add(k.AccountID)
	c.currencies.add(currency)
}

// Use returns the counts.
func (c *UseCounter) Use() Use {
	return Use{
		Departments: c.departments.result(), Accounts: c.accounts.result(),
		Currencies: c.currencies.result(), Months: c.months.result(),
	}
}

// counter counts by key. Where many rows in a row have the same key, only the first is looked up.
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
