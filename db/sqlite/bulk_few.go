package sqlite

import (
	"context"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// StoreCurrencies implements trading.Store.
func (s *Store) StoreCurrencies(ctx context.Context, currencies bulk.Rows[trading.Currency]) (bulk.Result, error) {
	return storeFew(ctx, s, &fewCurrencies, currencies)
}

// StoreCompanies implements trading.Store.
func (s *Store) StoreCompanies(ctx context.Context, companies bulk.Rows[trading.Company]) (bulk.Result, error) {
	return storeFew(ctx, s, &fewCompanies, companies)
}

// StoreRevenues implements trading.Store.
func (s *Store) StoreRevenues(ctx context.Context, revenues bulk.Rows[trading.Revenue]) (bulk.Result, error) {
	return storeFew(ctx, s, &fewRevenues, revenues)
}

// StoreDepartments implements budget.Store.
func (s *Store) StoreDepartments(ctx context.Context, departments bulk.Rows[budget.Department]) (bulk.Result, error) {
	return storeFew(ctx, s, &fewDepartments, departments)
}

// StoreAccounts implements budget.Store.
func (s *Store) StoreAccounts(ctx context.Context, accounts bulk.Rows[budget.Account]) (bulk.Result, error) {
	return storeFew(ctx, s, &fewAccounts, accounts)
}

// few says how records of a short list are stored, one by one.
type few[R comparable] struct {
	entity  journal.Entity
	finder  func(context.Context, *tx) (finder[R], error)
	get     func(context.Context, *tx, int64) (*R, error) // the one with an id, nil if there is none
	insert  func(context.Context, *tx, R) (R, error)
	replace func(context.Context, *tx, R) error
	record  func(R) []byte
	id      func(*R) *int64
}

// finder returns the stored record that is the same as another, nil if there is none: the one with its code, or the n-th
// of its name.
type finder[R any] func(like R, n int) (*R, error)

var fewCurrencies = few[trading.Currency]{
	entity: journal.Currencies, insert: insertCurrency, replace: replaceCurrency, record: records.Currency,
	id: func(c *trading.Currency) *int64 { return (*int64)(&c.ID) },
	get: func(ctx context.Context, q *tx, id int64) (*trading.Currency, error) {
		return first(rows.Currency)(q.ListCurrencies(ctx, id-1, id, 1))
	},
	finder: func(ctx context.Context, q *tx) (finder[trading.Currency], error) {
		return func(like trading.Currency, _ int) (*trading.Currency, error) {
			row, err := q.GetCurrencyByCode(ctx, string(like.Code))
			return one(rows.Currency(row), err)
		}, nil
	},
}

var fewCompanies = few[trading.Company]{
	entity: journal.Companies, insert: insertCompany, replace: replaceCompany, record: records.Company,
	id: func(c *trading.Company) *int64 { return (*int64)(&c.ID) },
	get: func(ctx context.Context, q *tx, id int64) (*trading.Company, error) {
		return first(rows.Company)(q.ListCompanies(ctx, id-1, id, 1))
	},
	finder: func(ctx context.Context, q *tx) (finder[trading.Company], error) {
		named := map[text.Name][]trading.Company{} // before the first is stored: no index has their names
		for after := int64(0); ; {
			found, err := q.ListCompanies(ctx, after, math.MaxInt64, rows.PageSize)
			if err != nil {
				return nil, err
			}
			for _, row := range found {
				named[text.Name(row.Name)] = append(named[text.Name(row.Name)], rows.Company(row))
				after = row.ID
			}
			if len(found) < rows.PageSize {
				break
			}
		}
		return func(like trading.Company, n int) (*trading.Company, error) {
			if same := named[like.Name]; n <= len(same) {
				return &same[n-1], nil
			}
			return nil, nil //nolint:nilnil // there is none
		}, nil
	},
}

var fewRevenues = few[trading.Revenue]{
	entity: journal.Revenues, insert: insertRevenue, replace: replaceRevenue, record: records.Revenue,
	id: func(r *trading.Revenue) *int64 { return (*int64)(&r.ID) },
	get: func(ctx context.Context, q *tx, id int64) (*trading.Revenue, error) {
		row, err := q.GetRevenue(ctx, id)
		return one(revenueOf(gen.ExportRevenuesRow(row)), err)
	},
	finder: func(ctx context.Context, q *tx) (finder[trading.Revenue], error) {
		return func(like trading.Revenue, n int) (*trading.Revenue, error) {
			row, err := q.FindRevenue(ctx, gen.FindRevenueParams{
				CompanyID: int64(like.CompanyID), Category: string(like.Category), FiscalYear: int64(like.FiscalYear),
				CurrencyCode: string(like.CurrencyCode), Skipped: int64(n - 1),
			})
			return one(revenueOf(gen.ExportRevenuesRow(row)), err)
		}, nil
	},
}

var fewDepartments = few[budget.Department]{
	entity: journal.Departments, insert: insertDepartment, replace: replaceDepartment, record: records.Department,
	id: func(d *budget.Department) *int64 { return (*int64)(&d.ID) },
	get: func(ctx context.Context, q *tx, id int64) (*budget.Department, error) {
		row, err := q.GetDepartment(ctx, id)
		return one(rows.Department(row), err)
	},
	finder: func(ctx context.Context, q *tx) (finder[budget.Department], error) {
		return func(like budget.Department, _ int) (*budget.Department, error) {
			d, err := findDepartment(ctx, q.Queries, budget.Identifier{By: budget.ByCode, Value: string(like.Code)})
			return one(d, err)
		}, nil
	},
}

var fewAccounts = few[budget.Account]{
	entity: journal.Accounts, insert: insertAccount, replace: replaceAccount, record: records.Account,
	id: func(a *budget.Account) *int64 { return (*int64)(&a.ID) },
	get: func(ctx context.Context, q *tx, id int64) (*budget.Account, error) {
		row, err := q.GetAccount(ctx, id)
		return one(rows.Account(row), err)
	},
	finder: func(ctx context.Context, q *tx) (finder[budget.Account], error) {
		return func(like budget.Account, _ int) (*budget.Account, error) {
			row, err := q.FindAccountByCode(ctx, like.Code.Fold(), schema.OwnKey(string(like.Code)))
			return one(rows.Account(row), err)
		}, nil
	},
}

// one is the record of a query, nil if there is none.
func one[R any](record R, err error) (*R, error) {
	if sqlerr.IsNoRow(err) || fault.KindOf(err) == fault.NotFound {
		return nil, nil //nolint:nilnil // there is none
	}
	return &record, err
}

// first returns the record of the only row of a page, nil if it has none.
func first[Row, R any](record func(Row) R) func([]Row, error) (*R, error) {
	return func(page []Row, err error) (*R, error) {
		if err != nil || len(page) == 0 {
			return nil, err
		}
		return new(record(page[0])), nil
	}
}

// storeFew stores rows one by one, in one transaction.
func storeFew[R comparable](ctx context.Context, s *Store, t *few[R], list bulk.Rows[R]) (bulk.Result, error) {
	return writeAlone(ctx, s, func(ctx context.Context, q *tx) (result bulk.Result, err error) {
		find, err := t.finder(ctx, q)
		if err != nil {
			return result, err
		}
		w := fewWrite[R]{few: t, tx: q, find: find}
		w.result.Counts.Skipped = list.Skipped
		q.beginBatch(list.Batch)
		for row, err := range list.All {
			if err == nil {
				err = w.store(ctx, row)
			}
			if err != nil {
				return w.result, err
			}
		}
		if err := w.conflicts.Refuse(); err != nil {
			return w.result, err
		}
		return w.result, q.endBulk(ctx, &w.result, list.LeftOut)
	})
}

// fewWrite is the storing of rows one by one.
type fewWrite[R comparable] struct {
	*few[R]
	tx        *tx
	find      finder[R]
	result    bulk.Result
	conflicts bulk.ConflictsError
}

// store stores a row, unless there was a conflict. Then it only looks for others.
func (w *fewWrite[R]) store(ctx context.Context, row *bulk.Row[R]) error {
	stored, err := w.stored(ctx, row)
	if err != nil {
		return err
	}
	if !same(row.Seen, stored) {
		return conflict(ctx, w.tx, &w.conflicts, w.entity, row, stored, w.record, w.id)
	}
	if w.conflicts.Total > 0 {
		return nil
	}
	var before []byte
	switch record := row.Record; {
	case stored == nil:
		if row.Record, err = w.insert(ctx, w.tx, record); err != nil {
			return onLine(row.Line, err)
		}
		w.result.Counts.New++
	case record == *stored:
		w.result.Counts.Unchanged++
		return nil
	default:
		before = w.record(*stored)
		if err := w.replace(ctx, w.tx, record); err != nil {
			return onLine(row.Line, err)
		}
		w.result.Counts.Changed++
	}
	return w.tx.tell(ctx, w.entity, *w.id(&row.Record), before, w.record(row.Record))
}

// stored returns the record that a row is about, nil if there is none.
func (w *fewWrite[R]) stored(ctx context.Context, row *bulk.Row[R]) (*R, error) {
	if row.ByID {
		return w.get(ctx, w.tx, *w.id(&row.Record))
	}
	return w.find(row.Record, row.Nth)
}

// onLine is an error that says in which line of the file the record is.
func onLine(line int, err error) error {
	if fault.KindOf(err) == fault.Internal {
		return err
	}
	return fault.Wrap(fault.KindOf(err), err, "line %d: %s; nothing was stored", line, err.Error())
}
