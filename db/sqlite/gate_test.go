package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// openWithSmallLog returns a store that restarts its log from 4 MiB on.
func openWithSmallLog(t *testing.T) *Store {
	t.Helper()
	s := openStore(t)
	s.writer.log.patience, s.writer.log.shutting = walComfort, walComfort
	return s
}

// gatedRead makes a read that waits at the gate while it is shut. ungatedRead makes one that does not.
func gatedRead(ctx context.Context, s *Store, read func(*scanner) error) error {
	return s.consistent(ctx, read)
}

func ungatedRead(ctx context.Context, s *Store, read func(*scanner) error) error {
	return s.scan(ctx, func(c *scanner) error {
		return c.transaction(func() error { return read(c) })
	})
}

// openRead is a read that keeps its snapshot from begun until end.
type openRead struct {
	begun, over chan struct{}
	done        chan error
}

// beginRead starts a read in one of the two ways.
func beginRead(t *testing.T, s *Store, way func(context.Context, *Store, func(*scanner) error) error) *openRead {
	t.Helper()
	p := &openRead{make(chan struct{}), make(chan struct{}), make(chan error, 1)}
	go func() {
		p.done <- way(t.Context(), s, func(c *scanner) error {
			if _, err := c.journalHead(); err != nil { // begins the snapshot
				return err
			}
			close(p.begun)
			<-p.over
			return nil
		})
	}()
	return p
}

func (p *openRead) end(t *testing.T) {
	t.Helper()
	close(p.over)
	if err := <-p.done; err != nil {
		t.Error(err)
	}
}

// growLog writes about 1.5 MiB into the log, and returns its size after the writer's checkpoint.
func growLog(t *testing.T, s *Store, round int) int64 {
	t.Helper()
	err := s.Atomically(t.Context(), func(ctx context.Context) error {
		for i := range 40 {
			a := budget.Account{Code: text.Code(fmt.Sprintf("%d-%d", round, i)), Type: budget.Opex, Description: text.Note(strings.Repeat("\U0001F4C8", 4000))}
			if _, err := s.CreateAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Atomically(t.Context(), func(context.Context) error { return nil }); err != nil { // the writer does this after the checkpoint
		t.Fatal(err)
	}
	return logOf(s)
}

func logOf(s *Store) int64 {
	_, _, size := s.File()
	return size
}

func isShut(s *Store) bool {
	s.writer.log.gate.mu.Lock()
	defer s.writer.log.gate.mu.Unlock()
	return s.writer.log.gate.shut != nil
}

// TestTheLogIsBoundedBesideReadsThatOverlap: if each long read begins before the previous one ends, the
// log always has a reader and could never be restarted. It is restarted nevertheless, because the gate
// holds the next read back. Short reads and writes are served meanwhile. As a control, without the gate
// the log grows.
func TestTheLogIsBoundedBesideReadsThatOverlap(t *testing.T) {
	const bound, rounds = 8 << 20, 8
	s := openWithSmallLog(t)
	peak, held := int64(0), 0
	before := beginRead(t, s, gatedRead)
	<-before.begun
	for round := range rounds {
		peak = max(peak, growLog(t, s, round))
		shut := isShut(s)
		next := beginRead(t, s, gatedRead)
		if shut {
			held++
			checkServed(t, s)
			select {
			case <-next.begun:
				t.Error("got a long read that began while the gate was shut, want it to wait")
			default:
			}
			before.end(t)
			<-next.begun
			if got := logOf(s); got >= walComfort*4096 {
				t.Errorf("got a log of %d bytes when the next read began, want it restarted", got)
			}
		} else {
			<-next.begun
			before.end(t)
		}
		before = next
	}
	before.end(t)
	if peak >= bound || held == 0 {
		t.Errorf("got a log of %d bytes, and %d reads held back; want less than %d bytes, and some reads held back", peak, held, bound)
	}

	if got := peakBeside(t, ungatedRead, rounds); got < bound {
		t.Errorf("the control, without the gate: got a log of %d bytes, want more than %d", got, bound)
	}
}

// peakBeside returns the largest size of the log during overlapping reads.
func peakBeside(t *testing.T, way func(context.Context, *Store, func(*scanner) error) error, rounds int) (peak int64) {
	t.Helper()
	s := openWithSmallLog(t)
	before := beginRead(t, s, way)
	<-before.begun
	for round := range rounds {
		peak = max(peak, growLog(t, s, round))
		next := beginRead(t, s, way)
		<-next.begun
		before.end(t)
		before = next
	}
	before.end(t)
	return peak
}

// checkServed fails the test unless short reads and a write are served.
func checkServed(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	if _, err := s.JournalHead(ctx); err != nil {
		t.Error(err)
	}
	if _, err := gather(s.Departments(ctx)); err != nil {
		t.Error(err)
	}
	if _, err := s.TokenByDigest(ctx, access.Digest{1}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a token that does not exist: got %v, want NotFound", err)
	}
	if _, err := s.CreateDepartment(ctx, budget.Department{Code: text.Code(fmt.Sprint("D", logOf(s))), Name: "any"}); err != nil {
		t.Error(err)
	}
}

// TestAForeignReaderHoldsNoReadBack: a reader in another process prevents the restart of the log. The
// gate cannot help then, so it holds long reads back for one attempt only.
func TestAForeignReaderHoldsNoReadBack(t *testing.T) {
	s := openWithSmallLog(t)
	db, err := s.file.Open(t.Context(), "ro", 1, file.ReaderPragmas)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	foreign, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = foreign.Rollback() }()
	if _, err := chain.End(t.Context(), gen.New(foreign)); err != nil { // begins the snapshot
		t.Fatal(err)
	}
	running := beginRead(t, s, gatedRead)
	<-running.begun
	for round := 0; !isShut(s); round++ {
		growLog(t, s, round)
	}
	next := beginRead(t, s, gatedRead)
	running.end(t)
	<-next.begun
	next.end(t)
	if _, _, heldUp := s.Checkpoints(); heldUp == 0 || logOf(s) < walComfort*4096 {
		t.Errorf("got %d failed restarts counted and a log of %d bytes, want at least one and a log that was not restarted", heldUp, logOf(s))
	}
}

// TestTheGateHoldsLongReads: while the gate is shut, the reads that can be long wait, and short reads do
// not.
func TestTheGateHoldsLongReads(t *testing.T) {
	long := []string{
		"ActualPage", "Chart", "CompanyPage", "Coverage", "CurrencyPage", "Export", "Holdings", "LinePage", "Months", "OverviewData",
		"Postings", "TradePage", "Usage", "YearToDate",
	}
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		sqlitetest.Fill(t, s)
		reads := maps.Clone(changingReads)
		maps.Copy(reads, otherReads)
		var mu sync.Mutex
		waiting := map[string]bool{}
		for name := range reads {
			waiting[name] = true
		}
		s.writer.log.gate.close()
		var all sync.WaitGroup
		for name, read := range reads {
			all.Go(func() {
				if _, err := read(t.Context(), s); err != nil {
					t.Errorf("%s: got %v, want no error", name, err)
				}
				mu.Lock()
				defer mu.Unlock()
				delete(waiting, name)
			})
		}
		synctest.Wait()
		mu.Lock()
		got := slices.Sorted(maps.Keys(waiting))
		mu.Unlock()
		if !slices.Equal(got, long) {
			t.Errorf("got the waiting reads %v, want %v", got, long)
		}
		s.writer.log.gate.open()
		all.Wait()
	})
}

