package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/turns"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/batch"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/metrics"
)

// The limits of the writer: how many requests may wait, how many of them of one actor, and how many
// requests, how much time and how many positions to fold one commit may take.
const (
	mostWaiting  = 16 << 10 // more than the connections that are served by default
	mostOfOne    = 1024
	mostInGroup  = 512
	longestGroup = 20 * time.Millisecond
	mostFolded   = 16 // one takes a few milliseconds, with many trades a tenth of a second
)

// work is what one request does inside a transaction. It can run twice: when a request of a group
// fails, the transaction is rolled back, and all requests of the group are done again. So work changes
// nothing but the transaction that it is passed, and sets its results again each time.
//
// Its context belongs to the transaction, not to the caller: once its work has begun, a caller that
// leaves no longer affects whether it is stored.
type work func(ctx context.Context, q *tx) error

// tx is the transaction as one request sees it. work may use nothing else.
type tx struct {
	*gen.Queries
	conn    *sql.Conn    // for what goes below database/sql
	trades  *rows.Trades // of an instrument, to fold its position
	journal *chain.Writer
	numbers *numbers // gives ids where a table has no rowid
	origin  journal.Origin
	told    journal.Range // the entries of the request so far
	batch   *batch.Batch  // the batch that the entries are of, nil for none

	positions changedPositions
}

// tell journals the change of one record. Each change is told once. before is nil for a new record,
// after is nil for a removed one.
func (t *tx) tell(ctx context.Context, entity journal.Entity, id int64, before, after []byte) (err error) {
	e := journal.Entry{Origin: t.origin, Entity: entity, EntityID: id, Before: before, After: after, First: t.told.First}
	if e.Batch, err = t.ofBatch(ctx); err != nil {
		return err
	}
	if err := t.journal.Write(ctx, e); err != nil {
		return err
	}
	t.told.Last = t.journal.Last
	if t.told.First == 0 {
		t.told.First = t.told.Last
	}
	return nil
}

// since adds the newest entry of a record to a ChangedSince error.
func (t *tx) since(ctx context.Context, err error, entity journal.Entity, id int64) error {
	changed, ok := errors.AsType[*fault.Error](err)
	if !ok || changed.Kind != fault.ChangedSince {
		return err
	}
	newest, lost := t.journal.Newest(ctx, entity, id)
	if lost != nil {
		return lost
	}
	if newest != nil {
		changed.Since = &fault.Since{Seq: int64(newest.Seq), At: newest.At, Actor: newest.Actor}
	}
	return changed
}

// request is work that waits for its commit.
type request struct {
	ctx   context.Context // of the caller: tells whether it still waits, and its origin
	work  work
	alone bool          // it has a transaction for itself, in which it runs once
	told  journal.Range // what the work changed, if it is stored; or what it changed the first time
	done  chan error    // receives the one answer
}

// writer is the one goroutine that writes. It commits the requests together that arrive while it works
// (group commit): one fsync serves them all. No request is answered before the commit.
type writer struct {
	file     file.File
	lock     *file.Lock // of a server, else nil
	now      func() time.Time
	requests *turns.Queue[*request]
	stopped  chan struct{}
	log      *walKeeper
	monitor  *file.Monitor
	stored   atomic.Pointer[journal.Head] // the newest link that this process has read or written
	failing  failing
	metrics  *metrics.Writer
	held     *request // the next one, which runs alone

	// The connection; nil from a disk failure until it is opened again.
	conn *connection
}

func newRequests() *turns.Queue[*request] { return turns.New[*request](mostWaiting, mostOfOne) }

// newWriter opens the connection and starts the goroutine. With a lock, it gives the database the number of
// this start. Without one, a server has done so.
func newWriter(ctx context.Context, f file.File, lock *file.Lock, now func() time.Time) (*writer, error) {
	conn, err := connect(ctx, f)
	if err != nil {
		return nil, err
	}
	head, err := chain.Head(conn.queries.JournalHead(ctx))
	if err != nil {
		return nil, errors.Join(sqlerr.Classify(err), conn.close())
	}
	w := &writer{file: f, now: now, conn: conn, log: newWALKeeper(walPatience), requests: newRequests(), stopped: make(chan struct{})}
	w.stored.Store(&head)
	w.metrics = metrics.NewWriter(w.requests.Len)
	if lock != nil {
		err = w.renew(ctx, lock)
	}
	if lock.Serves() {
		w.lock, err = lock, nil // with a full disk it can still be read; the first write tries again
	}
	if err == nil {
		w.monitor, err = f.Monitor()
		err = sqlerr.Classify(err)
	}
	if err != nil {
		return nil, errors.Join(err, conn.close())
	}
	go w.run()
	return w, nil
}

// renew copies the log that a killed process left, gives the database the number of this start, and copies
// that too. The old log is cut: Litestream misreads the next one over it, if it had not read all of it.
func (w *writer) renew(ctx context.Context, lock *file.Lock) error {
	w.log.lock = lock
	w.log.count(checkpoint(w.conn, shortPause))
	if err := lock.Renew(ctx, w.conn.conn); err != nil {
		return err
	}
	w.log.count(checkpoint(w.conn, 0)) // what it does not copy now is copied later
	return nil
}

