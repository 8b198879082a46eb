package sqlite

import (
	"sync"
	"time"
)

// failing is the time since which all transactions have failed.
type failing struct {
	mu          sync.Mutex
	first, last time.Time // first is zero after one that succeeded
}

// forgotten is how long a failure counts. A load balancer sends no writes to a server that is not
// ready, so without this limit the server would never be ready again.
const forgotten = time.Minute

// again records a transaction that failed.
func (f *failing) again(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first.IsZero() || at.Sub(f.last) > forgotten {
		f.first = at
	}
	f.last = at
}

// over records a transaction that changed a record.
func (f *failing) over() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = time.Time{}
}

// span is how long transactions have failed, 0 if the last one succeeded.
func (f *failing) span(now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first.IsZero() || now.Sub(f.last) > forgotten {
		return 0
	}
	return now.Sub(f.first)
}
