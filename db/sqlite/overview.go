package sqlite

import (
	"context"
	"fmt"

	"daybook/internal/budget"
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
