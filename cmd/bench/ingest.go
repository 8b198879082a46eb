package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// actual is a record that is posted again and again.
type actual struct {
	department, account, period int64
	currency                    string
	amount                      int64 // the last acknowledged one, in units of 0.0001
}

// ledger is a copy of the year's books for writing, with its expected content.
type ledger struct {
	path      string
	journals  bool // its writer keeps the journal
	actuals   []actual
	journaled int64 // the expected number of journal entries
}

// copyLedger makes a ledger for one workload.
func (b *bench) copyLedger(ctx context.Context, journals bool) (*ledger, error) {
	from, err := b.shelf.ledger(ctx, b.scale.departments, b.scale.accounts)
	if err != nil {
		return nil, err
	}
	l := &ledger{journals: journals}
	if l.path, err = b.copyOf(from); err != nil {
		return nil, err
	}
	db, err := openDatabase(ctx, l.path, "ro")
	if err != nil {
		return nil, err
	}
	return l, errors.Join(l.read(ctx, db), db.Close())
}

func (l *ledger) read(ctx context.Context, db *sql.DB) error {
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM journal").Scan(&l.journaled); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, `
		SELECT department_id, gl_account_id, fiscal_period, currency, amount FROM actuals
		WHERE fiscal_year = ? ORDER BY fiscal_period, department_id, gl_account_id`, year)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var a actual
		if err := rows.Scan(&a.department, &a.account, &a.period, &a.currency, &a.amount); err != nil {
			return err
		}
		l.actuals = append(l.actuals, a)
	}
	return rows.Err()
}

// mostPosts is how many requests are prepared for one feed.
const mostPosts = 64 << 10

// feed returns a feed that posts the ledger's actuals. An ordered feed posts them in the order of their
// keys, another in random order.
func (l *ledger) feed(callers int, ordered bool) *feed {
	order := make([]int, len(l.actuals))
	for i := range order {
		order[i] = i
	}
	if !ordered {
		r := rand.New(rand.NewPCG(2026, 6))
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	f := &feed{callers: make([][]post, callers), answered: func(record int, amount int64) { l.actuals[record].amount = amount * 100 }}
	for i, record := range order[:min(len(order), mostPosts)] {
		a := &l.actuals[record]
		body := fmt.Sprintf(`{"department_id":%d,"gl_account_id":%d,"fiscal_year":%d,"fiscal_period":%d,"amount":%s,"currency":%q,"source":"bench"}`,
			a.department, a.account, year, a.period, placeholder, a.currency)
		f.callers[i%callers] = append(f.callers[i%callers], newPost("/api/v1/actuals/ingest", body, record))
	}
	return f
}

// check compares the stored state with the acknowledged posts: the number and the sum of the actuals,
// and one journal entry for each post.
func (l *ledger) check(ctx context.Context, posts int64) error {
	db, err := openDatabase(ctx, l.path, "ro")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	var n, sum, journaled, want int64
	err = db.QueryRowContext(ctx, "SELECT count(*), sum(amount), (SELECT max(seq) FROM journal) FROM actuals").Scan(&n, &sum, &journaled)
	if err != nil {
		return err
	}
	for i := range l.actuals {
		want += l.actuals[i].amount
	}
	if l.journals {
		l.journaled += posts
	}
	if n != int64(len(l.actuals)) || sum != want || journaled != l.journaled {
		return fmt.Errorf("stored are %d actuals of %d and %d entries in the journal, acknowledged were %d of %d and %d",
			n, sum, journaled, len(l.actuals), want, l.journaled)
	}
	return nil
}

// ingesting is a subject that feeds a server, and checks the ledger behind it if there is one. Its
// figures are the rate, and with " latency" the median in µs.
func (b *bench) ingesting(name string, p *process, l *ledger, f *feed) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		before := f.serial.Load()
		done, err := f.run(ctx, p.addr, b.duration())
		if err != nil {
			return errors.Join(err, said(p))
		}
		say(name, done.rate)
		say(name+" latency", float64(done.latency)/float64(time.Microsecond))
		if l == nil {
			return nil
		}
		return l.check(ctx, f.serial.Load()-before)
	}}
}

// said returns the standard error of a process as an error, nil if it is empty.
func said(p *process) error {
	if complaint := p.stderr.String(); complaint != "" {
		return errors.New(complaint)
	}
	return nil
}

// writing starts the program on its own copy of the ledger.
func (b *bench) writing(ctx context.Context) (*process, *ledger, error) {
	l, err := b.copyLedger(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	p, err := b.serve(ctx, l.path)
	return p, l, err
}

// singly starts a reference on its own copy of the ledger. The reference makes one transaction for each
// request.
func (b *bench) singly(ctx context.Context, reference string) (*process, *ledger, error) {
	l, err := b.copyLedger(ctx, reference == singleReference)
	if err != nil {
		return nil, nil, err
	}
	p, err := b.reference(ctx, reference, l.path)
	return p, l, err
}

// echoed changes a feed of a ledger for a server that stores nothing: its amounts are not recorded.
func echoed(f *feed) *feed {
	f.answered = nil
	return f
}

func ingest64() workload {
	return workload{
		name: "ingest-64",
		open: openIngest64,
		rows: []row{
			{workload: "ingest-64, random keys", ours: "random", reference: "echo", against: "echo", unit: "posts/s", goal: atLeast(0.40)},
			{workload: "ingest-64, ordered keys", ours: "ordered", reference: "echo", against: "echo", unit: "posts/s", goal: atLeast(0.40)},
			{workload: "ingest-64, random keys", ours: "random", reference: "single", against: "one transaction each", unit: "posts/s", goal: atLeast(5)},
			{workload: "ingest-64, random keys", ours: "random", reference: "bare", against: "the same, no journal", unit: "posts/s"},
			{workload: "echo, 64 callers", ours: "echo", reference: "constant", against: "constant answer", unit: "posts/s", goal: atLeast(0.8)},
		},
	}
}

func openIngest64(ctx context.Context, b *bench) ([]subject, error) {
	ours, l, err := b.writing(ctx)
	if err != nil {
		return nil, err
	}
	one, alone, err := b.singly(ctx, singleReference)
	if err != nil {
		return nil, err
	}
	bare, untold, err := b.singly(ctx, bareReference)
	if err != nil {
		return nil, err
	}
	echo, err := b.reference(ctx, echoReference)
	if err != nil {
		return nil, err
	}
	same, err := b.reference(ctx, constantReference)
	if err != nil {
		return nil, err
	}
	blind := echoed(l.feed(64, false))
	blind.blind = true
	return []subject{
		b.ingesting("random", ours, l, l.feed(64, false)),
		b.ingesting("echo", echo, nil, echoed(l.feed(64, false))),
		b.ingesting("ordered", ours, l, l.feed(64, true)),
		b.ingesting("single", one, alone, alone.feed(64, false)),
		b.ingesting("bare", bare, untold, untold.feed(64, false)),
		b.ingesting("constant", same, nil, blind),
	}, nil
}

func ingest256() workload {
	return workload{
		name: "ingest-256",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			ours, l, err := b.writing(ctx)
			if err != nil {
				return nil, err
			}
			echo, err := b.reference(ctx, echoReference)
			if err != nil {
				return nil, err
			}
			return []subject{
				b.ingesting("ours", ours, l, l.feed(256, false)),
				b.ingesting("echo", echo, nil, echoed(l.feed(256, false))),
			}, nil
		},
		rows: []row{{workload: "ingest-256, random keys", ours: "ours", reference: "echo", against: "echo", unit: "posts/s", goal: atLeast(0.55)}},
	}
}

func ingest1() workload {
	return workload{
		name: "ingest-1",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			ours, l, err := b.writing(ctx)
			if err != nil {
				return nil, err
			}
			one, alone, err := b.singly(ctx, singleReference)
			if err != nil {
				return nil, err
			}
			bare, untold, err := b.singly(ctx, bareReference)
			if err != nil {
				return nil, err
			}
			return []subject{
				b.ingesting("ours", ours, l, l.feed(1, false)),
				b.ingesting("single", one, alone, alone.feed(1, false)),
				b.ingesting("bare", bare, untold, untold.feed(1, false)),
			}, nil
		},
		rows: []row{
			{workload: "ingest-1, median latency", ours: "ours latency", reference: "single latency", against: "one transaction each", unit: "us", goal: atMost(1.25)},
			{workload: "ingest-1, median latency", ours: "ours latency", reference: "bare latency", against: "the same, no journal", unit: "us"},
		},
	}
}
