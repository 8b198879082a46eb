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
// full gets those of a request that waits for its client, and whose principal holds no less.
type room struct {
	most     int64
	patience time.Duration // a request that has waited less is ended only where its principal has others that hold as much
	full     string        // the message for a request that gets no bytes
	turn     sync.Mutex    // held to parse a large body: parsing needs several times its bytes

	mu      sync.Mutex // held to change what follows, and the shares
	held    int64
	holders map[string]int64 // what each principal holds of that
	waiting linked.List      // of *share, the longest wait first
}

func newRoom(most int64, patience time.Duration, full string) *room {
	return &room{most: most, patience: patience, full: full, holders: map[string]int64{}}
}

// share is what one request holds of a room. One goroutine at a time uses it.
type share struct {
	room  *room
	of    string        // the principal, as sharerOf tells it
	end   func()        // makes the wait for the client fail; called at most once, does not block
	gone  chan struct{} // closed when the share holds nothing and never will
	held  int64
	place *linked.Element // in room.waiting; nil while the request does not wait
	since time.Time       // when the wait began
	ended bool            // the room has ended the request
	left  bool
}

// share returns an empty share of the room for a request of a principal.
func (r *room) share(of string, end func()) *share {
	return &share{room: r, of: of, end: end, gone: make(chan struct{})}
}

// take adds bytes to a share. Unavailable: the room is full, and no request is to be ended
// for this one.
func (s *share) take(n int) error {
	for {
		ended, taken := s.tryToTake(int64(n))
		switch {
		case taken:
			return nil
		case ended == nil:
			return fault.New(fault.Unavailable, "%s", s.room.full)
		}
		<-ended.gone
	}
}

// tryToTake takes bytes if there are any left. If not, it ends another request, and returns
// its share, which will be gone soon.
func (s *share) tryToTake(n int64) (ended *share, taken bool) {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held+n <= r.most {
		s.count(n)
		return nil, true
	}
	ended = r.slowest(s, n)
	if ended == nil {
		return nil, false
	}
	r.waiting.Remove(ended.place)
	ended.place, ended.ended = nil, true
	ended.end()
	return ended, false
}

// slowest is the request that is to be ended so that a share can take bytes, nil where there
// is none. Its principal would hold no less then even without it, or holds no less now and
// the request has waited for the patience: two principals do not end each other's requests in
// turn. Of those it is the principal that holds most, and of its requests the one that has
// waited longest.
func (r *room) slowest(s *share, n int64) (slowest *share) {
	holds, most := r.holders[s.of], int64(-1)
	for e := r.waiting.Front(); e != nil; e = e.Next() {
		waits, _ := e.Value.(*share) // nothing else is in the list
		other := r.holders[waits.of]
		mayEnd := other-waits.held >= holds+n || other >= holds && time.Since(waits.since) >= r.patience
		if mayEnd && other > most {
			slowest, most = waits, other
		}
	}
	return slowest
}

// count adds bytes to what a share holds. The lock of the room is held.
func (s *share) count(n int64) {
	s.held += n
	s.room.held += n
	s.room.holders[s.of] += n
	if s.room.holders[s.of] == 0 {
		delete(s.room.holders, s.of)
	}
}

// give returns bytes to the room.
func (s *share) give(n int) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.count(-int64(n))
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
	s.count(-s.held)
	close(s.gone)
}
