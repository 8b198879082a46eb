package sqlite

import (
	"bytes"
	"context"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
)

// write does one unit of work through the writer and returns the record it results
// in. A claimed request is done once: its answer is kept in the same transaction, and
// a repetition is an AnsweredError. KeyReused: another request bore the key.
func write[T any](ctx context.Context, s *Store, work func(context.Context, *tx) (T, error)) (result T, err error) {
	claim := idempotency.ClaimOf(ctx)
	err = s.writer.write(ctx, func(ctx context.Context, q *tx) (err error) {
		if claim != nil {
			if err := q.answered(ctx, claim); err != nil {
				return err
			}
		}
		if result, err = work(ctx, q); err != nil || claim == nil {
			return err
		}
		return q.keep(ctx, claim, result)
	})
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// answered is an AnsweredError when the claimed request was done before.
func (t *tx) answered(ctx context.Context, claim *idempotency.Claim) error {
	expired := t.scribe.at.Add(-idempotency.Kept).UnixMicro()
	kept, err := t.GetAnswer(ctx, string(claim.Key), expired)
	switch {
	case isNoRow(err):
		return nil
	case err != nil:
		return err
	case !bytes.Equal(kept.Fingerprint, claim.Fingerprint[:]):
		return fault.New(fault.KeyReused, "another request bore the Idempotency-Key %q; a new request needs a new key", claim.Key)
	}
	return &idempotency.AnsweredError{Answer: idempotency.Answer{Status: int(kept.Status), Body: kept.Body}}
}

// keep stores the answer to the record, and forgets some that are too old.
func (t *tx) keep(ctx context.Context, claim *idempotency.Claim, record any) error {
	answer, err := claim.Render(record)
	if err != nil {
		return err
	}
	at := t.scribe.at
	if err := t.KeepAnswer(ctx, gen.KeepAnswerParams{
		Key: string(claim.Key), Fingerprint: claim.Fingerprint[:],
		Status: int64(answer.Status), Body: answer.Body, At: at.UnixMicro(),
	}); err != nil {
		return err
	}
	const most = 4 // more than come in, so that the table shrinks again
	return t.ForgetAnswers(ctx, at.Add(-idempotency.Kept).UnixMicro(), most)
}
