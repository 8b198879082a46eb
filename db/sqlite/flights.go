package sqlite

import (
	"context"
	"sync"

	"daybook/db/sqlite/sqlerr"
)

// flights are the reads that are under way, each of them for all who ask for the same.
type flights struct {
	mu    sync.Mutex
	under map[string]*flight
}

// flight is one read. It is given up when nobody waits for it any more.
type flight struct {
	waiting int
	giveUp  context.CancelFunc
	landed  chan struct{} // closed when found and err are there
	found   any
	err     error
}

// do returns what a read finds that somebody else has begun, or else begins it. A panic in
// the read is its error. It returns the error of ctx when that ends first.
func (f *flights) do(ctx context.Context, what string, read func(context.Context) (any, error)) (any, error) {
	one := f.board(ctx, what, read)
	defer f.leave(what, one)
	select {
	case <-one.landed:
		return one.found, one.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *flights) board(ctx context.Context, what string, read func(context.Context) (any, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.under[what]
	if one == nil {
		one = &flight{landed: make(chan struct{})}
		ctx, one.giveUp = context.WithCancel(context.WithoutCancel(ctx)) // the read goes on when its first caller leaves
		if f.under == nil {
			f.under = map[string]*flight{}
		}
		f.under[what] = one
		go f.run(ctx, what, one, read)
	}
	one.waiting++
	return one
}

func (f *flights) run(ctx context.Context, what string, one *flight, read func(context.Context) (any, error)) {
	defer func() {
		if p := recover(); p != nil {
			one.err = sqlerr.Panicked(p)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.end(what, one)
		close(one.landed)
	}()
	one.found, one.err = read(ctx)
}

func (f *flights) leave(what string, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one.waiting--
	if one.waiting == 0 {
		f.end(what, one)
	}
}

// end gives a flight up, if it has not landed, and lets nobody else wait for it.
func (f *flights) end(what string, one *flight) {
	one.giveUp()
	if f.under[what] == one {
		delete(f.under, what)
	}
}
