// Package commit stores the rows of a file: it reads their texts as records, puts these in the order in which a store
// takes them, and passes them on with what a check of the file saw, if it was compared with what is stored.
//
// It must not know how a store keeps them, nor how the file was read.
package commit

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/sorted"
	"daybook/internal/spool"
	"daybook/internal/trading"
)

// Store takes the records of all kinds. Its methods store all rows in one transaction, or none. RowsRefused: rows are
// wrong; the cause is a bulk.RefusedError. ChangedSince: records are not as the check saw them; the cause is a
// bulk.ConflictsError.
type Store interface {
	exchange.Database
	StoreCurrencies(ctx context.Context, rows bulk.Rows[trading.Currency]) (bulk.Result, error)
	StoreCompanies(ctx context.Context, rows bulk.Rows[trading.Company]) (bulk.Result, error)
	StoreRevenues(ctx context.Context, rows bulk.Rows[trading.Revenue]) (bulk.Result, error)
	StoreDepartments(ctx context.Context, rows bulk.Rows[budget.Department]) (bulk.Result, error)
	StoreAccounts(ctx context.Context, rows bulk.Rows[budget.Account]) (bulk.Result, error)
	StoreLines(ctx context.Context, rows bulk.Rows[budget.Line]) (bulk.Result, error)
	StoreActuals(ctx context.Context, rows bulk.Rows[budget.Actual]) (bulk.Result, error)
	StoreTrades(ctx context.Context, rows bulk.Rows[trading.Trade]) (bulk.Result, error)
}

// Commit is what is stored of a file.
type Commit struct {
	Kind    string
	Rows    iter.Seq2[exchange.Row, error] // all rows of the file. Those that are wrong or skipped are left out
	Skipped int64                          // rows that the counts of the result have beside these
	LeftOut bulk.LeftOut                   // and records

	// Existing says what happens to records that are stored, if the rows were not compared with them. Then those that are
	// skipped are counted.
	Existing bulk.Existing

	Anyway func(line int) bool   // reports whether a trade is stored also if it is there already; may be nil
	Told   func(done, all int64) // is called while the rows are stored; may be nil
	Batch  batch.Origin          // but for its kind and its way
	Spool  spool.Folder
}

// Conflict is a record that is not as the check saw it.
type Conflict struct {
	Line  int              `json:"line"`
	Seen  *exchange.Fields `json:"seen"` // null for none
	Is    *exchange.Fields `json:"is"`
	Seq   int64            `json:"seq,omitzero"` // of the newest entry of the record
	At    time.Time        `json:"at,omitzero"`
	Actor string           `json:"actor,omitempty"`
}

// ConflictsError has at most 100 conflicts. It is the cause of a fault.
type ConflictsError struct {
	Conflicts []Conflict
	Total     int64
}

func (*ConflictsError) Error() string { return "records have changed" }

// Run stores the rows. ChangedSince: records are not as the check saw them; the cause is a ConflictsError, or a record
// that rows name is gone. The other errors are those of the rows and of the Store. Unavailable also: the disk refuses.
func (c Commit) Run(ctx context.Context, store Store) (bulk.Result, error) {
	c.Batch.Kind, c.Batch.Via = c.Kind, batch.Import
	if c.Existing != "" {
		c.Batch.Via = batch.Bulk
	}
	var codecs *exchange.Codecs
	err := store.Compare(ctx, func(one exchange.Stored) (err error) {
		codecs, err = exchange.NewCodecs(one, c.Kind)
		return err
	})
	if err != nil {
		return bulk.Result{}, err
	}
	switch c.Kind {
	case "currencies":
		return run(ctx, c, codecs.Currencies(), nil, store.StoreCurrencies)
	case "companies":
		return run(ctx, c, codecs.Companies(), nil, store.StoreCompanies)
	case "revenue":
		return run(ctx, c, codecs.Revenues(), nil, store.StoreRevenues)
	case "departments":
		return run(ctx, c, codecs.Departments(), nil, store.StoreDepartments)
	case "accounts":
		return run(ctx, c, codecs.Accounts(), nil, store.StoreAccounts)
	case "budgets":
		return run(ctx, c, codecs.Lines(), func(l *budget.Line) sorted.Key { return l.Order() }, store.StoreLines)
	case "actuals":
		return run(ctx, c, codecs.Actuals(), func(a *budget.Actual) sorted.Key { return a.Order() }, store.StoreActuals)
	case "trades":
		return run(ctx, c, codecs.Trades(), nil, store.StoreTrades)
	}
	return bulk.Result{}, fault.New(fault.Internal, "no rows of the kind %s are stored", c.Kind)
}

// run stores the rows of a kind. Without a key they keep the order of the check.
func run[R any](ctx context.Context, c Commit, codec exchange.Codec[R], key func(*R) sorted.Key, store func(context.Context, bulk.Rows[R]) (bulk.Result, error)) (result bulk.Result, err error) {
	kept, err := sorted.New(c.Spool)
	if err != nil {
		return result, noRoom(err)
	}
	defer func() { _ = kept.Close() }() // what was stored does not depend on it
	w := writer[R]{Commit: c, codec: &codec, key: key, to: kept}
	for row, err := range c.Rows {
		if err == nil {
			err = w.take(&row)
		}
		if err != nil {
			return result, err
		}
		if ctx.Err() != nil {
			return result, fault.Wrap(fault.Unavailable, ctx.Err(), "the request was canceled before it was done")
		}
	}
	if err := kept.End(); err != nil {
		return result, noRoom(err)
	}
	rows := bulk.Rows[R]{All: w.told(w.all()), Existing: cmp.Or(c.Existing, bulk.Replace), Skipped: w.Skipped, LeftOut: c.LeftOut, Batch: c.Batch}
	result, err = store(ctx, rows)
	return result, inTexts(&codec, err)
}

func noRoom(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the server cannot keep the rows on its disk; nothing was stored")
}

// inTexts is an error with its conflicts in texts.
func inTexts[R any](codec *exchange.Codec[R], err error) error {
	found, is := errors.AsType[*bulk.ConflictsError](err)
	changed, said := errors.AsType[*fault.Error](err)
	if !is || !said {
		return err
	}
	texts := func(written []byte) *exchange.Fields {
		var record R
		if written == nil || !codec.Scan(written, &record) {
			return nil
		}
		return codec.Fields(&record)
	}
	conflicts := &ConflictsError{Total: found.Total}
	for _, one := range found.Conflicts {
		conflicts.Conflicts = append(conflicts.Conflicts, Conflict{one.Line, texts(one.Seen), texts(one.Is), one.Seq, one.At, one.Actor})
	}
	return fault.Wrap(fault.ChangedSince, conflicts, "%s", changed.Message)
}
