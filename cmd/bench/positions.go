package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// batch is how many trades are added at once where disk time does not matter.
const batch = 1_000

// openBook opens a portfolio in this process until the workload ends.
func (b *bench) openBook(ctx context.Context, path string) (*trading.Book, error) {
	store, err := sqlite.Open(ctx, path, time.Now)
	if err != nil {
		return nil, err
	}
	b.later(func() { _ = store.Close() }) // the written records are checked before
	return trading.NewBook(store), nil
}

// count counts the positions that a book lists.
func count(ctx context.Context, book *trading.Book) (n int, err error) {
	for _, err := range book.Positions(ctx) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// grouped counts the positions that an SQL query calculates from the trades. Its average price is
// simple and not correct.
func grouped(ctx context.Context, db *sql.DB) (n int, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT symbol, currency_code, product, sum(side * shares) AS quantity,
		       sum(CAST(shares AS REAL) * price) / sum(shares), max(traded_at)
		FROM trades GROUP BY symbol, currency_code, product HAVING quantity <> 0`)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var p trading.Position
		var average float64
		var at int64
		if err := rows.Scan(&p.Symbol, &p.Currency, &p.Product, &p.Quantity, &average, &at); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// lot returns a batch of trades, spread over the symbols.
func lot() []trading.Trade {
	trades := make([]trading.Trade, batch)
	for i := range trades {
		trades[i] = trading.Trade{
			Instrument: trading.Instrument{Symbol: trading.Symbol(fmt.Sprintf("B%03d", i*7%symbols)), Currency: "EUR"},
			Shares:     100, Side: trading.Buy, Price: priceOf(int64(10 + i)),
		}
	}
	return trades
}

// priceOf returns a price of whole units.
func priceOf(units int64) money.Price { return money.Price(units * 100_000_000) }

// plain adds trades and their journal entries as the product does, but updates no positions.
type plain struct {
	db                 *sql.DB
	seq                int64 // of the newest entry
	trade, entry, link *sql.Stmt
}

func openPlain(ctx context.Context, path string) (p *plain, err error) {
	p = &plain{}
	if p.db, err = openDatabase(ctx, path, "rw"); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&p.trade, "INSERT INTO trades (symbol, currency_code, shares, product, side, price, traded_at) VALUES (?, ?, ?, ?, ?, ?, ?)"},
		{&p.entry, "INSERT INTO journal (seq, at, actor, request, entity, entity_id, after) VALUES (?, ?, '', '', 'trades', ?, ?)"},
		{&p.link, "INSERT INTO journal_links (through, hash) VALUES (?, ?)"},
	} {
		if *s.statement, err = p.db.PrepareContext(ctx, s.text); err != nil { //nolint:sqlclosecheck // closed with the database
			return nil, errors.Join(err, p.db.Close())
		}
	}
	return p, scanOne(ctx, p.db, "SELECT max(seq) FROM journal", &p.seq)
}

// add adds trades in one transaction, on the only connection of the database. An error ends the run,
// which ends the transaction.
func (p *plain) add(ctx context.Context, trades []trading.Trade) error {
	if _, err := p.db.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	sum := sha256.New()
	for _, t := range trades {
		now := time.Now()
		added, err := p.trade.ExecContext(ctx, string(t.Symbol), string(t.Currency), int64(t.Shares), int64(t.Product),
			int64(t.Side), int64(t.Price), now.UnixNano())
		if err != nil {
			return err
		}
		id, err := added.LastInsertId()
		if err != nil {
			return err
		}
		record := fmt.Sprintf(`{"id":%d,"symbol":%q,"currency_code":%q,"shares":%d,"product":%d,"side":%d,"price":%d,"traded_at":%q}`,
			id, t.Symbol, t.Currency, t.Shares, t.Product, t.Side, t.Price, now.UTC().Format(time.RFC3339Nano))
		_, _ = fmt.Fprintf(sum, "[%d,%d,%s]\n", id, now.UnixMicro(), record) // writing to a hash never fails
		p.seq++
		if _, err := p.entry.ExecContext(ctx, p.seq, now.UnixMicro(), id, record); err != nil {
			return err
		}
	}
	if _, err := p.link.ExecContext(ctx, p.seq, sum.Sum(nil)); err != nil {
		return err
	}
	_, err := p.db.ExecContext(ctx, "COMMIT")
	return err
}

// adding is a subject that adds batches of trades, and checks that they are stored. Its figure is in µs
// for each trade.
func (b *bench) adding(name, path string, add func(context.Context, []trading.Trade) error) subject {
	const trades = "SELECT count(*) FROM trades"
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		var before, after int64
		if err := queryOne(ctx, path, trades, &before); err != nil {
			return err
		}
		var took time.Duration
		added := int64(0)
		for took < b.duration()/10 || added < 3*batch {
			lot := lot()
			began := time.Now()
			if err := add(ctx, lot); err != nil {
				return err
			}
			took += time.Since(began)
			added += batch
		}
		if err := queryOne(ctx, path, trades, &after); err != nil {
			return err
		}
		if after != before+added {
			return fmt.Errorf("stored are %d trades after %d and %d more", after, before, added)
		}
		say(name, float64(took)/float64(time.Microsecond)/float64(added))
		return nil
	}}
}

func openPositions(ctx context.Context, b *bench) ([]subject, error) {
	whole, err := b.shelf.trades(ctx, b.scale.trades)
	if err != nil {
		return nil, err
	}
	small, err := b.shelf.trades(ctx, tenth(b.scale.trades))
	if err != nil {
		return nil, err
	}
	kept, err := b.copyOf(small)
	if err != nil {
		return nil, err
	}
	bare, err := b.copyOf(small)
	if err != nil {
		return nil, err
	}
	var books [3]*trading.Book
	for i, path := range []string{whole, small, kept} {
		if books[i], err = b.openBook(ctx, path); err != nil {
			return nil, err
		}
	}
	read, err := openDatabase(ctx, whole, "ro")
	if err != nil {
		return nil, err
	}
	b.later(func() { _ = read.Close() })
	without, err := openPlain(ctx, bare)
	if err != nil {
		return nil, err
	}
	b.later(func() { _ = without.db.Close() })
	if err := samePositions(ctx, books[0], read); err != nil {
		return nil, err
	}
	return []subject{
		b.repeated("list", func(ctx context.Context) (int, error) { return count(ctx, books[0]) }),
		b.repeated("group", func(ctx context.Context) (int, error) { return grouped(ctx, read) }),
		b.repeated("tenth", func(ctx context.Context) (int, error) { return count(ctx, books[1]) }),
		b.adding("with", kept, func(ctx context.Context, trades []trading.Trade) error {
			_, err := books[2].AddTrades(ctx, trades)
			return err
		}),
		b.adding("without", bare, without.add),
	}, nil
}

func samePositions(ctx context.Context, book *trading.Book, db *sql.DB) error {
	got, err := count(ctx, book)
	if err != nil {
		return err
	}
	want, err := grouped(ctx, db)
	if err == nil && (got != want || got == 0) {
		err = fmt.Errorf("the product has %d positions, SQL makes %d of its trades", got, want)
	}
	return err
}

func positions1m() workload {
	return workload{
		name: "positions-1m",
		open: openPositions,
		rows: []row{
			{workload: "positions of 1,000,000 trades", ours: "list", reference: "group", against: "GROUP BY", unit: "ms", goal: atMost(0.01)},
			{workload: "adding a trade, 1,000 at once", ours: "with", reference: "without", against: "without positions", unit: "us", goal: atMost(3)},
			{workload: "positions, 10 x the trades", ours: "list", reference: "tenth", against: "a tenth", unit: "ms"},
		},
	}
}

// backDated adds trades that come before other trades of their instrument: before all of them, and
// before the last hundred.
func backDated() workload {
	return workload{
		name: "back-dated",
		open: openBackDated,
		rows: []row{
			{workload: "back-dated trade behind 100,000", ours: "back-dated", unit: "ms", goal: atMost(50)},
			{workload: "late trade behind 100 of 100,000", ours: "late", unit: "ms", goal: atMost(5)},
		},
	}
}

func openBackDated(ctx context.Context, b *bench) ([]subject, error) {
	p, err := b.copyPortfolio(ctx, tenth(b.scale.trades))
	if err != nil {
		return nil, err
	}
	book, err := b.openBook(ctx, p.path)
	if err != nil {
		return nil, err
	}
	// Each has its own instrument, because after the first late trade the next ones are faster.
	early := trading.Trade{Instrument: trading.Instrument{Symbol: "DEEP", Currency: "EUR"}, Shares: 1, Side: trading.Buy, Price: priceOf(11)}
	late := early
	late.Symbol = "LATE"
	for _, one := range []trading.Trade{early, late} {
		if err := deepen(ctx, book, one.Instrument, b.scale.deep); err != nil {
			return nil, err
		}
		p.trades += int64(b.scale.deep)
	}
	early.Date, late.Date = deepSince, deepSince.Add(time.Duration(b.scale.deep-100)*time.Second)
	return []subject{
		b.foldingAnew("back-dated", book, p, func() trading.Trade {
			early.Date = early.Date.Add(-time.Second)
			return early
		}),
		b.foldingAnew("late", book, p, func() trading.Trade { return late }),
	}, nil
}

// deepSince is one second before the first trade of a long history.
var deepSince = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// deepen adds a history of that many trades to an instrument, one each second.
func deepen(ctx context.Context, book *trading.Book, of trading.Instrument, deep int) error {
	for added := 0; added < deep; {
		trades := make([]trading.Trade, min(batch, deep-added))
		for i := range trades {
			added++
			trades[i] = trading.Trade{
				Instrument: of, Shares: trading.Shares(1 + added%100), Side: trading.SideOf(added%3 > 0),
				Price: priceOf(int64(10 + added%7)), Date: deepSince.Add(time.Duration(added) * time.Second),
			}
		}
		if _, err := book.AddTrades(ctx, trades); err != nil {
			return err
		}
	}
	return nil
}

// foldingAnew is a subject that adds one trade after the other, and checks that they are stored. Its
// figure is in ms for each trade.
func (b *bench) foldingAnew(name string, book *trading.Book, p *portfolio, next func() trading.Trade) subject {
	add := b.repeated(name, func(ctx context.Context) (int, error) {
		p.trades++
		_, err := book.AddTrade(ctx, next())
		return 1, err
	})
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		return errors.Join(add.measure(ctx, say), p.check(ctx))
	}}
}
