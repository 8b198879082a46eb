package sqlite

import (
	"context"
	"iter"
	"math"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// liveRecord is a row of a live table as the journal tells it.
type liveRecord struct {
	entity journal.Entity
	id     int64
	record []byte
}

// liveRecords yields every journalled row of the live tables, table by table and by id.
// On the way it shows each trade, because positions are made of them.
func liveRecords(ctx context.Context, q *gen.Queries, show func(trading.Trade)) iter.Seq2[liveRecord, error] {
	lines := func(ctx context.Context, after, _, most int64) ([]gen.BudgetLine, error) {
		return q.PageLines(ctx, gen.PageLinesParams{After: after, Most: most})
	}
	actuals := func(ctx context.Context, after, _, most int64) ([]gen.Actual, error) {
		return q.PageActuals(ctx, gen.PageActualsParams{After: after, Most: most})
	}
	tables := []iter.Seq2[liveRecord, error]{
		live(ctx, journal.Currencies, q.ListCurrencies, func(r gen.Currency) (int64, []byte) { return r.ID, currencyRecord(currencyOf(r)) }),
		live(ctx, journal.Companies, q.ListCompanies, func(r gen.Company) (int64, []byte) { return r.ID, companyRecord(companyOf(r)) }),
		live(ctx, journal.Revenues, q.ListAllRevenues, func(r gen.Revenue) (int64, []byte) { return r.ID, revenueRecord(revenueOf(r)) }),
		live(ctx, journal.Trades, q.ListTrades, func(r gen.Trade) (int64, []byte) {
			t := tradeOf(r)
			show(t)
			return r.ID, tradeRecord(t)
		}),
		live(ctx, journal.Departments, q.ListDepartments, func(r gen.Department) (int64, []byte) { return r.ID, departmentRecord(departmentOf(r)) }),
		live(ctx, journal.Accounts, q.ListAccounts, func(r gen.GlAccount) (int64, []byte) { return r.ID, accountRecord(accountOf(r)) }),
		live(ctx, journal.BudgetLines, lines, func(r gen.BudgetLine) (int64, []byte) { return r.ID, lineRecord(lineOf(r)) }),
		live(ctx, journal.Actuals, actuals, func(r gen.Actual) (int64, []byte) { return r.ID, actualRecord(actualOf(r)) }),
	}
	return func(yield func(liveRecord, error) bool) {
		for _, table := range tables {
			for r, err := range table {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// live yields the rows of one table.
func live[Row any](
	ctx context.Context,
	entity journal.Entity,
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	record func(Row) (int64, []byte),
) iter.Seq2[liveRecord, error] {
	return pages(func(last *liveRecord, most int64) ([]liveRecord, error) {
		after := int64(math.MinInt64) // a damaged id may be below 1
		if last != nil {
			after = last.id
		}
		rows, err := list(ctx, after, math.MaxInt64, most)
		return each(rows, func(r Row) liveRecord {
			id, told := record(r)
			return liveRecord{entity, id, told}
		}), err
	})
}
