package sqlite

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// The bounds of the writer: how many requests may wait, and how many requests and
// how much time one commit may gather.
const (
	mostWaiting  = 1024
	mostInBatch  = 512
	longestBatch = 20 * time.Millisecond
)

// work is what one request does inside a transaction.
type work func(ctx context.Context, q *tx) error

// tx is the transaction as one request sees it: its queries, and the journal that
// every change is to be told.
type tx struct {
	*gen.Queries
	history *history
	feed    *feed
	scribe  *scribe
	numbers *numbers
	origin  journal.Origin

	positions changedPositions
}

// tell journals the change of one record; nil stands for a record that was not there
// before, or is not any more. Unavailable: a new record would have an id below 1, which
// only a counter that was changed behind the program's back gives.
func (t *tx) tell(ctx context.Context, entity journal.Entity, id int64, before, after []byte) error {
	if before == nil && id < 1 {
		return fault.New(fault.Unavailable, "a new record of %s would have the id %d, and ids count from 1: the counter was changed behind the program's back; nothing was stored; app verify tells more", entity, id)
	}
	return t.scribe.write(ctx, journal.Entry{Origin: t.origin, Entity: entity, EntityID: id, Before: before, After: after})
}

// request is work that waits for its commit.
type request struct {
	ctx  context.Context // whether the caller still waits, and who it is
	work work
	done chan error // takes the one answer
}

// writer is the one goroutine that writes. It takes requests as they come, and commits
// together those that came while it worked: one fsync for all, and nobody is answered
// before the commit.
type writer struct {
	file     file
	now      func() time.Time
	requests chan *request
	stopped  chan struct{}
	log      *walKeeper
	witness  *witness
	failing  failing

	// The connection; nil after the disk failed, until one is open again.
	conn *connection

	mu     sync.RWMutex // held to send, so that nothing is sent after the end
	closed bool
}

// newWriter opens the connection and starts the goroutine.
func newWriter(ctx context.Context, f file, now func() time.Time) (*writer, error) {
	conn, err := f.connect(ctx)
	if err != nil {
		return nil, err
	}
	head, err := headOf(conn.queries.JournalHead(ctx))
	if err != nil {
		return nil, errors.Join(classify(err), conn.close())
	}
	witness, err := f.witness(head)
	if err != nil {
		return nil, errors.Join(classify(err), conn.close())
	}
	w := &writer{
		witness: witness,
		file:    f, now: now, conn: conn, log: newWALKeeper(walPatience),
		requests: make(chan *request, mostWaiting), stopped: make(chan struct{}),
	}
	go w.run()
	return w, nil
}

// write does the work in a transaction and returns when that is durable; work that is a
// part of another's is done in the transaction of that.
// Unavailable: too many requests wait, or the writer is closed. A caller that gives
// up before its turn comes is not written; later it no longer decides.
func (w *writer) write(ctx context.Context, work work) error {
	if whole := wholeOf(ctx, w); whole != nil {
		return whole.do(ctx, work)
	}
	r := &request{ctx: ctx, work: work, done: make(chan error, 1)}
	if err := w.send(r); err != nil {
		return err
	}
	return <-r.done
}

func (w *writer) send(r *request) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return fault.New(fault.Unavailable, "the server is shutting down; nothing was stored")
	}
	select {
	case w.requests <- r:
		return nil
	default:
		return fault.New(fault.Unavailable, "%d writes are waiting already; try again", mostWaiting)
	}
}

// drain answers what waits and ends the goroutine; the connection stays open.
func (w *writer) drain() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.requests)
	}
	w.mu.Unlock()
	<-w.stopped
}

func (w *writer) run() {
	defer close(w.stopped)
	defer w.log.gate.open()
	for {
		select {
		case r, more := <-w.requests:
			if !more {
				return
			}
			w.batch(r)
		case <-w.log.gate.last:
			w.log.drained(w.conn, w.witness)
		}
	}
}

// batch runs the first request and those that come meanwhile in one transaction, and
// answers all of them.
func (w *writer) batch(first *request) {
	b, err := w.begin()
	if err != nil {
		w.failing.again(w.now())
		w.refuseWaiting(err)
		first.done <- err // the last, since who was answered may be back by now
		return
	}
	started, taken := w.now(), 0
	for r := first; r != nil; r = w.next() {
		b.run(r)
		taken++ // those whose callers have gone too
		if b.lost != nil || taken == mostInBatch || w.now().Sub(started) > longestBatch {
			break
		}
	}
	if err = b.finish(); err != nil {
		w.failing.again(w.now())
	} else if b.scribe.known {
		w.witness.stored.Store(&journal.Head{Seq: b.scribe.last, Hash: b.scribe.head})
	}
	if err == nil && b.scribe.sealed { // a transaction that changed nothing proves nothing
		w.failing.over()
	}
	if distrusts(err) || b.lost != nil && !endsTransaction(b.lost) {
		w.drop()
		return
	}
	w.log.keep(w.conn, w.witness)
}

