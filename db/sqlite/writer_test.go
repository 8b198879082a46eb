package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// migrated returns the content of an empty database. It is made once for all tests, because that takes
// most of the time of opening a new file.
var migrated = sync.OnceValues(func() (content []byte, err error) {
	dir, err := os.MkdirTemp("", "daybook-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "app.db")
	if _, err := Migrate(context.Background(), path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// newFile returns the path of an empty database.
func newFile(t testing.TB) string {
	t.Helper()
	content, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	return sqlitetest.FileOf(t, content)
}

// openStore returns a store on a new file. Its clock stands still, so that no group becomes too old.
func openStore(t testing.TB) *Store {
	t.Helper()
	return openStoreAt(t, today)
}

// openStoreAt is openStore with another clock.
func openStoreAt(t testing.TB, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(t.Context(), newFile(t), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// addCurrency returns work that stores one row.
func addCurrency(code string) work {
	return func(ctx context.Context, q *tx) error {
		_, err := q.InsertCurrency(ctx, nil, code, code)
		return err
	}
}

// stored returns the codes of the currencies that a connection outside of the store sees.
func stored(t *testing.T, s *Store) map[string]bool {
	t.Helper()
	db, err := s.file.Open(t.Context(), "ro", 1, file.ReaderPragmas)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), "SELECT code FROM currencies")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	codes := map[string]bool{}
	for rows.Next() {
		var code string
		if err := rows.Scan(&code); err != nil {
			t.Fatal(err)
		}
		codes[code] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return codes
}

// hold keeps the writer busy inside a transaction until release is called, so that requests sent
// meanwhile share that transaction.
func hold(t *testing.T, s *Store) (release func()) {
	t.Helper()
	let := occupy(t, s)
	return func() {
		if err := let(); err != nil {
			t.Errorf("the work that held the writer: got %v, want no error", err)
		}
	}
}

// occupy is hold for a group that may fail. release returns the error of the work that held the writer.
func occupy(t *testing.T, s *Store) (release func() error) {
	t.Helper()
	p := sendPause(t, s)
	<-p.begun
	return p.end
}

// pause is work that keeps its transaction open until end is called. begun is closed when the work
// starts.
type pause struct {
	begun, over chan struct{}
	done        <-chan error
}

func sendPause(t *testing.T, s *Store) *pause {
	t.Helper()
	p := &pause{begun: make(chan struct{}), over: make(chan struct{})}
	begin := sync.OnceFunc(func() { close(p.begun) }) // the work may run twice
	p.done = send(context.Background(), t, s, func(context.Context, *tx) error {
		begin()
		<-p.over
		return nil
	})
	return p
}

// end ends the pause and returns its error.
func (p *pause) end() error {
	close(p.over)
	return <-p.done
}

// send enqueues work and returns the channel of its answer.
func send(ctx context.Context, t *testing.T, s *Store, w work) <-chan error {
	t.Helper()
	r := &request{ctx: ctx, work: w, done: make(chan error, 1)}
	if err := s.writer.requests.Add(journal.OriginOf(ctx).Actor, r); err != nil {
		t.Fatal(err)
	}
	return r.done
}

// TestABadRequestRollsBackAlone: a request that is refused, or that panics, is rolled back. The other
// requests of its transaction are stored.
func TestABadRequestRollsBackAlone(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	good := send(t.Context(), t, s, addCurrency("AAA"))
	bad := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		if err := addCurrency("BBB")(ctx, q); err != nil {
			return err
		}
		return fault.New(fault.Invalid, "refused after it wrote")
	})
	panicking := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		if err := addCurrency("CCC")(ctx, q); err != nil {
			return err
		}
		panic("a defect")
	})
	other := send(t.Context(), t, s, addCurrency("DDD"))
	release()
	if err := errors.Join(<-good, <-other); err != nil {
		t.Errorf("the good requests: got %v, want no error", err)
	}
	if got := fault.KindOf(<-bad); got != fault.Invalid {
		t.Errorf("the refused request: got kind %q, want Invalid", got)
	}
	if got := fault.KindOf(<-panicking); got != fault.Internal {
		t.Errorf("the request that panics: got kind %q, want Internal", got)
	}
	got := stored(t, s)
	if len(got) != 2 || !got["AAA"] || !got["DDD"] {
		t.Errorf("got %v, want AAA and DDD", got)
	}
}

// TestNobodyIsAnsweredBeforeTheCommit: no request is answered while its transaction is open, not even a
// refused one or one with a stored answer.
func TestNobodyIsAnsweredBeforeTheCommit(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	var answers []<-chan error
	for _, code := range []string{"AAA", "BBB", "CCC"} {
		answers = append(answers, send(t.Context(), t, s, addCurrency(code)))
	}
	replayed := send(t.Context(), t, s, func(context.Context, *tx) error {
		return &idempotency.AnsweredError{}
	})
	refused := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		if err := addCurrency("DDD")(ctx, q); err != nil {
			return err
		}
		return fault.New(fault.Invalid, "refused after it wrote")
	})
	last := sendPause(t, s)
	var holding sync.WaitGroup
	holding.Go(release)
	<-last.begun // the others have run in the same transaction
	for i, a := range append(slices.Clone(answers), refused, replayed) {
		select {
		case err := <-a:
			t.Errorf("request %d: got the answer %v while its transaction was open, want none yet", i, err)
		default:
		}
	}
	if got := stored(t, s); len(got) != 0 {
		t.Errorf("got %v stored while the transaction was open, want nothing", got)
	}
	if err := last.end(); err != nil {
		t.Error(err)
	}
	holding.Wait()
	for _, a := range answers {
		if err := <-a; err != nil {
			t.Error(err)
		}
	}
	if err := <-refused; fault.KindOf(err) != fault.Invalid {
		t.Errorf("the refused request: got %v, want Invalid", err)
	}
	if got := outcomeOf(<-replayed); got != "answered " {
		t.Errorf("the request that was answered before: got %s, want its stored answer", got)
	}
	if got := stored(t, s); len(got) != 3 || got["DDD"] {
		t.Errorf("got %v stored, want AAA, BBB and CCC", got)
	}
}

