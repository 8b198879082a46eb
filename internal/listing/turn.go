package listing

import "context"

// Turn waits until its caller may make the next short read of a list. The caller calls release when
// the read has ended. Several goroutines may wait at once.
type Turn func(ctx context.Context) (release func(), err error)

type turnKey struct{}

// WithTurns returns a context in which each short read of a list waits for its turn.
func WithTurns(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

// InTurn makes a short read of a list when it is its turn, at once where the context has no
// turns. Errors are those of the turn and of the read.
func InTurn(ctx context.Context, read func() error) error {
	if turn, has := ctx.Value(turnKey{}).(Turn); has {
		release, err := turn(ctx)
		if err != nil {
			return err
		}
		defer release()
	}
	return read()
}