// begin opens a transaction, and before it the connection where there is none.
func (w *writer) begin() (*batch, error) {
	if err := w.witness.unwritten(); err != nil {
		if errors.Is(err, errLogRemoved) {
			_, unsaved := w.save()
			err = cmp.Or(unsaved, err)
		}
		return nil, fault.Wrap(fault.Unavailable, err, "the database is unreachable; nothing was stored")
	}
	if w.conn == nil {
		conn, err := w.file.connect(context.Background())
		if err != nil {
			return nil, err
		}
		w.conn = conn
	}
	b := &batch{conn: w.conn, now: w.now}
	if err := classify(b.begin()); err != nil {
		if distrusts(err) {
			w.drop()
		}
		return nil, err
	}
	return b, nil
}

// drop gives up a connection whose disk failed: what it believes of the file may not
// be so. The next batch opens and checks a new one.
func (w *writer) drop() {
	_ = w.conn.close() // it failed before; why, its requests were told
	w.conn = nil
}

// next returns a request that waits, nil when none does even after the others had a
// moment to come.
func (w *writer) next() *request {
	for range 2 {
		select {
		case r := <-w.requests:
			return r // nil once the channel is closed and empty
		default:
			runtime.Gosched()
		}
	}
	return nil
}

// refuseWaiting answers those that wait now: behind a lock that did not open in
// busy_timeout, each would wait that long again.
func (w *writer) refuseWaiting(err error) {
	for range len(w.requests) {
		if r := <-w.requests; r != nil {
			r.done <- err
		}
	}
}

// batch is one transaction and the requests that ran in it.
type batch struct {
	conn    *connection
	now     func() time.Time
	scribe  scribe
	numbers numbers
	settled settled
	careful bool // each request runs in a SAVEPOINT
	ran     []outcome
	lost    error // why the transaction is gone: an error of the driver, never a request's own
}

type outcome struct {
	request *request
	err     error // nil = stored, if the commit succeeds
}

// begin opens the transaction. Its time is taken when other processes have ended
// theirs, so that the journal's times do not run backwards.
func (b *batch) begin() error {
	if err := b.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	b.scribe = scribe{queries: b.conn.queries, many: b.conn.entries, at: b.now().UTC().Truncate(time.Microsecond)}
	b.numbers = numbers{}
	b.settled.positions = positions{}
	return nil
}

// run does a request's work. Few requests fail once their fields were found good, so
// that none has a savepoint until one does: then the transaction is taken back, and
// all of it is done again with a savepoint for each, so that a bad one rolls back alone.
func (b *batch) run(r *request) {
	if err := r.ctx.Err(); err != nil {
		r.done <- classify(err)
		return
	}
	if b.careful {
		b.runCarefully(r)
		return
	}
	switch err := b.attempt(r); {
	case err == nil || isAnswered(err):
		b.ran = append(b.ran, outcome{r, err})
	case isDiskFailure(err) || isReadOnly(err):
		b.lost = err
		b.ran = append(b.ran, outcome{r, err})
	default:
		b.ran = append(b.ran, outcome{request: r})
		b.again()
	}
}

// again takes the transaction back and does what ran in it, with a savepoint for each.
func (b *batch) again() {
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
func (b *batch) runCarefully(r *request) {
	scribe, numbers := b.scribe, b.numbers
	err := b.exec("SAVEPOINT request")
	if err != nil {
		b.lost = err
	} else if err = b.attempt(r); err != nil {
		b.scribe, b.numbers = scribe, numbers
		// Where this fails, SQLite has rolled everything back by itself; going on would
		// write outside of a transaction.
		if b.lost = b.exec("ROLLBACK TO request"); b.lost != nil && endsTransaction(err) || isReadOnly(err) {
			b.lost = err // the cause
		}
	}
	if b.lost == nil {
		b.lost = b.exec("RELEASE request")
	}
	b.ran = append(b.ran, outcome{r, classify(err)})
}

// attempt does the work; a panic in it is its own error, not the end of the writer.
func (b *batch) attempt(r *request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	ctx, q := context.Background(), b.tx(journal.OriginOf(r.ctx))
	if err := r.work(ctx, q); err != nil {
		return err
	}
	return b.settle(ctx, q)
}

// tx is the transaction for a request of an origin.
func (b *batch) tx(origin journal.Origin) *tx {
	return &tx{
		Queries: b.conn.queries, history: b.conn.history, feed: b.conn.feed, scribe: &b.scribe, numbers: &b.numbers, origin: origin,
		positions: changedPositions{before: b.settled.positions},
	}
}

// finish commits and answers everybody, the refused ones too: what they were refused
// for may be a record of the same transaction. It returns why it did not commit.
func (b *batch) finish() error {
	b.putPositions()
	err := classify(b.lost)
	if err != nil && !endsTransaction(b.lost) {
		err = fault.Wrap(fault.Unavailable, b.lost, "the transaction broke off; nothing was stored")
	}
	if err == nil {
		err = classify(b.numbers.put(context.Background(), b.conn.queries))
	}
	if err == nil {
		err = classify(b.scribe.seal(context.Background()))
	}
	if err == nil {
		err = classifyCommit(b.exec("COMMIT"))
	}
	if err != nil {
		_ = b.exec("ROLLBACK") // there may be nothing left to roll back
	}
	for _, o := range b.ran {
		if err != nil {
			o.err = err
		}
		o.request.done <- o.err
	}
	return err
}

func (b *batch) exec(statement string) error { return b.conn.exec(statement) }
