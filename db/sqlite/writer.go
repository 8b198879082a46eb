package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"sync"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
)

// The bounds of the writer: how many requests may wait, and how many requests and
// how much time one commit may gather.
const (
	mostWaiting  = 1024
	mostInBatch  = 512
	longestBatch = 20 * time.Millisecond
)

// work is what one request does inside a transaction.
type work func(ctx context.Context, q *gen.Queries) error

// request is work that waits for its commit.
type request struct {
	ctx  context.Context // only whether the caller still waits
	work work
	done chan error // takes the one answer
}

// writer is the one goroutine that writes. It takes requests as they come, runs each
// in a SAVEPOINT of its own, and commits together those that came while it worked: one
// fsync for all, and nobody is answered before the commit.
type writer struct {
	conn     *sql.Conn
	queries  *gen.Queries // prepared on conn
	requests chan *request
	stopped  chan struct{}

	mu     sync.RWMutex // held to send, so that nothing is sent after the end
	closed bool
}

// newWriter starts the goroutine; the pool must have one connection.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, classify(err)
	}
	queries, err := gen.Prepare(ctx, conn)
	if err != nil {
		_ = conn.Close() // the reason to give up is the one to report
		return nil, classify(err)
	}
	w := &writer{conn: conn, queries: queries, requests: make(chan *request, mostWaiting), stopped: make(chan struct{})}
	go w.run()
	return w, nil
}

// write does the work in a transaction and returns when that is durable.
// Unavailable: too many requests wait, or the writer is closed. A caller that gives
// up before its turn comes is not written; later it no longer decides.
func (w *writer) write(ctx context.Context, work work) error {
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

// close answers what waits and ends the goroutine.
func (w *writer) close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.requests)
	}
	w.mu.Unlock()
	<-w.stopped
	_ = w.queries.Close() // the statements go with their connection
	return w.conn.Close()
}

func (w *writer) run() {
	defer close(w.stopped)
	for r := range w.requests {
		w.batch(r)
	}
}

// batch runs the first request and those that come meanwhile in one transaction, and
// answers all of them.
func (w *writer) batch(first *request) {
	b := batch{conn: w.conn, queries: w.queries}
	if err := b.exec("BEGIN IMMEDIATE"); err != nil {
		first.done <- classify(err)
		w.refuseWaiting(classify(err))
		return
	}
	started := time.Now()
	for r := first; r != nil; r = w.next() {
		b.run(r)
		if b.lost != nil || len(b.ran) >= mostInBatch || time.Since(started) > longestBatch {
			break
		}
	}
	b.finish()
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
	conn    *sql.Conn
	queries *gen.Queries
	ran     []outcome
	lost    error // why SQLite took the whole transaction back
}

type outcome struct {
	request *request
	err     error // nil = stored, if the commit succeeds
}

// run does a request's work in its own savepoint, so that a bad one rolls back alone.
func (b *batch) run(r *request) {
	if err := r.ctx.Err(); err != nil {
		r.done <- classify(err)
		return
	}
	err := b.exec("SAVEPOINT request")
	if err != nil {
		b.lost = err
	} else if err = b.attempt(r.work); err != nil && b.exec("ROLLBACK TO request") != nil {
		// SQLite has rolled everything back by itself (full disk, I/O error); going on
		// would write outside of a transaction.
		b.lost = err
	}
	if b.lost == nil {
		b.lost = b.exec("RELEASE request")
	}
	b.ran = append(b.ran, outcome{r, classify(err)})
}

// attempt does the work; a panic in it is its own error, not the end of the writer.
func (b *batch) attempt(work work) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("panic: %v", p), "the change failed")
		}
	}()
	return work(context.Background(), b.queries)
}

// finish commits and answers everybody, the refused ones too: what they were refused
// for may be a record of the same transaction.
func (b *batch) finish() {
	err := classify(b.lost)
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
}

func (b *batch) exec(statement string) error {
	_, err := b.conn.ExecContext(context.Background(), statement)
	return err
}
