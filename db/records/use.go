package records

import (
	"maps"

	"daybook/internal/budget"
	"daybook/internal/money"
)

// mostCurrencies is how many currencies are counted besides those of ISO 4217, because a feed may use
// any number of made-up codes.
const mostCurrencies = 10_000

// fewCurrencies is how few of them make room to count others, with all postings read again.
const fewCurrencies = mostCurrencies * 9 / 10

// Use counts the postings of one side by what they use.
type Use budget.Use

// Size implements Sums.
func (u Use) Size() int {
	return len(u.Departments) + len(u.Accounts) + len(u.Currencies) + len(u.Months)
}

// After implements Sums.
func (u Use) After(changes []Change) (Use, bool) {
	u.Departments, u.Accounts, u.Currencies, u.Months = maps.Clone(u.Departments), maps.Clone(u.Accounts), maps.Clone(u.Currencies), maps.Clone(u.Months)
	for _, c := range changes {
		if !add(u.Departments, c.DepartmentID, c.Count) || !add(u.Accounts, c.AccountID, c.Count) ||
			!u.addCurrency(c.Currency, c.Count) || !add(u.Months, c.month(), c.Count) {
			return u, false
		}
	}
	return u, !u.MoreCurrencies || len(u.Currencies) > fewCurrencies // else there is room for those that were not counted
}

// addCurrency counts by currency. A currency that is not counted stays uncounted until all postings are
// read again, which After asks for when there is room for more.
func (u *Use) addCurrency(currency money.Currency, n int64) bool {
	_, counted := u.Currencies[currency]
	if counted || currency.ISO() {
		return add(u.Currencies, currency, n)
	}
	u.MoreCurrencies = u.MoreCurrencies || len(u.Currencies) >= mostCurrencies
	if u.MoreCurrencies {
		return true
	}
	return add(u.Currencies, currency, n)
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
	more        bool // there are more currencies than counted
}

// NewUseCounter returns a counter of no postings.
func NewUseCounter() *UseCounter {
	return &UseCounter{
		departments: counter[budget.DepartmentID]{counts: map[budget.DepartmentID]*int64{}},
		accounts:    counter[budget.AccountID]{counts: map[budget.AccountID]*int64{}},
		currencies:  counter[money.Currency]{counts: map[money.Currency]*int64{}, most: mostCurrencies, always: money.Currency.ISO},
		months:      counter[budget.Month]{counts: map[budget.Month]*int64{}},
	}
}

// Add counts a posting.
func (c *UseCounter) Add(k budget.Key, currency money.Currency) {
	c.months.add(budget.Month{Year: k.Year, Period: k.Period})
	c.departments.add(k.DepartmentID)
	c.accounts.add(k.AccountID)
	if !c.currencies.add(currency) {
		c.more = true
	}
}

// Use returns the counts.
func (c *UseCounter) Use() Use {
	return Use{
		Departments: c.departments.result(), Accounts: c.accounts.result(),
		Currencies: c.currencies.result(), MoreCurrencies: c.more, Months: c.months.result(),
	}
}

// counter counts by key. If consecutive rows have the same key, it looks up only the first.
type counter[K comparable] struct {
	counts map[K]*int64
	most   int          // keys, 0 for any number
	always func(K) bool // keys that are counted beyond the most
	last   K
	run    *int64 // the count of last
}

// add counts a key. It reports false for a new key beyond the most.
func (c *counter[K]) add(key K) bool {
	if c.run == nil || key != c.last {
		run := c.counts[key]
		if run == nil {
			if c.most > 0 && len(c.counts) >= c.most && !c.always(key) {
				return false
			}
			run = new(int64)
			c.counts[key] = run
		}
		c.last, c.run = key, run
	}
	*c.run++
	return true
}

func (c *counter[K]) result() map[K]int64 {
	result := make(map[K]int64, len(c.counts))
	for key, n := range c.counts {
		result[key] = *n
	}
	return result
}
