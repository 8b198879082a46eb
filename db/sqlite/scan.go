package sqlite

import (
	"context"
	"errors"
	"math"
	"net/url"
	"runtime"
	"sync"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/listing"
	"daybook/internal/trading"
)

// A scanner does long reads: every trade, every position, and both sides of a variance for one period
// or many. It reads columns below database/sql, which takes a tenth of the time.
type scanner struct {
	conn         *cursor.Conn
	newestTrade  *cursor.Query[int64]
	trades       *cursor.Query[gen.ListTradesAfterRow]
	departments  *cursor.Query[gen.Department]
	accounts     *cursor.Query[gen.GlAccount]
	newestOf     [2]*cursor.Query[int64] // the highest id of a department, and of an account
	budgeted     *cursor.Query[postingRow]
	actual       *cursor.Query[postingRow]
	head         *cursor.Query[int64]
	changes      *cursor.Query[gen.ListChangesRow]
	lineUse      *cursor.Query[useRow]
	actualUse    *cursor.Query[useRow]
	sourceMonths *cursor.Query[gen.ListSourceMonthsRow]
	allSources   *cursor.Query[gen.ListSourcesRow]
	received     *cursor.Query[gen.ListReceivedRow]
	holdings     *cursor.Query[gen.Position]
	traded       *cursor.Query[gen.ListTradedRow]
	quotes       *cursor.Query[gen.ListQuotesRow]

	// What files are compared with; each is nil until it is needed.
	actualByKey *cursor.Query[gen.Actual]
	lineByKey   *cursor.Query[gen.BudgetLine]
	revenue     *cursor.Query[gen.ExportRevenuesRow]
	revenueByID *cursor.Query[gen.ExportRevenuesRow]
	tradeByID   *cursor.Query[gen.Trade]
	known       *knownTrades
}

// The rows of queries that ask the same of budget lines and of actuals.
type (
	postingRow = gen.ListBudgetedRow
	useRow     = gen.ListLineUseRow
)

// scanners is a pool of scanners. One goroutine at a time uses a scanner. The pool hands out the last
// used one first, because its cache is warm, and the caches of the others stay small.
type scanners struct {
	file   file.File
	free   chan struct{} // has one for each idle scanner
	closed chan struct{}
	close  func() error // waits for the scanners in use

	mutex sync.Mutex
	idle  []*scanner // the last used one at the end; nil: to be opened
}

// longReads is how many long reads run at once. The callers of the Store keep to that.
const longReads = 4

// readersAtOnce is how many connections a pool has: enough to keep the processors busy while some wait
// for the disk, besides the long reads.
func readersAtOnce() int { return longReads + max(4, runtime.NumCPU()) }

func openScanners(f file.File) (*scanners, error) {
	size := readersAtOnce()
	p := &scanners{file: f, free: make(chan struct{}, size), closed: make(chan struct{})}
	opened := 0
	p.close = sync.OnceValue(func() (err error) {
		close(p.closed)
		for range opened {
			<-p.free
			err = errors.Join(err, p.take().close())
		}
		return err
	})
	for ; opened < size; opened++ {
		s, err := openScanner(f)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.put(s)
	}
	return p, nil
}

// take returns an idle scanner. The caller has received from free.
func (p *scanners) take() *scanner {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	last := len(p.idle) - 1
	s := p.idle[last]
	p.idle = p.idle[:last]
	return s
}

func (p *scanners) put(s *scanner) {
	p.mutex.Lock()
	p.idle = append(p.idle, s)
	p.mutex.Unlock()
	p.free <- struct{}{}
}

// openScanner opens a connection with the pragmas of a reader.
func openScanner(f file.File) (s *scanner, err error) {
	s = &scanner{}
	if s.conn, err = cursor.Open(f.DSN(url.Values{"mode": {"ro"}})); err != nil {
		return nil, sqlerr.Classify(err)
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(sqlerr.Classify(err), s.close())
	}
	return s, nil
}

