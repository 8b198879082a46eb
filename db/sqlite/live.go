package sqlite

import (
	"context"
	"iter"
	"math"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// liveRecord is a row of a live table as the journal tells it, and where it is a trade
// that trade, because positions are made of them.
type liveRecord struct {
	entity journal.Entity
	id     int64
	record []byte
	trade  *trading.Trade
}

// liveRecords yields every journalled row of the live tables, table by table and by id.
func liveRecords(ctx context.Context, q *gen.Queries) iter.Seq2[liveRecord, error] {
	lines := func(ctx context.Context, after, _, most int64) ([]gen.BudgetLine, error) {
		return q.PageLines(ctx, gen.PageLinesParams{After: after, Most: most})
	}
	actuals := func(ctx context.Context, after, _, most int64) ([]gen.Actual, error) {
		return q.PageActuals(ctx, gen.PageActualsParams{After: after, Most: most})
	}
	tables := []iter.Seq2[liveRecord, error]{
		live(ctx, journal.Currencies, q.ListCurrencies, func(r gen.Currency) liveRecord { return liveRecord{id: r.ID, record: currencyRecord(currencyOf(r))} }),
		live(ctx, journal.Companies, q.ListCompanies, func(r gen.Company) liveRecord { return liveRecord{id: r.ID, record: companyRecord(companyOf(r))} }),
		live(ctx, journal.Revenues, q.ListAllRevenues, func(r gen.Revenue) liveRecord { return liveRecord{id: r.ID, record: revenueRecord(revenueOf(r))} }),
		live(ctx, journal.Trades, q.ListTrades, func(r gen.Trade) liveRecord {
			t := tradeOf(r)
			return liveRecord{id: r.ID, record: tradeRecord(t), trade: &t}
		}),
		live(ctx, journal.Departments, q.ListDepartments, func(r gen.Department) liveRecord {
			return liveRecord{id: r.ID, record: departmentRecord(departmentOf(r))}
		}),
		live(ctx, journal.Accounts, q.ListAccounts, func(r gen.GlAccount) liveRecord { return liveRecord{id: r.ID, record: accountRecord(accountOf(r))} }),
		live(ctx, journal.BudgetLines, lines, func(r gen.BudgetLine) liveRecord { return liveRecord{id: r.ID, record: lineRecord(lineOf(r))} }),
		live(ctx, journal.Actuals, actuals, func(r gen.Actual) liveRecord { return liveRecord{id: r.ID, record: actualRecord(actualOf(r))} }),
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
	record func(Row) liveRecord,
) iter.Seq2[liveRecord, error] {
	return pages(func(last *liveRecord, most int64) ([]liveRecord, error) {
		after := int64(math.MinInt64) // a damaged id may be below 1
		if last != nil {
			after = last.id
		}
		rows, err := list(ctx, after, math.MaxInt64, most)
		return each(rows, func(r Row) liveRecord {
			live := record(r)
			live.entity = entity
			return live
		}), err
	})
}
