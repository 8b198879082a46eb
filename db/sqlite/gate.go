package sqlite

import (
	"context"
	"sync"
	"time"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// gate holds back new long reads while SQLite restarts the write-ahead log, that is, writes it from its
// beginning again. SQLite cannot restart the log while any read holds a snapshot, and with overlapping
// long reads there is always one. So the writer shuts the gate, the running reads end, the writer
// restarts the log, and the waiting reads begin. Short reads and writes do not pass the gate.
//
// Only the writer shuts and opens it.
type gate struct {
	mu      sync.Mutex
	reading int           // reads that have passed and have not left
	shut    chan struct{} // closed when the gate opens; nil while it is open
	last    chan struct{} // has one after the last read left while the gate was shut
}

func newGate() *gate { return &gate{last: make(chan struct{}, 1)} }

// pass waits until the gate is open. It returns the error of ctx if that ends first.
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
	default: // the writer has not yet received the earlier one
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

// open lets the waiting reads pass.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

// longestRead is how long a long read may hold its snapshot, for any number of callers. It bounds the
// write-ahead log.
const longestRead = time.Minute

// long does a read that is longer than a page of a list. It waits while the gate is shut. Unavailable:
// ctx ended, or the read took too long. Internal: the read is part of a write transaction; the writer
// would wait for the read, and the read for the writer to open the gate.
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

// consistent does reads that see the same state, with its own scanner. Unavailable.
func (s *Store) consistent(ctx context.Context, read func(*scanner) error) error {
	return s.long(ctx, func(ctx context.Context) error {
		return s.scan(ctx, func(c *scanner) error {
			return c.transaction(func() error { return read(c) })
		})
	})
}
