package sqlite

import (
	"context"
	"errors"
	"math"
	"net/url"
	"runtime"
	"sync"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// A scanner makes the reads that are long: every trade, every position, and the two sides of
// a variance, of a period or of many. It reads columns below database/sql, which costs a tenth.
type scanner struct {
	conn        *cursor.Conn
	newestTrade *cursor.Rows
	trades      *cursor.Rows
	departments *cursor.Rows
	accounts    *cursor.Rows
	newestOf    [2]*cursor.Rows // the highest id of a department, and of an account
	budgeted    *cursor.Rows
	actual      *cursor.Rows
	head        *cursor.Rows
	changes     *cursor.Rows
	changed     *cursor.Rows
	lineUse     *cursor.Rows
	actualUse   *cursor.Rows
	feeds       *cursor.Rows
	sources     *cursor.Rows
	received    *cursor.Rows
	holdings    *cursor.Rows
	traded      *cursor.Rows
	quotes      *cursor.Rows
	texts       [4096]string // seen lately, by their hash
}

// scanners is a pool of them; each is one goroutine's at a time. The one that was used last
// is used next: its cache is warm, and those of the others stay small.
type scanners struct {
	file   file
	free   chan struct{} // has one for each that is idle
	closed chan struct{}
	close  func() error // waits for those in use

	mutex sync.Mutex
	idle  []*scanner // the one used last at the end; nil for one that was given up
}

// longReads is how many reads that take long are made at once; whoever calls the Store
// sees to that.
const longReads = 4

// readersAtOnce is how many connections a pool has: as many as have work for the processors
// while some wait for the disk, beside those that are long at their work.
func readersAtOnce() int { return longReads + max(4, runtime.NumCPU()) }

func (f file) scanners() (*scanners, error) {
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
		s, err := f.scanner()
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.put(s)
	}
	return p, nil
}

// take is called by a goroutine that has received from free.
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

// scanner opens a connection with the pragmas of a reader in force.
func (f file) scanner() (s *scanner, err error) {
	s = &scanner{}
	if s.conn, err = cursor.Open(f.dsn(url.Values{"mode": {"ro"}})); err != nil {
		return nil, classify(err)
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(classify(err), s.close())
	}
	return s, nil
}