// TestACallerThatHasGoneIsNotWritten: a request whose context is canceled before its turn is not stored.
func TestACallerThatHasGoneIsNotWritten(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	gone := send(ctx, t, s, addCurrency("AAA"))
	stays := send(t.Context(), t, s, addCurrency("BBB"))
	cancel()
	release()
	if got := fault.KindOf(<-gone); got != fault.Unavailable {
		t.Errorf("the canceled request: got kind %q, want Unavailable", got)
	}
	if err := <-stays; err != nil {
		t.Error(err)
	}
	if got := stored(t, s); len(got) != 1 || !got["BBB"] {
		t.Errorf("got %v, want BBB", got)
	}
}

// TestACallerThatGoesDuringItsGroupDoesNotDecideIt: a request whose context is canceled after its work
// has begun is stored.
func TestACallerThatGoesDuringItsGroupDoesNotDecideIt(t *testing.T) {
	s := openStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.writer.write(ctx, func(inner context.Context, q *tx) error {
		cancel()
		return addCurrency("AAA")(inner, q)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); !got["AAA"] {
		t.Errorf("got %v, want AAA", got)
	}
}

// TestTooManyWaitingAreRefused: a request is refused if too many already wait, of the same client or of
// all. Afterwards requests are accepted again.
func TestTooManyWaitingAreRefused(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	var answers []<-chan error
	nothing := func(context.Context, *tx) error { return nil }
	for i := range mostWaiting / mostOfOne {
		of := journal.With(t.Context(), journal.Origin{Actor: fmt.Sprint(i)})
		for range mostOfOne {
			answers = append(answers, send(of, t, s, nothing))
		}
		err := s.writer.write(of, addCurrency("AAA"))
		if want := fmt.Sprintf("%d writes of this client are waiting already; try again", mostOfOne); fault.KindOf(err) != fault.Unavailable || err.Error() != want {
			t.Errorf("one more of a client: got %v, want %q", err, want)
		}
	}
	err := s.writer.write(t.Context(), addCurrency("AAA"))
	if want := fmt.Sprintf("%d writes are waiting already; try again", mostWaiting); fault.KindOf(err) != fault.Unavailable || err.Error() != want {
		t.Errorf("one more of all clients: got %v, want %q", err, want)
	}
	release()
	for _, a := range answers {
		if err := <-a; err != nil {
			t.Fatal(err)
		}
	}
	if err := s.writer.write(t.Context(), addCurrency("BBB")); err != nil {
		t.Errorf("afterwards: got %v, want no error", err)
	}
}

// TestAGroupIsBoundedInRequests: a group ends when it has a fixed number of requests, also counting
// canceled ones. They are answered while the next group runs.
func TestAGroupIsBoundedInRequests(t *testing.T) {
	s := openStore(t)
	batches := map[*chain.Writer]int{} // only the writer's goroutine uses it until all requests are answered
	count := func(_ context.Context, q *tx) error {
		batches[q.journal]++
		return nil
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	release := hold(t, s)
	var full []<-chan error
	for range mostInGroup/2 - 1 { // with the one that holds the writer
		full = append(full, send(t.Context(), t, s, count))
	}
	for range mostInGroup / 2 {
		send(gone, t, s, count)
	}
	beyond := sendPause(t, s)
	after := send(t.Context(), t, s, count)
	var holding sync.WaitGroup
	holding.Go(release)
	<-beyond.begun
	if got := unanswered(t, full); got > 0 {
		t.Errorf("got %d requests of a full group unanswered, want none", got)
	}
	if err := errors.Join(beyond.end(), <-after); err != nil {
		t.Error(err)
	}
	holding.Wait()
	got := slices.Sorted(maps.Values(batches))
	if want := []int{1, mostInGroup/2 - 1}; !slices.Equal(got, want) {
		t.Errorf("got batches of %v requests, not counting those that were held, want %v", got, want)
	}
}

// TestAGroupIsBoundedInPositionsToFold: a group ends when it must fold many positions, because that
// takes long at its end.
func TestAGroupIsBoundedInPositionsToFold(t *testing.T) {
	s := openStore(t)
	var late []trading.Trade
	for i := range 2*mostFolded + 1 {
		trade := trading.Trade{Instrument: trading.Instrument{Symbol: trading.Symbol(fmt.Sprint(i)), Currency: "USD"}, Shares: 1, Side: trading.Buy, Price: 1, Date: today()}
		if _, err := s.AddTrades(t.Context(), []trading.Trade{trade}); err != nil {
			t.Fatal(err)
		}
		trade.Date = trade.Date.Add(-time.Hour)
		late = append(late, trade)
	}
	links := func() (n int) {
		if err := s.reading.QueryRowContext(t.Context(), "SELECT count(*) FROM journal_links").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, release := links(), hold(t, s)
	var answers []func() ([]trading.Trade, error)
	for _, trade := range late {
		answers = append(answers, queue(t, s, func() ([]trading.Trade, error) { return s.AddTrades(t.Context(), []trading.Trade{trade}) }))
	}
	release()
	for _, answer := range answers {
		if _, err := answer(); err != nil {
			t.Fatal(err)
		}
	}
	if got := links() - before; got != 3 {
		t.Errorf("got %d late trades of as many instruments in %d batches, want 3", len(late), got)
	}
}

// TestAGroupIsBoundedInTime: a group ends when it has run for a fixed time. Its requests are answered
// while the next group runs.
func TestAGroupIsBoundedInTime(t *testing.T) {
	now := today() // only the writer's goroutine uses it
	s := openStoreAt(t, func() time.Time { return now })
	batches := map[*chain.Writer]bool{} // also this
	lasting := func(d time.Duration) work {
		return func(_ context.Context, q *tx) error {
			batches[q.journal] = true
			now = now.Add(d)
			return nil
		}
	}
	release := hold(t, s)
	old := []<-chan error{
		send(t.Context(), t, s, lasting(longestGroup-1)),
		send(t.Context(), t, s, lasting(1)), // reaches the limit, but does not exceed it
		send(t.Context(), t, s, lasting(1)),
	}
	beyond := sendPause(t, s)
	var holding sync.WaitGroup
	holding.Go(release)
	<-beyond.begun
	if got := unanswered(t, old); got > 0 {
		t.Errorf("got %d requests of an old group unanswered, want none", got)
	}
	if len(batches) != 1 {
		t.Errorf("got %d batches before one was too old, want one", len(batches))
	}
	if err := beyond.end(); err != nil {
		t.Error(err)
	}
	holding.Wait()
}

// unanswered counts the requests without an answer. The others must have succeeded.
func unanswered(t *testing.T, answers []<-chan error) (n int) {
	t.Helper()
	for _, a := range answers {
		select {
		case err := <-a:
			if err != nil {
				t.Error(err)
			}
		default:
			n++
		}
	}
	return n
}

// TestCloseAnswersWhatWaits: Close waits until the requests that were sent before are answered. Later
// ones are refused.
func TestCloseAnswersWhatWaits(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), today)
	if err != nil {
		t.Fatal(err)
	}
	release := hold(t, s)
	waiting := send(t.Context(), t, s, addCurrency("AAA"))
	var closing sync.WaitGroup
	closing.Go(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	release()
	if err := <-waiting; err != nil {
		t.Errorf("the waiting request: got %v, want no error", err)
	}
	closing.Wait()
	if got := fault.KindOf(s.writer.write(t.Context(), addCurrency("BBB"))); got != fault.Unavailable {
		t.Errorf("after Close: got kind %q, want Unavailable", got)
	}
}

// TestABusyDatabaseIsUnavailableAndRecovers: while another process holds the lock, writes are refused
// and reads work. Afterwards writes work again.
func TestABusyDatabaseIsUnavailableAndRecovers(t *testing.T) {
	s := openStore(t)
	other, err := s.file.Open(t.Context(), "rw", 1, []file.Pragma{{Name: "busy_timeout", Value: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	exec := func(db *sql.DB, statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec(other, "BEGIN IMMEDIATE")
	if _, err := s.writer.conn.conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 100"); err != nil {
		t.Fatal(err)
	}
	if got := fault.KindOf(s.writer.write(t.Context(), addCurrency("AAA"))); got != fault.Unavailable {
		t.Errorf("while another process writes: got kind %q, want Unavailable", got)
	}
	if _, err := s.reader.Ping(t.Context()); err != nil {
		t.Errorf("a read meanwhile: got %v, want no error", err)
	}
	exec(other, "ROLLBACK")
	if err := s.writer.write(t.Context(), addCurrency("BBB")); err != nil {
		t.Errorf("a write afterwards: got %v, want no error", err)
	}
	if got := stored(t, s); got["AAA"] || !got["BBB"] {
		t.Errorf("got %v, want BBB", got)
	}
}

// TestWaitingRequestsAreRefusedBeforeAnyIsAnswered: when a transaction cannot begin, the waiting
// requests are refused before the first one is answered. So a client that gets the first answer and
// tries again at once is not refused with them.
func TestWaitingRequestsAreRefusedBeforeAnyIsAnswered(t *testing.T) {
	s := openStore(t)
	missing := s.file
	missing.Path = filepath.Join(t.TempDir(), "missing.db") // no transaction begins there
	w := &writer{file: missing, monitor: s.writer.monitor, now: time.Now, metrics: s.writer.metrics, requests: newRequests()}
	first, waiting := &request{ctx: t.Context(), done: make(chan error)}, &request{ctx: t.Context(), done: make(chan error)}
	if err := w.requests.Add("", waiting); err != nil {
		t.Fatal(err)
	}
	go w.group(first)
	select {
	case err := <-waiting.done:
		if got := fault.KindOf(err); got != fault.Unavailable {
			t.Errorf("the waiting request: got %v, want Unavailable", err)
		}
	case err := <-first.done:
		t.Fatalf("the first request: got the answer %v before the waiting one was refused, want it after", err)
	}
	if err := <-first.done; fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the first: got %v, want Unavailable", err)
	}
}

// TestAFullDiskTakesTheWholeGroupBack: when the disk is full, every answer of the group is true: a
// request is stored if it was acknowledged, and only then. When the disk has room again, writes work.
func TestAFullDiskTakesTheWholeGroupBack(t *testing.T) {
	s := openStore(t)
	limit := func(pages string) {
		t.Helper()
		if _, err := s.writer.conn.conn.ExecContext(t.Context(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.writer.write(t.Context(), addCurrency("AAA")); err != nil {
		t.Fatal(err)
	}
	limit("1") // SQLite uses the present size as the limit, so the next page is refused
	release := occupy(t, s)
	small := send(t.Context(), t, s, addCurrency("BBB"))
	large := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		_, err := q.InsertCurrency(ctx, nil, "CCC", string(make([]byte, 1<<20)))
		return err
	})
	after := send(t.Context(), t, s, addCurrency("DDD"))
	if err := release(); err != nil && fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the work that held the writer: got %v, want no error or Unavailable", err)
	}
	if got := fault.KindOf(<-large); got != fault.Unavailable {
		t.Errorf("the request that fills the disk: got kind %q, want Unavailable", got)
	}
	// The others may be stored or refused, but their answers must be true.
	want := map[string]bool{"AAA": true}
	for code, answer := range map[string]<-chan error{"BBB": small, "DDD": after} {
		if err := <-answer; err == nil {
			want[code] = true
		} else if got := fault.KindOf(err); got != fault.Unavailable {
			t.Errorf("%s: got %v, want Unavailable", code, err)
		}
	}
	got := stored(t, s)
	for _, code := range []string{"AAA", "BBB", "CCC", "DDD"} {
		if got[code] != want[code] {
			t.Errorf("%s: got stored %t, want %t as answered", code, got[code], want[code])
		}
	}
	limit("1000000")
	if err := s.writer.write(t.Context(), addCurrency("EEE")); err != nil {
		t.Errorf("when there is room again: got %v, want no error", err)
	}
}

// TestThoseThatWaitBehindALockAreRefusedTogether: if another process keeps the lock, all waiting
// requests are refused together with the first one. They do not each wait for the lock again.
func TestThoseThatWaitBehindALockAreRefusedTogether(t *testing.T) {
	s := openStore(t)
	conn, err := connect(t.Context(), s.file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.close() }()
	release := hold(t, s) // this store has the lock
	defer release()
	if err := conn.exec("PRAGMA busy_timeout = 0"); err != nil {
		t.Fatal(err)
	}
	var asked []*request
	for _, code := range []string{"AAA", "BBB", "CCC", "DDD"} {
		asked = append(asked, &request{ctx: t.Context(), work: addCurrency(code), done: make(chan error, 1)})
	}
	w := &writer{file: s.file, monitor: s.writer.monitor, now: time.Now, metrics: s.writer.metrics, conn: conn, requests: newRequests()}
	for _, r := range asked[1:] {
		if err := w.requests.Add("", r); err != nil {
			t.Fatal(err)
		}
	}
	w.group(asked[0])
	for i, r := range asked {
		select {
		case err := <-r.done:
			if fault.KindOf(err) != fault.Unavailable || err == nil {
				t.Errorf("request %d: got %v, want Unavailable", i, err)
			}
		default:
			t.Errorf("request %d: got no answer, want Unavailable", i)
		}
	}
	if got := stored(t, s); len(got) != 0 {
		t.Errorf("got %v stored, want nothing", got)
	}
}

// TestNothingIsDoneAfterATransactionIsLost: after SQLite has rolled back a transaction itself, the group
// runs no more statements. They would run outside of a transaction, and be stored although their
// requests are refused.
func TestNothingIsDoneAfterATransactionIsLost(t *testing.T) {
	for name, before := range map[string]work{
		"requests without savepoints": addCurrency("BBB"),
		"requests with savepoints":    func(context.Context, *tx) error { return fault.New(fault.Invalid, "refused") },
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t)
			if _, err := s.writer.conn.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
				t.Fatal(err)
			}
			release := occupy(t, s)
			answers := []<-chan error{
				send(t.Context(), t, s, before),
				send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
					_, err := q.InsertCurrency(ctx, nil, "CCC", string(make([]byte, 1<<20)))
					// SQLite itself does this when it cannot roll back a single statement.
					return errors.Join(err, s.writer.conn.exec("ROLLBACK"))
				}),
				send(t.Context(), t, s, addCurrency("DDD")),
				send(t.Context(), t, s, addCurrency("EEE")),
			}
			_ = release() // it may be lost with the others, or done again without them
			want := map[string]bool{}
			for i, code := range []string{"BBB", "CCC", "DDD", "EEE"} {
				if err := <-answers[i]; err == nil {
					want[code] = true
				}
			}
			if got := stored(t, s); !maps.Equal(got, want) {
				t.Errorf("got %v stored, want %v as answered", got, want)
			}
			if want["CCC"] {
				t.Error("the request that lost the transaction: got success, want an error")
			}
		})
	}
}
