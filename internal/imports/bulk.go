package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"

	"daybook/internal/batch"
	"daybook/internal/bulk"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// TooLarge is the kind of the fault of a file with too many rows, or too long ones.
const TooLarge fault.Kind = "a file over a limit"

// Bulk is a file with our own columns, which is stored at once: nothing in it can mean two things.
type Bulk struct {
	Kind       string
	Content    io.ReaderAt
	Size       int64
	Existing   bulk.Existing // what happens to records that are stored
	Duplicates string        // as exchange.Map has it
	Source     text.Source
}

// Store stores all rows of a file in one transaction, or none. RowsRefused: rows are wrong; the cause is a
// bulk.RefusedError. Unreadable, TooLarge. Else errors as those of commit.Commit.
func (s *Service) Store(ctx context.Context, b Bulk) (bulk.Result, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(b.Content, 0, b.Size)); err != nil {
		return bulk.Result{}, unkeepable(err)
	}
	return commit.Commit{
		Kind: b.Kind, Rows: s.good(ctx, b), Existing: b.Existing, Spool: s.folder,
		Batch: batch.Origin{SHA256: hex.EncodeToString(hash.Sum(nil)), Source: b.Source},
	}.Run(ctx, s.books)
}

// good yields the rows of a file. If some are wrong, it ends with RowsRefused.
func (s *Service) good(ctx context.Context, b Bulk) iter.Seq2[exchange.Row, error] {
	return func(yield func(exchange.Row, error) bool) {
		var result bulk.Result
		stopped := errors.New("stopped")
		err := s.books.Compare(ctx, func(stored exchange.Stored) error {
			file, err := tables.Open(b.Content, b.Size, tables.Options{})
			if err != nil {
				return err
			}
			defer func() { _ = file.Close() }() // nothing depends on it
			store, err := exchange.NewStore(stored, b.Kind)
			if err != nil {
				return err
			}
			return exchange.Read(ctx, exchange.Source{
				File: file, Kind: b.Kind, Map: exchange.Map{Duplicates: b.Duplicates}, Store: store, Each: func(row exchange.Row) error {
					if row.Result == exchange.ResultWrong {
						refuse(&result, &row)
					} else if !yield(row, nil) {
						return stopped
					}
					return nil
				},
			})
		})
		if err = limited(err); err == nil {
			err = result.Refused()
		}
		if err != nil && !errors.Is(err, stopped) {
			yield(exchange.Row{}, err)
		}
	}
}

// refuse adds the findings of a wrong row.
func refuse(result *bulk.Result, row *exchange.Row) {
	result.Counts.Wrong++
	for _, f := range row.Findings {
		result.Add(bulk.Finding{Line: f.Line, Field: f.Field, Value: f.Value, Code: bulk.Code(f.Code), Message: f.Message})
	}
}

// limited is the fault of a file that cannot be read, with a kind of its own for one over a limit.
func limited(err error) error {
	if e, is := errors.AsType[*tables.Error](err); is && (e.Reason == tables.TooLarge || e.Reason == tables.TooManyRows) {
		return fault.New(TooLarge, "%s", e.Message)
	}
	return faultOf(err)
}
