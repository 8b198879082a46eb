package records

import (
	"context"
	"sync"

	"daybook/internal/fault"
	"daybook/internal/journal"
)

// SharedReads are the long reads in progress. Concurrent callers with the same key share one read.
type SharedReads struct {
	mu      sync.Mutex
	running map[string]*sharedRead
}

// sharedRead is one read. It is canceled when no caller waits for it any more.
type sharedRead struct {
	waiting int
	cancel  context.CancelFunc
	done    chan struct{} // closed when found and err are set
	found   any
	err     error
}

// headed is the result of a read, and the head of the journal that it saw.
type headed[T any] struct {
	found T
	head  journal.Seq
}

// Share does a read of the newest state. Concurrent callers with the same key share one read and its
// result. A caller that needs newer data waits for the next read: newest is the newest entry of the
// journal at the call, and read returns the head that it saw. A panic in the read becomes its error.
// Share returns the error of ctx if that ends first.
func Share[T any](ctx context.Context, s *SharedReads, key string, newest journal.Seq, read func(context.Context) (T, journal.Seq, error)) (found T, err error) {
	for range 2 { // the first read may have begun before this call, the second cannot have
		var shared any
		shared, err = s.do(ctx, key, func(ctx context.Context) (any, error) {
			found, head, err := read(ctx)
			return headed[T]{found, head}, err
		})
		h, _ := shared.(headed[T]) // no other type has the key
		if found = h.found; h.head >= newest {
			break
		}
	}
	return found, err
}

// do returns the result of a running read, or begins one.
func (s *SharedReads) do(ctx context.Context, key string, read func(context.Context) (any, error)) (any, error) {
	one := s.join(ctx, key, read)
	defer s.leave(key, one)
	select {
	case <-one.done:
		return one.found, one.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *SharedReads) join(ctx context.Context, key string, read func(context.Context) (any, error)) *sharedRead {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.running[key]
	if one == nil {
		one = &sharedRead{done: make(chan struct{})}
		ctx, one.cancel = context.WithCancel(context.WithoutCancel(ctx)) // the read goes on when its first caller leaves
		if s.running == nil {
			s.running = map[string]*sharedRead{}
		}
		s.running[key] = one
		go s.run(ctx, key, one, read)
	}
	one.waiting++
	return one
}

func (s *SharedReads) run(ctx context.Context, key string, one *sharedRead, read func(context.Context) (any, error)) {
	defer func() {
		if p := recover(); p != nil {
			one.err = fault.Panicked(p)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.end(key, one)
		close(one.done)
	}()
	one.found, one.err = read(ctx)
}

func (s *SharedReads) leave(key string, one *sharedRead) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.waiting--
	if one.waiting == 0 {
		s.end(key, one)
	}
}

// end cancels a read that is not done, and lets no more callers join it.
func (s *SharedReads) end(key string, one *sharedRead) {
	one.cancel()
	if s.running[key] == one {
		delete(s.running, key)
	}
}
