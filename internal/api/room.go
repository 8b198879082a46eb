package api

import (
	linked "container/list"
	"sync"
	"time"

	"daybook/internal/fault"
)

// mostHeld is how many bytes all large bodies, and all large answers, may hold.
const mostHeld = 64 << 20

// room bounds the bytes that all requests together hold of one kind: bodies that
// arrive, or answers that are not taken yet. A request that needs bytes when the room is
// full gets those of the request that has waited longest for its client.
type room struct {
	most     int64
	patience time.Duration // a request that has waited less is not ended
	full     string        // the message for a request that gets no bytes
	turn     sync.Mutex    // held to parse a large body: parsing needs several times its bytes

	mu      sync.Mutex // held to change what follows, and the shares
	held    int64
	waiting linked.List // of *share, the longest wait first
}

// share is what one request holds of a room. One goroutine at a time uses it.
type share struct {
	room  *room
	end   func()        // makes the wait for the client fail; called at most once, does not block
	gone  chan struct{} // closed when the share holds nothing and never will
	held  int64
	place *linked.Element // in room.waiting; nil while the request does not wait
	since time.Time       // when the wait began
	ended bool            // the room has ended the request
	left  bool
}

// share returns an empty share of the room.
func (r *room) share(end func()) *share {
	return &share{room: r, end: end, gone: make(chan struct{})}
}

// take adds bytes to a share. Unavailable: the room is full, and nobody has waited for
// long enough to be ended.
func (s *share) take(n int) error {
	for {
		slowest, taken := s.tryToTake(int64(n))
		switch {
		case taken:
			return nil
		case slowest == nil:
			return fault.New(fault.Unavailable, "%s", s.room.full)
		}
		<-slowest.gone
	}
}

// tryToTake takes bytes if there are any left. If not, it ends the request that has
// waited longest, and returns its share, which will be gone soon.
func (s *share) tryToTake(n int64) (slowest *share, taken bool) {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held+n <= r.most {
		r.held += n
		s.held += n
		return nil, true
	}
	front := r.waiting.Front()
	if front == nil {
		return nil, false
	}
	slowest, _ = front.Value.(*share) // nothing else is in the list
	if time.Since(slowest.since) < r.patience {
		return nil, false
	}
	r.waiting.Remove(front)
	slowest.place, slowest.ended = nil, true
	slowest.end()
	return slowest, false
}

// give returns bytes to the room.
func (s *share) give(n int) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.room.held -= int64(n)
	s.held -= int64(n)
}

// wait says that the request waits for its client from now on.
func (s *share) wait() {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.since = time.Now()
	s.place = s.room.waiting.PushBack(s)
}

// goOn says that the wait is over. It reports whether the request may go on: it may not
// when the room has ended it.
func (s *share) goOn() bool {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.place != nil {
		s.room.waiting.Remove(s.place)
		s.place = nil
	}
	return !s.ended
}

// leave returns all bytes to the room. Only the first call counts.
func (s *share) leave() {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.left {
		return
	}
	s.left = true
	s.room.held -= s.held
	s.held = 0
	close(s.gone)
}
