package verify

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"unicode/utf8"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// Rows yields every journalled row of the live tables, table by table and by id.
func Rows(ctx context.Context, q *gen.Queries) iter.Seq2[records.Row, error] {
	return inTurn(
		live(ctx, journal.Currencies, q.ListCurrencies, func(r gen.Currency) records.Row {
			return records.Row{ID: r.ID, Record: records.Currency(rows.Currency(r))}
		}),
		live(ctx, journal.Companies, q.ListCompanies, func(r gen.Company) records.Row {
			return records.Row{ID: r.ID, Record: records.Company(rows.Company(r))}
		}),
		live(ctx, journal.Revenues, q.ListAllRevenues, func(r gen.Revenue) records.Row {
			return records.Row{ID: r.ID, Record: records.Revenue(rows.Revenue(r))}
		}),
		live(ctx, journal.Trades, q.ListTrades, func(r gen.Trade) records.Row {
			t := rows.Trade(r)
			return records.Row{ID: r.ID, Record: records.Trade(t), Trade: &t}
		}),
		live(ctx, journal.Departments, q.ListDepartments, func(r gen.Department) records.Row {
			return records.Row{ID: r.ID, Record: records.Department(rows.Department(r)), Wrong: wrongKey(r.CodeKey, r.Code)}
		}),
		live(ctx, journal.Accounts, q.ListAccounts, func(r gen.GlAccount) records.Row {
			return records.Row{ID: r.ID, Record: records.Account(rows.Account(r)), Wrong: wrongKey(r.CodeKey, r.Code)}
		}),
		live(ctx, journal.BudgetLines, q.ListAllLines, func(r gen.BudgetLine) records.Row { return records.Row{ID: r.ID, Record: records.Line(rows.Line(r))} }),
		live(ctx, journal.Actuals, q.ListAllActuals, func(r gen.Actual) records.Row { return records.Row{ID: r.ID, Record: records.Actual(rows.Actual(r))} }),
		live(ctx, journal.Tokens, q.ListTokens, func(r gen.Token) records.Row { return records.Row{ID: r.ID, Record: records.Token(rows.Token(r))} }),
		live(ctx, journal.Batches, q.ListBatches, func(r gen.Batch) records.Row { return records.Row{ID: r.ID, Record: records.Batch(rows.Batch(r))} }),
		live(ctx, journal.Maps, q.ListMaps, func(r gen.Map) records.Row { return records.Row{ID: r.ID, Record: records.Map(rows.SavedMap(r))} }),
	)
}

// wrongKey says that the column for looking up a code does not match the code.
func wrongKey(key, code string) string {
	if key == text.Code(code).Fold() || key == schema.OwnKey(code) {
		return ""
	}
	return fmt.Sprintf("its code_key is %q, which does not match its code %q", key, code)
}

// wrongText says that a text of a row is not UTF-8. The journal has U+FFFD in the place of each invalid
// byte, so without this check the record would equal the record of a row that has U+FFFD itself.
func wrongText(row any) string {
	for _, column := range reflect.ValueOf(row).Fields() {
		column = reflect.Indirect(column)
		if column.Kind() == reflect.String && !utf8.ValidString(column.String()) {
			return fmt.Sprintf("its text %q is not UTF-8", column.String())
		}
	}
	return ""
}

// inTurn yields the rows of one table after the other, up to the first error.
func inTurn(tables ...iter.Seq2[records.Row, error]) iter.Seq2[records.Row, error] {
	return func(yield func(records.Row, error) bool) {
		for _, table := range tables {
			for r, err := range table {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// live yields the rows of one table. A row that comes with an error names the table.
func live[Row any](
	ctx context.Context,
	entity journal.Entity,
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	record func(Row) records.Row,
) iter.Seq2[records.Row, error] {
	rising := func(a, b *records.Row) int { return cmp.Compare(a.ID, b.ID) }
	found := rows.Pages(rows.PageSize, rising, func(last *records.Row, most int64) ([]records.Row, error) {
		after := int64(math.MinInt64) // a damaged file may have ids below 1
		if last != nil {
			after = last.ID
		}
		page, err := list(ctx, after, math.MaxInt64, most)
		return rows.Map(page, func(row Row) records.Row {
			r := record(row)
			if r.Wrong == "" {
				r.Wrong = wrongText(row)
			}
			return r
		}), err
	})
	return func(yield func(records.Row, error) bool) {
		for r, err := range found {
			r.Entity = entity
			if !yield(r, err) {
				return
			}
		}
	}
}
