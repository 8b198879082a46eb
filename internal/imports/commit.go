package imports

import (
	"context"
	"errors"
	"iter"
	"slices"

	"daybook/internal/batch"
	"daybook/internal/bulk"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// QuestionsOpen is the kind of the fault that a file leaves something open.
const QuestionsOpen fault.Kind = "questions open"

// Order says what of an import is stored.
type Order struct {
	Revision int
	Good     bool  // without the wrong rows, and the doubtful ones where they are not accepted; else any of them is RowsRefused
	Accept   bool  // doubtful rows are good
	Also     []int // lines of trades that are stored though they are there already
}

// Done is what became of an import.
type Done struct {
	Batch  *batch.Body  `json:"batch"` // nil if nothing was changed
	Counts batch.Counts `json:"counts"`
}

// Commit stores an import in one transaction, as its preview shows it; again it returns the same. claimed may prepare
// the context of the write by what will be the answer.
//
// NotFound, NotReady, QuestionsOpen. RowsRefused: rows are wrong or doubtful. ChangedSince: the revision is not the
// newest, or records are not as the preview saw them; then the cause is a commit.ConflictsError, and the file is
// compared again, as a new revision. Else errors as those of commit.Commit.
func (s *Service) Commit(ctx context.Context, owner, id string, o Order, claimed func(func(bulk.Result) *Done) context.Context) (*Done, error) {
	s.mu.Lock()
	k, err := s.find(owner, id)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r, done, err := s.commitable(k, o)
	if err != nil || done != nil {
		return done, err
	}
	if claimed != nil {
		ctx = claimed(doneOf)
	}
	s.setCommitting(k, r)
	told, end := k.Told.begin()
	defer end()
	result, err := commit.Commit{
		Kind: k.Kind, Batch: k.origin(r), Rows: r.rows.chosen(ctx, o), Spool: s.folder,
		Skipped: int64(r.preview.Counts.Skipped), LeftOut: bulk.LeftOut{Wrong: int64(r.preview.Counts.Wrong), Doubtful: int64(o.leftInDoubt(r))},
		Told:   told,
		Anyway: func(line int) bool { return r.m.Existing == "add" || slices.Contains(o.Also, line) },
	}.Run(ctx, s.books)
	s.mu.Lock()
	defer s.mu.Unlock()
	k.committing = nil
	if err == nil {
		k.done, k.stored = doneOf(result), r.number
		return k.done, nil
	}
	if fault.KindOf(err) == fault.ChangedSince && k.newest == r && s.kept[k.id] == k {
		s.start(k, r.m)
	}
	return nil, err
}

// commitable returns the revision that an order is about, or what became of it before.
func (s *Service) commitable(k *kept, o Order) (*revision, *Done, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := k.newest
	switch {
	case k.done != nil && k.stored == o.Revision:
		return nil, k.done, nil
	case r.number != o.Revision:
		return nil, nil, fault.New(fault.ChangedSince, "the newest revision of the import is %d, not %d; look at it first", r.number, o.Revision)
	case !r.finished():
		return nil, nil, errReading
	case r.err != nil:
		return nil, nil, r.err
	case r.preview.State == "questions":
		return nil, nil, fault.New(QuestionsOpen, "questions about the file are open (%d); answer them first", len(r.preview.Questions))
	case !o.Good && o.leftOut(r) > 0:
		return nil, nil, o.refusal(r)
	}
	return r, nil, nil
}

// refusal says what keeps an order of all rows from being stored.
func (o Order) refusal(r *revision) error {
	wrong, doubtful := r.preview.Counts.Wrong, o.doubtful(r)
	switch {
	case doubtful == 0:
		return fault.New(fault.RowsRefused, "records are wrong (%d); nothing was stored; mend them, or leave them out", wrong)
	case wrong == 0:
		return fault.New(fault.RowsRefused, "rows are doubtful (%d); nothing was stored; accept them, or leave them out", doubtful)
	}
	return fault.New(fault.RowsRefused, "records are wrong (%d) and rows doubtful (%d); nothing was stored; mend them, leave them out, or accept what is doubtful", wrong, doubtful)
}

// leftOut is how many records an order leaves out.
func (o Order) leftOut(r *revision) int { return r.preview.Counts.Wrong + o.doubtful(r) }

func (o Order) doubtful(r *revision) int {
	if o.Accept {
		return 0
	}
	return r.rows.doubts
}

// leftInDoubt is how many good records an order leaves out. Of a line with a doubt they are all that it has.
func (o Order) leftInDoubt(r *revision) int {
	if o.Accept {
		return 0
	}
	return r.rows.beside
}

func (s *Service) setCommitting(k *kept, r *revision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.committing = r
}

// origin says where the records of a revision come from.
func (k *kept) origin(r *revision) batch.Origin {
	return batch.Origin{Kind: k.Kind, Via: batch.Import, File: k.Name, SHA256: k.sha256, Map: r.m.Name, Source: text.Source(r.m.Source)}
}

// doneOf is what became of an import whose rows were stored.
func doneOf(result bulk.Result) *Done {
	done := &Done{Counts: result.Counts}
	if result.Batch != 0 {
		done.Batch = new(batch.BodyOf(result.Stored))
	}
	return done
}

// chosen yields the rows of an order. Of a line with a doubt that is not accepted it yields none.
func (f *rowFile) chosen(ctx context.Context, o Order) iter.Seq2[exchange.Row, error] {
	return func(yield func(exchange.Row, error) bool) {
		var line []exchange.Row
		doubt, stopped := false, errors.New("stopped")
		pass := func() error {
			for _, row := range line {
				if (!doubt || o.Accept) && !yield(row, nil) {
					return stopped
				}
			}
			line, doubt = line[:0], false
			return nil
		}
		err := f.each(ctx, "", 0, func(row *Row) (bool, error) {
			if len(line) > 0 && line[0].Line != row.Line {
				if err := pass(); err != nil {
					return false, err
				}
			}
			line, doubt = append(line, row.Row), doubt || row.open()
			return true, nil
		})
		if err == nil {
			err = pass()
		}
		if err != nil && !errors.Is(err, stopped) {
			yield(exchange.Row{}, err)
		}
	}
}

// open reports whether a good row has a doubt that the map does not accept.
func (r *Row) open() bool {
	return r.Result != "wrong" && slices.ContainsFunc(r.Findings, func(f exchange.Finding) bool { return f.Severity == Doubtful && !f.Accepted })
}
