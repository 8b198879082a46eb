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
	"daybook/internal/money"
	"daybook/internal/trading"
)

// A scanner does long reads: every trade, every position, and both sides of a variance for one period
// or many. It reads columns below database/sql, which takes a tenth of the time.
type scanner struct {
	conn         *cursor.Conn
	newestTrade  *cursor.Rows
	trades       *cursor.Rows
	departments  *cursor.Rows
	accounts     *cursor.Rows
	newestOf     [2]*cursor.Rows // the highest id of a department, and of an account
	budgeted     *cursor.Rows
	actual       *cursor.Rows
	head         *cursor.Rows
	changes      *cursor.Rows
	lineUse      *cursor.Rows
	actualUse    *cursor.Rows
	sourceMonths *cursor.Rows
	allSources   *cursor.Rows
	received     *cursor.Rows
	holdings     *cursor.Rows
	traded       *cursor.Rows
	quotes       *cursor.Rows
	texts        [4096]string // recent texts by their hash
}

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

func (s *scanner) prepare() (err error) {
	for _, p := range file.ReaderPragmas {
		if err := s.conn.Exec("PRAGMA " + p.Name + " = " + p.Value); err != nil {
			return err
		}
		got, err := s.conn.Value("PRAGMA " + p.Name)
		if err != nil {
			return err
		}
		if got != p.ReadBack {
			return p.Refused(got)
		}
	}
	for _, q := range []struct {
		rows    **cursor.Rows
		text    string
		columns []string
	}{
		{&s.newestTrade, gen.NewestTrade, nil},
		{&s.trades, gen.ListTradesAfter, tradeAfterColumns},
		{&s.departments, gen.ListDepartments, departmentColumns},
		{&s.accounts, gen.ListAccounts, accountColumns},
		{&s.newestOf[0], gen.NewestDepartment, nil},
		{&s.newestOf[1], gen.NewestAccount, nil},
		{&s.budgeted, gen.ListBudgeted, postingColumns},
		{&s.actual, gen.ListActual, postingColumns},
		{&s.head, gen.NewestEntry, nil},
		{&s.changes, gen.ListChanges, changeColumns},
		{&s.lineUse, gen.ListLineUse, useColumns},
		{&s.actualUse, gen.ListActualUse, useColumns},
		{&s.sourceMonths, gen.ListSourceMonths, sourceMonthColumns},
		{&s.allSources, gen.ListSources, sourceColumns},
		{&s.received, gen.ListReceived, receivedColumns},
		{&s.holdings, gen.ListHoldings, holdingColumns},
		{&s.traded, gen.ListTraded, tradedColumns},
		{&s.quotes, gen.ListQuotes, quoteColumns},
	} {
		if *q.rows, err = s.conn.Prepare(q.text, q.columns...); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) close() error {
	if s == nil {
		return nil
	}
	var err error
	for _, list := range []*cursor.Rows{
		s.newestTrade, s.trades, s.departments, s.accounts, s.newestOf[0], s.newestOf[1], s.budgeted, s.actual,
		s.head, s.changes, s.lineUse, s.actualUse, s.sourceMonths, s.allSources, s.received,
		s.holdings, s.traded, s.quotes,
	} {
		if list != nil {
			err = errors.Join(err, list.Close())
		}
	}
	return errors.Join(err, s.conn.Close())
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
func (s *scanner) newestTradeID() (id int64, err error) {
	err = s.newestTrade.Read(func() { id = s.newestTrade.Int(0) })
	return id, err
}

// The columns of ListTradesAfter.
const (
	tradeAfterDate = iota
	tradeAfterID
	tradeAfterSymbol
	tradeAfterCurrency
	tradeAfterShares
	tradeAfterProduct
	tradeAfterSide
	tradeAfterPrice
)

var tradeAfterColumns = []string{
	tradeAfterDate:     "traded_at",
	tradeAfterID:       "id",
	tradeAfterSymbol:   "symbol",
	tradeAfterCurrency: "currency_code",
	tradeAfterShares:   "shares",
	tradeAfterProduct:  "product",
	tradeAfterSide:     "side",
	tradeAfterPrice:    "price",
}

// tradesAfter appends the trades after an id, up to another, to a page. There are no other trades with
// ids up to reached.
func (s *scanner) tradesAfter(page []trading.Trade, after, through int64) (_ []trading.Trade, reached int64, err error) {
	row, last := s.trades, after
	defer row.Reset()
	if err := row.Bind(after); err != nil {
		return page, after, err
	}
	for {
		more, err := row.Next()
		if err != nil || !more {
			return page, math.MaxInt64, err
		}
		id := row.Int(tradeAfterID)
		if id > through {
			return page, id - 1, nil
		}
		if id <= last {
			return page, after, sqlerr.ErrDisorder
		}
		last = id
		page = append(page, trading.Trade{
			ID: trading.TradeID(id),
			Instrument: trading.Instrument{
				Symbol:   trading.Symbol(s.text(row.Text(tradeAfterSymbol))),
				Currency: money.Currency(s.text(row.Text(tradeAfterCurrency))),
				Product:  trading.Product(row.Int(tradeAfterProduct)),
			},
			Shares: trading.Shares(row.Int(tradeAfterShares)),
			Side:   trading.Side(row.Int(tradeAfterSide)),
			Price:  money.Price(row.Int(tradeAfterPrice)),
			Date:   rows.Date(row.Int(tradeAfterDate)),
		})
	}
}

// text returns a text that many rows share, without allocating a recent one again. It does not keep
// long texts, so that a scanner stays small.
func (s *scanner) text(raw []byte) string {
	if len(raw) > 64 {
		return string(raw)
	}
	hash := uint32(0)
	for _, b := range raw {
		hash = 31*hash + uint32(b)
	}
	seen := &s.texts[hash%uint32(len(s.texts))]
	if *seen != string(raw) {
		*seen = string(raw)
	}
	return *seen
}
