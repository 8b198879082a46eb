package sqlite

import (
	"bytes"
	"context"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

// write does one unit of work through the writer and returns the record it results
// in. A claimed request is done once: its answer is kept in the same transaction, and
// a repetition is an AnsweredError. A claimed request must change exactly one record, so
// that its answer can be compared with the journal. KeyReused: another request of the same
// principal bore the key.
func write[T any](ctx context.Context, s *Store, work func(context.Context, *tx) (T, error)) (result T, err error) {
	claim := idempotency.ClaimOf(ctx)
	err = s.writer.write(ctx, func(ctx context.Context, q *tx) (err error) {
		if claim == nil {
			result, err = work(ctx, q)
			return err
		}
		if err := q.answered(ctx, claim); err != nil {
			return err
		}
		if err := q.scribe.ReadHead(ctx); err != nil {
			return err
		}
		before := q.scribe.Last
		if result, err = work(ctx, q); err != nil {
			return err
		}
		if entries := q.scribe.Last - before; entries != 1 {
			return fault.New(fault.Internal, "a request with an Idempotency-Key must change one record, not %d; nothing was stored", entries)
		}
		return q.keep(ctx, claim, result)
	})
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// answered is an AnsweredError when the claimed request was done before. Unavailable: what
// is kept is not the answer to a write that the journal tells of.
func (t *tx) answered(ctx context.Context, claim *idempotency.Claim) error {
	kept, err := t.GetAnswer(ctx, claim.Principal, string(claim.Key), t.expired())
	switch {
	case sqlerr.IsNoRow(err):
		return nil
	case err != nil:
		return err
	}
	if e := t.scribe.Pending(journal.Seq(kept.Seq)); e != nil {
		kept.WrittenAt, kept.Actor = new(e.At.UnixMicro()), &e.Actor
		kept.Entity, kept.EntityID, kept.Before, kept.After = new(string(e.Entity)), &e.EntityID, chain.Column(e.Before), chain.Column(e.After)
	}
	switch {
	case verify.WrongAnswer(gen.PageAnswersRow(kept)) != "":
		return fault.New(fault.Unavailable, "what is kept for the Idempotency-Key %q is damaged; nothing was stored; app verify tells more", claim.Key)
	case !bytes.Equal(kept.Fingerprint, claim.Fingerprint[:]):
		return fault.New(fault.KeyReused, "another request bore the Idempotency-Key %q; a new request needs a new key", claim.Key)
	}
	return &idempotency.AnsweredError{Answer: idempotency.Answer{Status: int(kept.Status), Body: kept.Body}}
}

// keep stores the answer to the record, with the number of its entry, which is the newest
// in the journal. It forgets some answers that are too old, and some of the same principal
// where there are too many: no principal makes those of another go.
func (t *tx) keep(ctx context.Context, claim *idempotency.Claim, record any) error {
	answer, err := claim.Render(record)
	if err != nil {
		return err
	}
	running, err := t.KeepAnswer(ctx, gen.KeepAnswerParams{
		Principal: claim.Principal, Key: string(claim.Key), Fingerprint: claim.Fingerprint[:],
		Status: int64(answer.Status), Body: answer.Body, At: t.scribe.At.UnixMicro(),
		Seq: int64(t.scribe.Last), Size: claim.Size(answer),
	})
	if err != nil {
		return err
	}
	const most = 4 // more than come in, so that the table shrinks again, and few, so that no request pays for many
	if err := t.ForgetExpired(ctx, t.expired(), most); err != nil {
		return err
	}
	return t.ForgetBeyond(ctx, claim.Principal, running-idempotency.KeptBytes, most)
}

// expired is the time of the newest answers that are no longer kept.
func (t *tx) expired() int64 { return t.scribe.At.Add(-idempotency.KeptFor).UnixMicro() }
