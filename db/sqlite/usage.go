package sqlite

import (
	"context"
	"slices"
	"strings"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Usage implements budget.Store.
func (s *Store) Usage(ctx context.Context) (budget.Usage, error) {
	return together(ctx, s, "usage", func(c *scanner, head journal.Seq) (budget.Usage, error) { return c.usage(s.memory, head) })
}

// usage is what is remembered of it, or read in the snapshot that the scanner is in.
func (s *scanner) usage(m *memory, head journal.Seq) (u budget.Usage, err error) {
	lines, err := recall(m, s, head, "usage", sizeOfUsage, func() (budget.Usage, error) {
		lines := newUsage()
		err := read(s.lineUse, func() { lines.add(s.lineUse, s.text(s.lineUse.Text(0))) })
		return budget.Usage{Lines: lines.use()}, err
	}, journal.BudgetLines)
	if err != nil {
		return u, err
	}
	u, err = recall(m, s, head, "usage", sizeOfUsage, func() (budget.Usage, error) { return s.actualUsage(head) }, journal.Actuals)
	u.Lines = lines.Lines
	return u, err
}

func sizeOfUsage(u budget.Usage) int {
	size := len(u.Sources)
	for _, use := range []budget.Use{u.Lines, u.Actuals} {
		size += len(use.Departments) + len(use.Accounts) + len(use.Currencies) + len(use.Months)
	}
	return size
}

// actualUsage is the part of Usage that is about actuals.
func (s *scanner) actualUsage(head journal.Seq) (u budget.Usage, err error) {
	actuals, row := newUsage(), s.actualUse
	sources := counter[string]{counts: map[string]*int64{}}
	newest := map[string]budget.Month{}
	err = read(row, func() {
		actuals.add(row, s.text(row.Text(5)))
		source := s.text(row.Text(0))
		sources.add(source)
		if newest[source] != actuals.months.last {
			newest[source] = actuals.months.last
		}
	})
	if err != nil {
		return u, err
	}
	received := map[string]time.Time{}
	err = read(s.received, func() {
		received[string(s.received.Text(0))] = time.UnixMicro(s.received.Int(1)).UTC()
	}, int64(head)-mostBetween)
	for source, n := range sources.counts {
		u.Sources = append(u.Sources, budget.Source{
			Name: text.Label(source), Actuals: *n, Newest: newest[source], Changed: received[source],
		})
	}
	slices.SortFunc(u.Sources, func(a, b budget.Source) int { return strings.Compare(string(a.Name), string(b.Name)) })
	u.Actuals = actuals.use()
	return u, err
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

func (c *usage) use() budget.Use {
	return budget.Use{
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
