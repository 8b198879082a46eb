package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// symbols is the number of instruments in trade-64.
const symbols = 500

// portfolio is a copy of a portfolio for writing, and the expected number of trades.
type portfolio struct {
	path   string
	trades int64
}

func (b *bench) copyPortfolio(ctx context.Context, trades int) (*portfolio, error) {
	from, err := b.shelf.trades(ctx, trades)
	if err != nil {
		return nil, err
	}
	path, err := b.copyOf(from)
	return &portfolio{path: path, trades: int64(trades)}, err
}

// tradeFeed returns a feed that posts trades without a date. In a shared feed each caller posts to all
// symbols; otherwise each caller has symbols of its own.
func tradeFeed(callers int, shared bool) *feed {
	f := &feed{callers: make([][]post, callers)}
	for i := range f.callers {
		for n := range symbols {
			symbol := (n*callers + i) % symbols
			if shared {
				symbol = (n*7 + i*31) % symbols
			} else if n >= max(1, symbols/callers) {
				break
			}
			body := fmt.Sprintf(`{"symbol":"B%03d","currency_code":"EUR","shares":100,"product":0,"type":true,"price":%s}`, symbol, placeholder)
			f.callers[i] = append(f.callers[i], newPost("/trade/add", body, 0))
		}
	}
	return f
}

// check compares the stored state with the acknowledged posts: the number of trades, and positions that
// match them.
func (p *portfolio) check(ctx context.Context) error {
	db, err := openDatabase(ctx, p.path, "ro")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	var n, traded, held, journaled int64
	err = db.QueryRowContext(ctx, `
		SELECT count(*), sum(side * shares), (SELECT sum(quantity) FROM positions),
		       (SELECT count(*) FROM journal WHERE entity = 'trades' AND before IS NULL) FROM trades`).Scan(&n, &traded, &held, &journaled)
	if err != nil {
		return err
	}
	if n != p.trades || traded != held || journaled != n {
		return fmt.Errorf("stored are %d trades that add up to %d, positions of %d and %d entries in the journal, acknowledged were %d trades",
			n, traded, held, journaled, p.trades)
	}
	return nil
}

func (b *bench) tradingOn(name string, server *process, p *portfolio, f *feed) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		before := f.serial.Load()
		done, err := f.run(ctx, server.addr, b.duration())
		if err != nil {
			return errors.Join(err, said(server))
		}
		say(name, done.rate)
		p.trades += f.serial.Load() - before
		return p.check(ctx)
	}}
}

func trade64() workload {
	return workload{
		name: "trade-64",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			ingesting, l, err := b.writing(ctx)
			if err != nil {
				return nil, err
			}
			subjects := []subject{b.ingesting("ingest", ingesting, l, l.feed(64, false))}
			for _, name := range []string{"shared", "own"} {
				p, err := b.copyPortfolio(ctx, tenth(b.scale.trades))
				if err != nil {
					return nil, err
				}
				server, err := b.serve(ctx, p.path)
				if err != nil {
					return nil, err
				}
				subjects = append(subjects, b.tradingOn(name, server, p, tradeFeed(64, name == "shared")))
			}
			return subjects, nil
		},
		rows: []row{
			{workload: "trade-64, 500 symbols", ours: "shared", reference: "ingest", against: "ingest-64", unit: "posts/s", goal: atLeast(0.7)},
			{workload: "trade-64, no symbol in two feeds", ours: "own", reference: "ingest", against: "ingest-64", unit: "posts/s"},
		},
	}
}

// queryOne reads one row.
func queryOne(ctx context.Context, path, query string, into ...any) error {
	db, err := openDatabase(ctx, path, "ro")
	if err != nil {
		return err
	}
	return errors.Join(scanOne(ctx, db, query, into...), db.Close())
}

func scanOne(ctx context.Context, db *sql.DB, query string, into ...any) error {
	return db.QueryRowContext(ctx, query).Scan(into...)
}
