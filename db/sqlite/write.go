package sqlite

import (
	"bytes"
	"cmp"
	"context"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

// write does one unit of work through the writer and returns its result. It is the entry of every
// write of a Store: the work of a request with an Idempotency-Key is done once.
func write[T any](ctx context.Context, s *Store, work func(context.Context, *tx) (T, error)) (T, error) {
	return through(ctx, s.writer.write, work)
}

// writeAlone is write for a unit of work that has a transaction for itself.
func writeAlone[T any](ctx context.Context, s *Store, work func(context.Context, *tx) (T, error)) (T, error) {
	return through(ctx, s.writer.writeAlone, work)
}

func through[T any](ctx context.Context, do func(context.Context, work) error, work func(context.Context, *tx) (T, error)) (result T, err error) {
	claim, err := idempotency.ClaimOf[T](ctx)
	if err != nil {
		return result, fault.Wrap(fault.Internal, err, "nothing was stored")
	}
	if claim != nil {
		work = once(claim, work)
	}
	err = do(ctx, func(ctx context.Context, q *tx) (err error) {
		result, err = work(ctx, q)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// once returns work that stores the answer to its request in the same transaction. A repetition of the
// request gets an AnsweredError. The answer to work that changes nothing is not kept: a repetition changes
// nothing either. KeyReused: the same principal used the key for another request.
func once[T any](claim *idempotency.Claim[T], work func(context.Context, *tx) (T, error)) func(context.Context, *tx) (T, error) {
	return func(ctx context.Context, q *tx) (result T, err error) {
		if err := q.answered(ctx, claim.Request); err != nil {
			return result, err
		}
		if result, err = work(ctx, q); err != nil || q.told == (journal.Range{}) {
			return result, err
		}
		answer, err := claim.Answer(result)
		if err != nil {
			return result, err
		}
		return result, q.keep(ctx, claim.Request, answer)
	}
}

// answered returns AnsweredError if the request was done before. Unavailable: the stored answer does
// not match the journal.
func (t *tx) answered(ctx context.Context, request idempotency.Request) error {
	kept, err := t.GetAnswer(ctx, request.Principal, string(request.Key), t.expired())
	switch {
	case sqlerr.IsNoRow(err):
		return nil
	case err != nil:
		return err
	}
	if e := t.journal.Pending(journal.Seq(kept.Seq)); e != nil {
		kept.WrittenAt, kept.Actor, kept.First = new(e.At.UnixMicro()), &e.Actor, rows.Optional(int64(e.First))
		kept.Entity, kept.EntityID, kept.Before, kept.After = new(string(e.Entity)), &e.EntityID, chain.Column(e.Before), chain.Column(e.After)
	}
	switch {
	case verify.WrongAnswer(gen.PageAnswersRow(kept)) != "":
		return fault.New(fault.Unavailable, "the stored answer for the Idempotency-Key %q is damaged; nothing was stored; run app verify to find where", request.Key)
	case !bytes.Equal(kept.Fingerprint, request.Fingerprint[:]):
		return fault.New(fault.KeyReused, "another request had the Idempotency-Key %q; a new request needs a new key", request.Key)
	}
	t.told = journal.Range{First: journal.Seq(cmp.Or(rows.OrZero(kept.First), kept.Seq)), Last: journal.Seq(kept.Seq)}
	return &idempotency.AnsweredError{Answer: idempotency.Answer{Status: int(kept.Status), Body: kept.Body}}
}

// keep stores the answer to a request with the number of its last journal entry, which is the newest. It
// deletes some answers that are too old, and some of the same principal if they take too many bytes. It
// never deletes answers of another principal for this.
func (t *tx) keep(ctx context.Context, request idempotency.Request, answer idempotency.Answer) error {
	running, err := t.KeepAnswer(ctx, gen.KeepAnswerParams{
		Principal: request.Principal, Key: string(request.Key), Fingerprint: request.Fingerprint[:],
		Status: int64(answer.Status), Body: answer.Body, At: t.journal.At.UnixMicro(),
		Seq: int64(t.journal.Last), Size: request.Size(answer),
	})
	if err != nil {
		return err
	}
	const most = 4 // more than one, so that the table shrinks; few, so that each request stays short
	if err := t.ForgetExpired(ctx, t.expired(), most); err != nil {
		return err
	}
	return t.ForgetBeyond(ctx, request.Principal, running-idempotency.KeptBytes, most)
}

// expired is the time of the newest answers that have expired.
func (t *tx) expired() int64 { return t.journal.At.Add(-idempotency.KeptFor).UnixMicro() }

// whole is one transaction in which several methods of a Store take part.
type whole struct {
	writer *writer
	tx     *tx
	err    error // of the first failed part
}

type wholeKey struct{}

// Atomically does work in one transaction, whatever number of Store methods it calls: it stores
// everything or nothing. The context of work identifies the transaction. It is valid until work
// returns, and only on its goroutine.
//
// Checks for an empty store see what the transaction has stored. Other reads do not, and long reads are
// refused. All other writes wait for its end. Work may be done twice, so it changes nothing outside
// except what it sets again each time.
//
// The error is the error of work or of the first failed part. Unavailable: nothing was stored.
// OutcomeUnknown: everything was stored, or nothing.
func (s *Store) Atomically(ctx context.Context, work func(ctx context.Context) error) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		w := &whole{writer: s.writer, tx: q}
		err := work(context.WithValue(ctx, wholeKey{}, w))
		return cmp.Or(w.err, err)
	})
}

// wholeOf returns the transaction of a context, nil if it has none of this writer.
func wholeOf(ctx context.Context, writer *writer) *whole {
	if w, _ := ctx.Value(wholeKey{}).(*whole); w != nil && w.writer == writer {
		return w
	}
	return nil
}

// do does a part. After a failed part it does no other, because the transaction will be rolled back.
func (w *whole) do(ctx context.Context, part work) error {
	if w.err == nil {
		w.err = part(ctx, w.tx)
	}
	return w.err
}

// newest returns the queries for the newest state. In a transaction they see what the transaction has
// stored so far.
func (s *Store) newest(ctx context.Context) *gen.Queries {
	if w := wholeOf(ctx, s.writer); w != nil {
		return w.tx.Queries
	}
	return s.reader
}
