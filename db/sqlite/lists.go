package sqlite

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// byIDAtOnce is how many rows one short read of a list by id takes. A row may have a text of 16,000
// bytes, and the server holds the rows while a slow client reads: at most 400 KB, within the memory
// that a list counts against the limit for answers.
const byIDAtOnce = 25

// byID yields rows in the order of their ids, up to the newest row at the start. Each read waits for
// its turn.
func byID[Row, T any](
	ctx context.Context,
	newest func(context.Context) (int64, error),
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	domain func(Row) T,
	id func(T) int64,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var through int64
		rows.Pages(byIDAtOnce, func(a, b *T) int { return cmp.Compare(id(*a), id(*b)) }, func(last *T, most int64) ([]T, error) {
			var found []Row
			err := listing.InTurn(ctx, func() (err error) {
				var after int64
				if last != nil {
					after = id(*last)
				} else if through, err = newest(ctx); err != nil {
					return err
				}
				found, err = list(ctx, after, through, most)
				return err
			})
			return rows.Map(found, domain), err
		})(yield)
	}
}

// eachOf maps the rows of a query, and classifies its error.
func eachOf[A, B any](f func(A) B, found []A, err error) ([]B, error) {
	return rows.Map(found, f), sqlerr.Classify(err)
}

var _ exchange.Exporter = (*Store)(nil)

// Export implements exchange.Exporter.
func (s *Store) Export(ctx context.Context, read func(exchange.Snapshot) error) error {
	return s.consistent(ctx, func(c *scanner) error { return c.export(read) })
}

// Exported reads a database beside the server that serves it, for an export. It neither changes nor migrates the
// file. Unavailable: there is no database, it has another schema, or it cannot be read.
func Exported(ctx context.Context, path string, read func(exchange.Snapshot) error) error {
	f, err := file.Locate(path)
	if err != nil {
		return err
	}
	if f, err = f.Current(ctx); err != nil {
		return err
	}
	c, err := openScanner(f)
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }() // it was only read
	if err := f.Unchanged(); err != nil {
		return err
	}
	defer c.conn.Until(ctx)()
	err = c.transaction(func() error { return c.export(read) })
	return errors.Join(f.Unchanged(), err)
}

func (s *scanner) export(read func(exchange.Snapshot) error) error {
	head, err := s.journalHead() // the first read, which begins the transaction
	if err != nil {
		return err
	}
	return read(exported{s, head})
}

// exported is all records of one state. It implements exchange.Snapshot.
type exported struct {
	*scanner
	head journal.Seq
}

// wholeList has no limit. The query asks for one record more.
const wholeList = math.MaxInt - 1

func (e exported) Seq() int64 { return int64(e.head) }

func (e exported) Currencies() iter.Seq2[trading.Currency, error] {
	return allOf(e.scanner, gen.ListCurrencies, rows.Currency, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
}

func (e exported) Companies() iter.Seq2[trading.Company, error] {
	return allOf(e.scanner, gen.ExportCompanies, func(r gen.ExportCompaniesRow) trading.Company {
		return trading.Company{
			ID: trading.CompanyID(r.ID), Name: text.Name(r.Name), SharesOutstanding: trading.Outstanding(r.SharesOutstanding),
			Price: money.Price(r.Price), CurrencyID: trading.CurrencyID(r.CurrencyID),
		}
	})
}

func (e exported) Revenues() iter.Seq2[trading.Revenue, error] {
	return allOf(e.scanner, gen.ExportRevenues, func(r gen.ExportRevenuesRow) trading.Revenue {
		return trading.Revenue{
			ID: trading.RevenueID(r.ID), CompanyID: trading.CompanyID(r.CompanyID), Category: text.Name(r.Category),
			Amount: money.Amount(r.Amount), FiscalYear: fiscal.Year(r.FiscalYear), CurrencyCode: money.Currency(r.CurrencyCode),
		}
	})
}

func (e exported) Departments() iter.Seq2[budget.Department, error] {
	return allOf(e.scanner, gen.ListDepartments, rows.Department, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
}

func (e exported) Accounts() iter.Seq2[budget.Account, error] {
	return allOf(e.scanner, gen.ListAccounts, rows.Account, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
}

func (e exported) Lines(f budget.LineFilter) iter.Seq2[budget.Line, error] {
	return wholePage(e.scanner, linePage(f), rows.Line)
}

func (e exported) Actuals(f budget.ActualFilter) iter.Seq2[budget.Actual, error] {
	return wholePage(e.scanner, actualPage(f), rows.Actual)
}

func (e exported) Trades(f trading.TradeFilter) iter.Seq2[trading.Trade, error] {
	return wholePage(e.scanner, tradePage(f), rows.Trade)
}

// wholePage yields all records of a page without a limit.
func wholePage[Row, T any](s *scanner, p page, record func(Row) T) iter.Seq2[T, error] {
	p.limit = wholeList
	q, err := p.query()
	if err != nil {
		return failed[T](err)
	}
	return allOf(s, q.text, record, q.bound...)
}

// allOf yields the rows of a query as records.
func allOf[Row, T any](s *scanner, query string, record func(Row) T, bound ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		list, err := cursor.Prepare[Row](s.conn, query)
		if err != nil {
			failed[T](err)(yield)
			return
		}
		defer func() { _ = list.Close() }() // All has the error
		for row, err := range list.All(bound...) {
			if !yield(record(*row), err) || err != nil {
				return
			}
		}
	}
}

func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}
