package sqlite

import (
	"context"
	"crypto/sha256"
	"errors"
	"iter"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

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

func (e exported) Seq() int64 { return int64(e.head) }

func (e exported) Revenues() iter.Seq2[trading.Revenue, error] {
	return allOf(e.scanner, gen.ExportRevenues, revenueOf)
}

func (e exported) Lines(f budget.LineFilter) iter.Seq2[budget.Line, error] {
	return wholePage(e.scanner, linePage(f), mostHeld, rows.Line)
}

func (e exported) Actuals(f budget.ActualFilter) iter.Seq2[budget.Actual, error] {
	return wholePage(e.scanner, actualPage(f), mostHeld, rows.Actual)
}

func (e exported) Trades(f trading.TradeFilter) iter.Seq2[trading.Trade, error] {
	return wholePage(e.scanner, tradePage(f), mostHeld, rows.Trade)
}

func revenueOf(r gen.ExportRevenuesRow) trading.Revenue {
	return trading.Revenue{
		ID: trading.RevenueID(r.ID), CompanyID: trading.CompanyID(r.CompanyID), Category: text.Name(r.Category),
		Amount: money.Amount(r.Amount), FiscalYear: fiscal.Year(r.FiscalYear), CurrencyCode: money.Currency(r.CurrencyCode),
	}
}

// The lists of records that others refer to, by id.

func (s *scanner) Currencies() iter.Seq2[trading.Currency, error] {
	return allOf(s, gen.ListCurrencies, rows.Currency, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
}

func (s *scanner) Companies() iter.Seq2[trading.Company, error] {
	return allOf(s, gen.ExportCompanies, func(r gen.ExportCompaniesRow) trading.Company {
		return trading.Company{
			ID: trading.CompanyID(r.ID), Name: text.Name(r.Name), SharesOutstanding: trading.Outstanding(r.SharesOutstanding),
			Price: money.Price(r.Price), CurrencyID: trading.CurrencyID(r.CurrencyID),
		}
	})
}

func (s *scanner) Departments() iter.Seq2[budget.Department, error] {
	return allOf(s, gen.ListDepartments, rows.Department, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
}

func (s *scanner) Accounts() iter.Seq2[budget.Account, error] {
	return allOf(s, gen.ListAccounts, rows.Account, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
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

var _ exchange.Database = (*Store)(nil)

// Compare implements exchange.Database. Each look-up is a short read of its own, so that a check, which may take
// minutes, holds back no restart of the write-ahead log.
func (s *Store) Compare(ctx context.Context, check func(exchange.Stored) error) error {
	c := &compared{store: s, ctx: ctx}
	err := s.scan(ctx, func(one *scanner) (err error) {
		c.head, err = one.journalHead()
		return err
	})
	if err != nil {
		return err
	}
	return check(c)
}

// compared implements exchange.Stored.
type compared struct {
	store *Store
	ctx   context.Context
	head  journal.Seq
}

// Seq implements exchange.Lists.
func (c *compared) Seq() int64 { return int64(c.head) }

// listed is a list of a scanner, in one read.
func listed[T any](c *compared, list func(*scanner) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		stopped := false
		err := c.store.consistent(c.ctx, func(one *scanner) error {
			for record, err := range list(one) {
				if err != nil {
					return err
				}
				if stopped = !yield(record, nil); stopped {
					return nil
				}
			}
			return nil
		})
		if err != nil && !stopped {
			failed[T](err)(yield)
		}
	}
}

// Currencies implements exchange.Lists.
func (c *compared) Currencies() iter.Seq2[trading.Currency, error] {
	return listed(c, (*scanner).Currencies)
}

// Companies implements exchange.Lists.
func (c *compared) Companies() iter.Seq2[trading.Company, error] {
	return listed(c, (*scanner).Companies)
}

// Departments implements exchange.Lists.
func (c *compared) Departments() iter.Seq2[budget.Department, error] {
	return listed(c, (*scanner).Departments)
}

// Accounts implements exchange.Lists.
func (c *compared) Accounts() iter.Seq2[budget.Account, error] {
	return listed(c, (*scanner).Accounts)
}

// looked returns the one row of a query, nil if there is none. A scanner compiles the query when it first needs it.
func looked[Row, T any](c *compared, at func(*scanner) **cursor.Query[Row], query string, record func(Row) T, bound ...any) (found *T, err error) {
	err = c.store.scan(c.ctx, func(one *scanner) error {
		q := at(one)
		if *q == nil {
			if err := prepare(one, q, query); err != nil {
				return err
			}
		}
		for row, err := range (*q).All(bound...) {
			if err != nil {
				return err
			}
			found = new(record(*row))
		}
		return nil
	})
	return found, err
}

// Actual implements exchange.Stored.
func (c *compared) Actual(key budget.Key) (*budget.Actual, error) {
	return looked(c, func(s *scanner) **cursor.Query[gen.Actual] { return &s.actualByKey }, gen.GetActualByKey, rows.Actual,
		int64(key.Year), int64(key.Period), int64(key.DepartmentID), int64(key.AccountID))
}

// Line implements exchange.Stored.
func (c *compared) Line(key budget.LineKey) (*budget.Line, error) {
	return looked(c, func(s *scanner) **cursor.Query[gen.BudgetLine] { return &s.lineByKey }, gen.GetLineByKey, rows.Line,
		int64(key.Year), int64(key.Period), string(key.Version), int64(key.DepartmentID), int64(key.AccountID))
}

// Revenue implements exchange.Stored.
func (c *compared) Revenue(like trading.Revenue, n int) (*trading.Revenue, error) {
	return looked(c, func(s *scanner) **cursor.Query[gen.ExportRevenuesRow] { return &s.revenue }, gen.FindRevenue, revenueOf,
		int64(like.CompanyID), string(like.Category), int64(like.FiscalYear), string(like.CurrencyCode), int64(n-1))
}

// RevenueByID implements exchange.Stored.
func (c *compared) RevenueByID(id trading.RevenueID) (*trading.Revenue, error) {
	return looked(c, func(s *scanner) **cursor.Query[gen.ExportRevenuesRow] { return &s.revenueByID }, gen.GetRevenue, revenueOf, int64(id))
}

// Trade implements exchange.Stored.
func (c *compared) Trade(id trading.TradeID) (*trading.Trade, error) {
	return looked(c, func(s *scanner) **cursor.Query[gen.Trade] { return &s.tradeByID }, gen.GetTrade, rows.Trade, int64(id))
}

// KnownTrades implements exchange.Stored.
func (c *compared) KnownTrades(source, externalID string, like trading.Trade, n int) (known exchange.Known, err error) {
	err = c.store.scan(c.ctx, func(one *scanner) error {
		if one.known == nil {
			known, err := prepareKnown(one.conn)
			if err != nil {
				return err
			}
			one.known = known
		}
		known, err = one.known.of(source, externalID, like, n)
		return err
	})
	return known, err
}

// knownTrades looks up the trades that are there already.
type knownTrades struct {
	equal   *cursor.Query[gen.KnownTradesRow]
	foreign *cursor.Query[gen.KnownByExternalIDRow]
}

func prepareKnown(conn *cursor.Conn) (*knownTrades, error) {
	equal, err := cursor.Prepare[gen.KnownTradesRow](conn, gen.KnownTrades)
	if err != nil {
		return nil, err
	}
	foreign, err := cursor.Prepare[gen.KnownByExternalIDRow](conn, gen.KnownByExternalID)
	if err != nil {
		return nil, errors.Join(err, equal.Close())
	}
	return &knownTrades{equal, foreign}, nil
}

func (k *knownTrades) close() error { return errors.Join(k.equal.Close(), k.foreign.Close()) }

// of tells of the trades that are equal to the n-th of its content in a file. A trade with an external id that an import
// has stored is that one, if their contents are equal.
func (k *knownTrades) of(source, externalID string, like trading.Trade, n int) (known exchange.Known, err error) {
	hash := contentOf(like)
	if externalID != "" {
		for row, err := range k.foreign.All(hash, source, externalID) {
			if err != nil {
				return known, err
			}
			known = exchange.Known{Already: n, ByID: true, Voided: row.Voided != 0, Differs: row.Differs != 0}
		}
		if known != (exchange.Known{}) {
			return known, nil
		}
	}
	row, err := k.equal.Last(hash, source, externalID, string(like.Symbol), string(like.Currency), int64(like.Product), like.Date.UnixNano(),
		int64(like.Shares), int64(like.Side), int64(like.Price), int64(n-1))
	return exchange.Known{Already: int(row.Already), Voided: row.Voided != 0, Elsewhere: row.Elsewhere != 0}, err
}

// contentOf is the SHA-256 of a trade without its id, by which an import remembers it.
func contentOf(t trading.Trade) []byte {
	t.ID = 0
	hash := sha256.Sum256(records.Trade(t))
	return hash[:]
}
