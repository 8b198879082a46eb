package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// group is one transaction and the requests that ran in it.
type group struct {
	conn    *connection
	now     func() time.Time
	journal chain.Writer
	numbers numbers
	settled settled
	careful bool // each request runs in a SAVEPOINT
	ran     []outcome
	refused bool          // the work of a request that runs alone failed, and the transaction is rolled back
	commit  time.Duration // how long the commit took, 0 if there was none
	lost    error         // why the transaction is gone: an error of the driver, not of a request
}

type outcome struct {
	request *request
	err     error // nil = stored, if the commit succeeds
}

// begin opens the transaction. It takes the time after other processes have ended their transactions,
// so that the times in the journal never go backwards.
func (b *group) begin() error {
	if err := b.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	b.journal = chain.NewWriter(b.conn.queries, b.conn.entries, b.now())
	b.numbers = numbers{}
	b.settled.positions, b.settled.stale = records.Positions{}, 0
	return nil
}

// run does the work of a request. Few requests fail after their fields were found valid, so no request
// has a savepoint until one fails. Then the group rolls back and does all requests again, each with a
// savepoint, so that only the bad request is rolled back.
func (b *group) run(r *request) {
	if err := r.ctx.Err(); err != nil {
		r.done <- sqlerr.Classify(err)
		return
	}
	if b.careful {
		b.runCarefully(r)
		return
	}
	if r.alone {
		b.runAlone(r)
		return
	}
	switch err := b.attempt(r); {
	case err == nil || sqlerr.IsAnswered(err):
		b.ran = append(b.ran, outcome{r, err})
	case sqlerr.IsDiskFailure(err) || sqlerr.IsReadOnly(err):
		b.lost = err
		b.ran = append(b.ran, outcome{r, err})
	default:
		b.ran = append(b.ran, outcome{request: r})
		b.again()
	}
}

// runAlone does the work of a request that has the transaction for itself. If it fails, all is rolled back: a
// savepoint would make SQLite keep a copy of every page that the work changes.
func (b *group) runAlone(r *request) {
	b.journal = b.journal.WithOneLink(b.conn.conn)
	err := b.attempt(r)
	if sqlerr.EndsTransaction(err) {
		b.lost = err
	} else if err != nil {
		b.refused, b.journal = true, chain.Writer{}
		b.lost = b.exec("ROLLBACK")
	}
	b.ran = append(b.ran, outcome{r, sqlerr.Classify(err)})
}

// again rolls the transaction back and does its requests again, each with a savepoint.
func (b *group) again() {
	again := slices.Clone(b.ran)
	b.ran, b.careful, b.settled.since = b.ran[:0], true, b.now()
	if err := b.exec("ROLLBACK"); err != nil {
		b.lost = err
	} else if err := b.begin(); err != nil {
		b.lost = err
	}
	for _, o := range again {
		if b.lost != nil {
			b.ran = append(b.ran, o)
			continue
		}
		b.runCarefully(o.request)
	}
}

// runCarefully does a request's work in its own savepoint.
func (b *group) runCarefully(r *request) {
	written, given := b.journal, b.numbers
	err := b.exec("SAVEPOINT request")
	if err != nil {
		b.lost = err
	} else if err = b.attempt(r); err != nil {
		b.journal, b.numbers = written, given
		// If this fails, SQLite has rolled back everything by itself. More statements would run outside
		// of a transaction.
		if b.lost = b.exec("ROLLBACK TO request"); b.lost != nil && sqlerr.EndsTransaction(err) || sqlerr.IsReadOnly(err) {
			b.lost = err // the cause
		}
	}
	if b.lost == nil {
		b.lost = b.exec("RELEASE request")
	}
	b.ran = append(b.ran, outcome{r, sqlerr.Classify(err)})
}

// attempt does the work. A panic in it becomes an error of the request and does not end the writer.
func (b *group) attempt(r *request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Panicked(p)
		}
	}()
	ctx, q := context.Background(), b.tx(journal.OriginOf(r.ctx))
	err = r.work(ctx, q)
	r.told = q.told
	if err != nil {
		return err
	}
	return b.settle(ctx, q)
}

// tx returns the transaction for a request of an origin.
func (b *group) tx(origin journal.Origin) *tx {
	return &tx{
		Queries: b.conn.queries, conn: b.conn.conn, trades: b.conn.trades, journal: &b.journal, numbers: &b.numbers, origin: origin,
		positions: changedPositions{before: b.settled.positions},
	}
}

// finish commits. It returns why it did not.
func (b *group) finish() error {
	if b.refused && b.lost == nil {
		return nil
	}
	b.putPositions()
	err := sqlerr.Classify(b.lost)
	if err != nil && !sqlerr.EndsTransaction(b.lost) {
		err = fault.Wrap(fault.Unavailable, b.lost, "the transaction broke off; nothing was stored")
	}
	if err == nil {
		err = sqlerr.Classify(b.numbers.put(context.Background(), b.conn.queries))
	}
	if err == nil {
		err = sqlerr.Classify(b.journal.Seal(context.Background()))
	}
	if err == nil {
		began := time.Now()
		err = sqlerr.ClassifyCommit(b.exec("COMMIT"))
		b.commit = time.Since(began)
	}
	if err != nil {
		_ = b.exec("ROLLBACK") // there may be nothing left to roll back
	}
	return err
}

// answer answers all requests, also the refused ones: the record that caused the refusal may be of the
// same transaction. failed is why that did not commit.
func (b *group) answer(failed error) {
	for _, o := range b.ran {
		o.request.done <- cmp.Or(failed, o.err)
	}
}

func (b *group) exec(statement string) error { return b.conn.exec(statement) }
