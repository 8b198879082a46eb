package seed

import "context"

// batchSize is how many records are stored at once.
const batchSize = 5_000

// batch gathers records to store many at once, and no more than memory should hold.
type batch[T any] struct {
	store  func(context.Context, []T) ([]T, error)
	held   []T
	stored int
}

func newBatch[T any](store func(context.Context, []T) ([]T, error)) *batch[T] {
	return &batch[T]{store: store, held: make([]T, 0, batchSize)}
}

func (b *batch[T]) add(ctx context.Context, record T) error {
	b.held = append(b.held, record)
	if len(b.held) < batchSize {
		return nil
	}
	return b.flush(ctx)
}

// flush stores what is held; the last add needs one after it.
func (b *batch[T]) flush(ctx context.Context) error {
	if len(b.held) == 0 {
		return nil
	}
	if _, err := b.store(ctx, b.held); err != nil {
		return err
	}
	b.stored += len(b.held)
	b.held = b.held[:0]
	return nil
}
