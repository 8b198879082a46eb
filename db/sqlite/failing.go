package sqlite

import (
	"sync"
	"time"
)

// failing is since when transactions fail, none having succeeded in between.
type failing struct {
	mu          sync.Mutex
	first, last time.Time // first is zero after one that succeeded
}

// forgotten is how long ago a failure may be to count: after that nobody knows, and a
// server that is sent no writes because they failed would never be sent one again.
const forgotten = time.Minute

// again takes down a transaction that failed.
func (f *failing) again(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first.IsZero() || at.Sub(f.last) > forgotten {
		f.first = at
	}
	f.last = at
}

// over takes down a transaction that succeeded in changing a record.
func (f *failing) over() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = time.Time{}
}

// span is for how long transactions have failed, 0 where the last one succeeded.
func (f *failing) span(now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first.IsZero() || now.Sub(f.last) > forgotten {
		return 0
	}
	return now.Sub(f.first)
}
