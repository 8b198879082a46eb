package sqlite

import (
	"context"
	"fmt"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// OverviewData implements budget.Store. The postings are not cached: a period has few of them,
// and there are many periods.
func (s *Store) OverviewData(ctx context.Context, q budget.OverviewDataQuery) (budget.OverviewData, error) {
	return share(ctx, s, fmt.Sprintf("overview %+v", q), func(s *snapshot) (o budget.OverviewData, err error) {
		if o.Usage, err = s.usage(); err != nil {
			return o, err
		}
		if o.Sources, o.SourcesTotal, err = s.sources(); err != nil {
			return o, err
		}
		if o.Month = o.Usage.Newest(q.Month, q.Horizon); !o.Whole() {
			return o, nil
		}
		if o.Months, err = s.tallies(monthsOf(o.Year, q.Version), q.DepartmentID, undescribed); err != nil {
			return o, err
		}
		o.Postings, err = s.postingsOf(o.Month, q.Version, q.DepartmentID, undescribed)
		return o, err
	})
}

// Usage implements budget.Store.
func (s *Store) Usage(ctx context.Context) (budget.Usage, error) {
	return share(ctx, s, "usage", (*snapshot).usage)
}

func (s *snapshot) usage() (u budget.Usage, err error) {
	lines, err := records.Cached(s.cached, "usage", journal.BudgetLines, func() (records.Use, error) { return s.use(s.lineUse) })
	if err != nil {
		return u, err
	}
	actuals, err := records.Cached(s.cached, "usage", journal.Actuals, func() (records.Use, error) { return s.use(s.actualUse) })
	return budget.Usage{Lines: budget.Use(lines), Actuals: budget.Use(actuals)}, err
}

// use counts the postings of one side.
func (s *scanner) use(list *cursor.Query[useRow]) (records.Use, error) {
	counter := records.NewUseCounter()
	for row, err := range list.All() {
		if err != nil {
			return records.Use{}, err
		}
		counter.Add(rows.Key(row.DepartmentID, row.GlAccountID, row.FiscalYear, row.FiscalPeriod), money.Currency(row.Currency))
	}
	return counter.Use(), nil
}
