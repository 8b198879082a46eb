package sqlite

import (
	"context"
	"fmt"

	"daybook/internal/budget"
)

// Outlook implements budget.Store. The postings are not remembered: those of a period are
// few beside the others, and there are many periods.
func (s *Store) Outlook(ctx context.Context, q budget.OutlookQuery) (budget.Outlook, error) {
	return together(ctx, s, fmt.Sprintf("outlook %+v", q), func(v *view) (o budget.Outlook, err error) {
		if o.Usage, err = v.usage(); err != nil {
			return o, err
		}
		if o.Sources, o.SourcesTotal, err = v.sources(); err != nil {
			return o, err
		}
		if o.Month = o.Usage.Newest(q.Month, q.Horizon); !o.Whole() {
			return o, nil
		}
		if o.Months, err = v.tallies(months(o.Year, q.Version, q.DepartmentID), undescribed); err != nil {
			return o, err
		}
		o.Postings, err = v.postingsOf(o.Month, q.Version, q.DepartmentID, undescribed)
		return o, err
	})
}