func (s *scanner) prepare() error {
	for _, p := range file.ReaderPragmas {
		if err := s.conn.Exec("PRAGMA " + p.Name + " = " + p.Value); err != nil {
			return err
		}
	}
	return errors.Join(
		prepare(s, &s.newestTrade, gen.NewestTrade),
		prepare(s, &s.trades, gen.ListTradesAfter),
		prepare(s, &s.departments, gen.ListDepartments),
		prepare(s, &s.accounts, gen.ListAccounts),
		prepare(s, &s.newestOf[0], gen.NewestDepartment),
		prepare(s, &s.newestOf[1], gen.NewestAccount),
		prepare(s, &s.budgeted, gen.ListBudgeted),
		prepare(s, &s.actual, gen.ListActual),
		prepare(s, &s.head, gen.NewestEntry),
		prepare(s, &s.changes, gen.ListChanges),
		prepare(s, &s.lineUse, gen.ListLineUse),
		prepare(s, &s.actualUse, gen.ListActualUse),
		prepare(s, &s.sourceMonths, gen.ListSourceMonths),
		prepare(s, &s.allSources, gen.ListSources),
		prepare(s, &s.received, gen.ListReceived),
		prepare(s, &s.holdings, gen.ListHoldings),
		prepare(s, &s.traded, gen.ListTraded),
		prepare(s, &s.quotes, gen.ListQuotes),
	)
}

// prepare sets a query of a scanner.
func prepare[T any](s *scanner, query **cursor.Query[T], text string) (err error) {
	*query, err = cursor.Prepare[T](s.conn, text)
	return err
}

func (s *scanner) close() error {
	if s == nil {
		return nil
	}
	return s.conn.Close()
}

// scan does a read with its own scanner, and interrupts it when ctx ends. Unavailable.
func (s *Store) scan(ctx context.Context, read func(*scanner) error) error {
	select {
	case <-s.scanners.free:
		return s.scanners.use(ctx, read)
	case <-s.scanners.closed:
		return fault.New(fault.Unavailable, "the server is shutting down")
	case <-ctx.Done():
		return sqlerr.Classify(ctx.Err())
	}
}

// scanInTurn is scan for a short read of a list, which waits for its turn.
func (s *Store) scanInTurn(ctx context.Context, read func(*scanner) error) error {
	return sqlerr.Classify(listing.InTurn(ctx, func() error { return s.scan(ctx, read) }))
}

// use does a read with a scanner and puts it back. If the read leaves a statement open, as after a
// panic, or its disk failed, use closes the scanner; it is opened again when it is needed.
func (p *scanners) use(ctx context.Context, read func(*scanner) error) (err error) {
	one, clean := p.take(), true
	defer func() {
		if !clean {
			_ = one.close() // it holds nothing that is needed
			one = nil
		}
		p.put(one)
	}()
	if one == nil {
		if one, err = openScanner(p.file); err != nil {
			return err
		}
	}
	clean = false // until the read has returned
	defer one.conn.Until(ctx)()
	err = sqlerr.Classify(read(one))
	clean = one.conn.Idle() && !sqlerr.Distrusts(err)
	return err
}

// transaction does reads that see the same state. It always ends its transaction.
func (s *scanner) transaction(read func() error) (err error) {
	if err := s.conn.Exec("BEGIN"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.conn.Exec("ROLLBACK")) }()
	return read()
}

// newestTradeID returns the highest id of a trade, 0 if there is none.
func (s *scanner) newestTradeID() (int64, error) { return s.newestTrade.Last() }

// tradesAfter appends the trades after an id, up to another, to a page. There are no other trades with
// ids up to reached.
func (s *scanner) tradesAfter(page []trading.Trade, after, through int64) (_ []trading.Trade, reached int64, err error) {
	last := after
	for row, err := range s.trades.All(after) {
		switch {
		case err != nil:
			return page, after, err
		case row.ID > through:
			return page, row.ID - 1, nil
		case row.ID <= last:
			return page, after, sqlerr.ErrDisorder
		}
		last, page = row.ID, append(page, rows.Trade(gen.Trade{
			ID: row.ID, Symbol: row.Symbol, CurrencyCode: row.CurrencyCode, Shares: row.Shares, Product: row.Product,
			Side: row.Side, Price: row.Price, TradedAt: row.TradedAt,
		}))
	}
	return page, math.MaxInt64, nil
}