// TestAReadThatIsHeldBackEnds: a read that waits at the gate ends when its context is canceled, and goes
// on when the store closes.
func TestAReadThatIsHeldBackEnds(t *testing.T) {
	s := openWithSmallLog(t)
	s.writer.log.gate.close()
	ctx, giveUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := s.Usage(ctx); ended <- err }()
	giveUp()
	if err := <-ended; fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a canceled read: got %v, want Unavailable", err)
	}
	held := beginRead(t, s, gatedRead)
	s.writer.drain()
	<-held.begun
	held.end(t)
}

// TestATransactionMakesNoLongReads: a long read inside a transaction is refused. It could wait at the
// gate, which only the writer opens, while the writer waits for the transaction.
func TestATransactionMakesNoLongReads(t *testing.T) {
	s := openStore(t)
	err := s.Atomically(t.Context(), func(ctx context.Context) error {
		_, err := s.Usage(ctx)
		return err
	})
	if fault.KindOf(err) != fault.Internal {
		t.Errorf("got %v, want Internal", err)
	}
}

// TestTheWriterWaitsForTheLongestRead: a long read that began before the gate was shut can run for its
// maximum time. The writer waits as long as that before the log exceeds 90 MiB.
func TestTheWriterWaitsForTheLongestRead(t *testing.T) {
	const most = 90 << 20 / 4096
	waited, pages := time.Duration(0), int64(walPatience)
	for ; waited < longestRead; pages += walStep {
		waited += pauseAt(pages, walPatience, true)
	}
	if pages > most {
		t.Errorf("got %d pages, want at most %d", pages, most)
	}
}

// TestALongReadLastsAMinute: a long read ends after a minute, also if its caller would wait longer.
func TestALongReadLastsAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		began := time.Now()
		err := s.long(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if took := time.Since(began); took != longestRead || err == nil {
			t.Errorf("got %v after %s, want an error after %s", err, took, longestRead)
		}
	})
}
