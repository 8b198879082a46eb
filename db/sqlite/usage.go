package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Usage implements budget.Store.
func (s *Store) Usage(ctx context.Context) (budget.Usage, error) {
	return share(ctx, s, "usage", (*snapshot).usage)
}

func (s *snapshot) usage() (u budget.Usage, err error) {
	lines, err := s.useOfLines()
	if err != nil {
		return u, err
	}
	actuals, err := s.useOfActuals()
	return budget.Usage{Lines: budget.Use(lines), Actuals: budget.Use(actuals)}, err
}

func (s *snapshot) useOfLines() (records.Use, error) {
	return records.Cached(s.cached, "usage", journal.BudgetLines, func() (records.Use, error) { return s.use(s.lineUse) })
}

func (s *snapshot) useOfActuals() (records.Use, error) {
	return records.Cached(s.cached, "usage", journal.Actuals, func() (records.Use, error) { return s.use(s.actualUse) })
}

// The columns of ListLineUse and ListActualUse.
const (
	useCurrency = iota
	useYear
	usePeriod
	useDepartment
	useAccount
)

var useColumns = []string{
	useCurrency:   "currency",
	useYear:       "fiscal_year",
	usePeriod:     "fiscal_period",
	useDepartment: "department_id",
	useAccount:    "gl_account_id",
}

// use counts the postings of one side.
func (s *scanner) use(row *cursor.Rows) (records.Use, error) {
	counter := records.NewUseCounter()
	err := row.Read(func() {
		counter.Add(budget.Key{
			Year: fiscal.Year(row.Int(useYear)), Period: fiscal.Period(row.Int(usePeriod)),
			DepartmentID: budget.DepartmentID(row.Int(useDepartment)), AccountID: budget.AccountID(row.Int(useAccount)),
		}, money.Currency(s.text(row.Text(useCurrency))))
	})
	return counter.Use(), err
}
