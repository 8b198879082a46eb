package sqlite

import (
	"context"
	"sync"
	"time"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// gate holds new long reads back while SQLite restarts the write-ahead log, that is, writes it
// from its beginning again. SQLite cannot restart the log while any read holds a snapshot, and
// long reads that overlap leave no moment without one. The writer shuts the gate. Running reads
// end, the writer restarts the log, and the waiting reads begin. Short reads and writes do not
// pass the gate.
//
// Only the writer shuts and opens it.
type gate struct {
	mu      sync.Mutex
	reading int           // how many have passed and have not left
	shut    chan struct{} // closed when the gate opens; nil while it is open
	last    chan struct{} // has one when the last has left while the gate was shut
}

func newGate() *gate { return &gate{last: make(chan struct{}, 1)} }

// pass waits for the gate to be open. It returns the error of ctx when that ends first.
func (g *gate) pass(ctx context.Context) error {
	for {
		g.mu.Lock()
		shut := g.shut
		if shut == nil {
			g.reading++
		}
		g.mu.Unlock()
		if shut == nil {
			return nil
		}
		select {
		case <-shut:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave ends what pass began.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reading--
	if g.reading > 0 || g.shut == nil {
		return
	}
	select {
	case g.last <- struct{}{}:
	default: // the writer has not yet taken the one before
	}
}

// close shuts the gate, and reports whether no long read runs.
func (g *gate) close() (empty bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut == nil {
		g.shut = make(chan struct{})
	}
	return g.reading == 0
}

// drained reports that the gate is shut and no long read runs.
func (g *gate) drained() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut != nil && g.reading == 0
}

// open lets those that wait pass.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

// longestRead is how long a long read may hold its snapshot, for however many callers. The
// bound of the write-ahead log is made of it.
const longestRead = time.Minute

// long does a read that goes through more than a page of a list. It waits while the
// gate is shut. Unavailable: ctx ended, or the read took too long. Internal: it is part of a
// transaction; the writer would wait for the read, and the read for the writer to open the gate.
func (s *Store) long(ctx context.Context, read func(ctx context.Context) error) error {
	if wholeOf(ctx, s.writer) != nil {
		return fault.New(fault.Internal, "a transaction makes no long reads")
	}
	if err := s.writer.log.gate.pass(ctx); err != nil {
		return sqlerr.Classify(err)
	}
	defer s.writer.log.gate.leave()
	ctx, end := context.WithTimeout(ctx, longestRead)
	defer end()
	return read(ctx)
}

// consistent does reads that must agree, with a scanner of its own. Unavailable.
func (s *Store) consistent(ctx context.Context, read func(*scanner) error) error {
	return s.long(ctx, func(ctx context.Context) error {
		return s.scan(ctx, func(c *scanner) error {
			return c.transaction(func() error { return read(c) })
		})
	})
}