func (s *scanner) prepare() (err error) {
	for _, p := range readerPragmas {
		if err := s.conn.Exec("PRAGMA " + p.name + " = " + p.value); err != nil {
			return err
		}
		got, err := s.conn.Value("PRAGMA " + p.name)
		if err != nil {
			return err
		}
		if got != p.readBack {
			return p.refused(got)
		}
	}
	for _, q := range []struct {
		rows **cursor.Rows
		text string
	}{
		{&s.newestTrade, gen.NewestTrade},
		{&s.trades, gen.ListTradesAfter},
		{&s.departments, gen.ListDepartments},
		{&s.accounts, gen.ListAccounts},
		{&s.newestOf[0], gen.NewestDepartment},
		{&s.newestOf[1], gen.NewestAccount},
		{&s.budgeted, gen.ListBudgeted},
		{&s.actual, gen.ListActual},
		{&s.head, gen.NewestEntry},
		{&s.changes, gen.ListChanges},
		{&s.changed, gen.ListChanged},
		{&s.lineUse, gen.ListLineUse},
		{&s.actualUse, gen.ListActualUse},
		{&s.feeds, gen.ListFeeds},
		{&s.sources, gen.ListSources},
		{&s.received, gen.ListReceived},
		{&s.holdings, gen.ListHoldings},
		{&s.traded, gen.ListTraded},
		{&s.quotes, gen.ListQuotes},
	} {
		if *q.rows, err = s.conn.Prepare(q.text); err != nil {
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
	for _, rows := range []*cursor.Rows{
		s.newestTrade, s.trades, s.departments, s.accounts, s.newestOf[0], s.newestOf[1], s.budgeted, s.actual,
		s.head, s.changes, s.changed, s.lineUse, s.actualUse, s.feeds, s.sources, s.received,
		s.holdings, s.traded, s.quotes,
	} {
		if rows != nil {
			err = errors.Join(err, rows.Close())
		}
	}
	return errors.Join(err, s.conn.Close())
}

// scan does a read with a scanner of its own, and interrupts it when ctx ends. Unavailable.
func (s *Store) scan(ctx context.Context, read func(*scanner) error) error {
	select {
	case <-s.scanners.free:
		return s.scanners.use(ctx, read)
	case <-s.scanners.closed:
		return fault.New(fault.Unavailable, "the server is shutting down")
	case <-ctx.Done():
		return classify(ctx.Err())
	}
}

// scanInTurn is scan for a short read of a list, which waits for its turn.
func (s *Store) scanInTurn(ctx context.Context, read func(*scanner) error) error {
	return listing.InTurn(ctx, func() error { return s.scan(ctx, read) })
}

// use does a read with a scanner and puts it back. One that the read leaves in the middle of
// something, after a panic too, or whose disk failed, is given up instead, and opened again
// when it is needed.
func (p *scanners) use(ctx context.Context, read func(*scanner) error) (err error) {
	one, clean := p.take(), true
	defer func() {
		if !clean {
			_ = one.close() // nothing that it holds is needed
			one = nil
		}
		p.put(one)
	}()
	if one == nil {
		if one, err = p.file.scanner(); err != nil {
			return err
		}
	}
	clean = false // until the read has returned
	defer one.conn.Until(ctx)()
	err = classify(read(one))
	clean = one.conn.Idle() && !distrusts(err)
	return err
}

// snapshot does reads that must agree. Its transaction ends however they end.
func (s *scanner) snapshot(read func() error) (err error) {
	if err := s.conn.Exec("BEGIN"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.conn.Exec("ROLLBACK")) }()
	return read()
}

// read goes through the rows of a query.
func read(rows *cursor.Rows, row func(), parameters ...any) error {
	defer rows.Reset()
	if err := rows.Bind(parameters...); err != nil {
		return err
	}
	return rows.Each(row)
}

// newestTradeID is 0 when there is none.
func (s *scanner) newestTradeID() (id int64, err error) {
	err = read(s.newestTrade, func() { id = s.newestTrade.Int(0) })
	return id, err
}

// tradesAfter appends the trades after an id, through another, to those it is given;
// there are no others with ids up to reached.
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
		id := row.Int(1)
		if id > through {
			return page, id - 1, nil
		}
		if id <= last {
			return page, after, errDisorder
		}
		last = id
		page = append(page, trading.Trade{
			ID: trading.TradeID(id),
			Instrument: trading.Instrument{
				Symbol:   trading.Symbol(s.text(row.Text(2))),
				Currency: money.Currency(s.text(row.Text(3))),
				Product:  trading.Product(row.Int(5)),
			},
			Shares: trading.Shares(row.Int(4)),
			Side:   trading.Side(row.Int(6)),
			Price:  money.Price(row.Int(7)),
			Date:   dateOf(row.Int(0)),
		})
	}
}

// postings are one side of a variance, in the order it is merged in. It takes no copy
// to gather as many as are likely.
func (s *scanner) postings(row *cursor.Rows, likely int, parameters ...any) ([]budget.Posting, error) {
	side := make([]budget.Posting, 0, likely)
	err := read(row, func() {
		side = append(side, budget.Posting{
			DepartmentID: budget.DepartmentID(row.Int(1)),
			AccountID:    budget.AccountID(row.Int(2)),
			Amount:       money.Amount(row.Int(3)),
			Currency:     money.Currency(s.text(row.Text(0))),
		})
	}, parameters...)
	return side, err
}

// text is a text that many rows have: one that was seen lately is not made again. Long
// texts are not kept, so that a scanner stays small.
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