// write does the work in a transaction and returns when that is durable. Work that is part of another
// transaction runs in that one. Unavailable: too many requests wait, in all or of the same actor, or
// the writer is closed. If the caller's context ends before its turn, the work is not done; after that
// the context no longer matters.
func (w *writer) write(ctx context.Context, work work) error {
	return w.do(&request{ctx: ctx, work: work})
}

// writeAlone is write for work with many entries. It has a transaction for itself, in which it runs once, and one
// link of the chain over all its entries. It should have been checked before: a refusal rolls everything back,
// while all other writes wait.
func (w *writer) writeAlone(ctx context.Context, work work) error {
	return w.do(&request{ctx: ctx, work: work, alone: true})
}

func (w *writer) do(r *request) error {
	ctx := r.ctx
	if whole := wholeOf(ctx, w); whole != nil {
		return whole.do(ctx, r.work)
	}
	r.done = make(chan error, 1)
	client := journal.OriginOf(ctx).Actor
	if err := w.requests.Add(client, r); err != nil {
		w.metrics.TooMany()
		return err
	}
	defer w.requests.Answered(client)
	err := <-r.done
	// What leaves no entry, such as the use of a token, may run beside its request, and says nothing.
	if r.told != (journal.Range{}) && (err == nil || sqlerr.IsAnswered(err)) {
		journal.SetWritten(ctx, r.told)
	}
	return err
}

// drain does the waiting requests and ends the goroutine. The connection stays open.
func (w *writer) drain() {
	w.requests.Close()
	<-w.stopped
}

// close closes the connection. SQLite copies the write-ahead log into the database when the last
// connection closes, except if that would do damage.
func (w *writer) close() (err error) {
	if err = w.monitor.MayCopyLog(); err != nil {
		err = errors.Join(err, w.conn.keepLog())
	}
	return errors.Join(err, w.conn.close())
}

func (w *writer) run() {
	defer close(w.stopped)
	defer w.log.gate.open()
	for {
		select {
		case _, open := <-w.requests.Arrived():
			r, waits := w.requests.Take()
			for ; r != nil; r, w.held = w.held, nil {
				w.group(r)
			}
			if !waits && !open {
				return
			}
		case <-w.log.gate.last:
			w.log.drained(w.conn, w.monitor)
		}
	}
}

// group runs the first request and those that arrive meanwhile in one transaction, and answers all of
// them.
func (w *writer) group(first *request) {
	began := time.Now()
	b, err := w.begin()
	if err != nil {
		w.failing.again(w.now())
		w.metrics.Failed(1)
		w.refuseWaiting(err)
		first.done <- err // answered last, because an answered caller may already have returned
		return
	}
	started, taken := w.now(), 0
	for r := first; r != nil; r = w.next() {
		b.run(r)
		taken++ // counts requests whose callers have left too
		if r.alone || b.lost != nil || taken == mostInGroup || b.settled.stale >= mostFolded || w.now().Sub(started) > longestGroup {
			break
		}
	}
	err = b.finish()
	w.metrics.Transaction(taken, time.Since(began), b.commit)
	if err != nil {
		w.failing.again(w.now())
		w.metrics.Failed(len(b.ran))
	} else if b.journal.Known {
		w.stored.Store(&journal.Head{Seq: b.journal.Last, Hash: b.journal.Head})
	}
	if err == nil && b.journal.Sealed { // a transaction that changed nothing proves nothing
		w.failing.over()
	}
	b.answer(err)
	if sqlerr.Distrusts(err) || b.lost != nil && !sqlerr.EndsTransaction(b.lost) {
		w.drop()
		return
	}
	w.log.keep(w.conn, w.monitor)
}

// begin opens a transaction. It opens the connection first if there is none.
func (w *writer) begin() (*group, error) {
	if err := w.monitor.Named(); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "the database is unreachable; nothing was stored")
	}
	if w.conn == nil {
		conn, err := connect(context.Background(), w.file)
		if err != nil {
			return nil, err
		}
		w.conn = conn
	}
	if w.lock != nil && !w.lock.Renewed() {
		if err := w.renew(context.Background(), w.lock); err != nil {
			if sqlerr.Distrusts(err) {
				w.drop()
			}
			return nil, err
		}
	}
	b := &group{conn: w.conn, now: w.now}
	if err := sqlerr.Classify(b.begin()); err != nil {
		if sqlerr.Distrusts(err) {
			w.drop()
		}
		return nil, err
	}
	return b, nil
}

// drop closes a connection whose disk failed, because its state of the file may be wrong. The next
// group opens a new one and checks it.
func (w *writer) drop() {
	_ = w.conn.close() // its requests have the error
	w.conn = nil
}

// next returns a waiting request for the same group. If there is none it lets other goroutines run for a moment,
// and then returns nil. A request that runs alone is held back until the group is done.
func (w *writer) next() *request {
	for range 2 {
		if r, waits := w.requests.Take(); waits && r.alone {
			w.held = r
			return nil
		} else if waits {
			return r
		}
		runtime.Gosched()
	}
	return nil
}

// refuseWaiting refuses the requests that wait now. Otherwise, behind a lock that did not open within
// busy_timeout, each would wait that long again.
func (w *writer) refuseWaiting(err error) {
	for range w.requests.Len() {
		if r, waits := w.requests.Take(); waits {
			w.metrics.Failed(1)
			r.done <- err
		}
	}
}
