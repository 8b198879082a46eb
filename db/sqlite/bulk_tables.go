package sqlite

import (
	"cmp"
	"context"
	"errors"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// StoreActuals implements budget.Store.
func (s *Store) StoreActuals(ctx context.Context, actuals bulk.Rows[budget.Actual]) (bulk.Result, error) {
	return storeMany(ctx, s, &manyActuals, actuals)
}

// StoreLines implements budget.Store.
func (s *Store) StoreLines(ctx context.Context, lines bulk.Rows[budget.Line]) (bulk.Result, error) {
	return storeMany(ctx, s, &manyLines, lines)
}

var manyActuals = bulkTable[budget.Actual, gen.Actual]{
	entity: journal.Actuals, sequence: rows.ActualIDs, number: func(n *numbers) *number { return &n.actuals },
	between: `SELECT EXISTS (SELECT 1 FROM actuals
WHERE (fiscal_year, fiscal_period, department_id, gl_account_id) >= (?, ?, ?, ?)
  AND (fiscal_year, fiscal_period, department_id, gl_account_id) <= (?, ?, ?, ?))`,
	byKey: gen.GetActualByKey, insert: gen.InsertActual, update: gen.ReplaceActual, remove: gen.DeleteActualByKey,
	key: func(a *budget.Actual) []any {
		return []any{int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID)}
	},
	columns: func(a *budget.Actual) []any {
		return []any{int64(a.ID), int64(a.DepartmentID), int64(a.AccountID), int64(a.Year), int64(a.Period), int64(a.Amount), string(a.Currency), string(a.Source)}
	},
	changes: func(a *budget.Actual) []any {
		return []any{int64(a.Amount), string(a.Currency), string(a.Source), int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID)}
	},
	record: records.Actual, stored: rows.Actual,
	id:       func(a *budget.Actual) *int64 { return (*int64)(&a.ID) },
	currency: func(a *budget.Actual) money.Currency { return a.Currency },
	keep:     func(a, stored *budget.Actual) { a.Source = cmp.Or(a.Source, stored.Source) },
}

var manyLines = bulkTable[budget.Line, gen.BudgetLine]{
	entity: journal.BudgetLines, sequence: rows.BudgetLineIDs, number: func(n *numbers) *number { return &n.budgetLines },
	between: `SELECT EXISTS (SELECT 1 FROM budget_lines
WHERE (fiscal_year, fiscal_period, version, department_id, gl_account_id) >= (?, ?, ?, ?, ?)
  AND (fiscal_year, fiscal_period, version, department_id, gl_account_id) <= (?, ?, ?, ?, ?))`,
	byKey: gen.GetLineByKey, insert: gen.InsertLine, update: gen.ReplaceLine, remove: gen.DeleteLineByKey,
	key: func(l *budget.Line) []any {
		return []any{int64(l.Year), int64(l.Period), string(l.Version), int64(l.DepartmentID), int64(l.AccountID)}
	},
	columns: func(l *budget.Line) []any {
		return []any{int64(l.ID), int64(l.DepartmentID), int64(l.AccountID), int64(l.Year), int64(l.Period), string(l.Version), int64(l.Amount), string(l.Currency), string(l.Notes)}
	},
	changes: func(l *budget.Line) []any {
		return []any{int64(l.Amount), string(l.Currency), string(l.Notes), int64(l.ID)}
	},
	record: records.Line, stored: rows.Line,
	id:       func(l *budget.Line) *int64 { return (*int64)(&l.ID) },
	currency: func(l *budget.Line) money.Currency { return l.Currency },
	keep:     func(l, stored *budget.Line) { l.Notes = cmp.Or(l.Notes, stored.Notes) },
}

// mostPositions is how many positions a transaction with many trades holds until it writes them.
const mostPositions = 10_000

// StoreTrades implements trading.Store.
func (s *Store) StoreTrades(ctx context.Context, trades bulk.Rows[trading.Trade]) (bulk.Result, error) {
	return writeAlone(ctx, s, func(ctx context.Context, q *tx) (bulk.Result, error) {
		b := bulkTrades{tx: q, known: currencies{}, source: string(trades.Batch.Source), existing: trades.Existing}
		b.result.Counts.Skipped = trades.Skipped
		q.beginBatch(trades.Batch)
		err := inSlices(trades.All, func(slice []bulk.Row[trading.Trade]) error { return b.store(ctx, slice) })
		if err := cmp.Or(err, b.conflicts.Refuse()); err != nil {
			return b.result, err
		}
		if err := q.endBulk(ctx, &b.result, trades.LeftOut); err != nil {
			return b.result, err
		}
		return b.result, b.putPositions(ctx)
	})
}

// bulkTrades is the storing of many trades.
type bulkTrades struct {
	tx       *tx
	known    currencies
	source   string
	existing bulk.Existing
	result   bulk.Result

	conflicts bulk.ConflictsError
}

// store stores a slice, unless a row was wrong or a conflict. Then it only looks for others.
func (b *bulkTrades) store(ctx context.Context, slice []bulk.Row[trading.Trade]) error {
	for i := range slice {
		trade := &slice[i].Record
		wrong, err := b.known.check(ctx, b.tx.Queries, "currency_code", trade.Currency)
		if err != nil {
			return err
		}
		if wrong != nil {
			refuse(&b.result, &slice[i], *wrong)
		}
		*trade = trade.Dated(b.tx.journal.At)
	}
	corrected, slice, err := b.corrected(ctx, slice)
	if err != nil {
		return err
	}
	if b.existing != bulk.Add {
		if slice, err = b.compare(ctx, slice); err != nil {
			return err
		}
	}
	if b.result.Counts.Wrong > 0 || b.conflicts.Total > 0 {
		return nil
	}
	if err := b.correct(ctx, corrected); err != nil {
		return err
	}
	if err := b.insert(slice); err != nil {
		return err
	}
	for i := range slice {
		trade := slice[i].Record
		if err := b.tx.positions.take(ctx, b.tx.Queries, trade); err != nil {
			return err
		}
		if err := b.tx.tell(ctx, journal.Trades, int64(trade.ID), nil, records.Trade(trade)); err != nil {
			return err
		}
		b.result.Counts.New++
	}
	if len(b.tx.positions.own) < mostPositions {
		return nil
	}
	return b.putPositions(ctx)
}

// tradeColumns are the columns of a trade with its id.
func tradeColumns(t *trading.Trade) []any {
	return []any{int64(t.ID), string(t.Symbol), string(t.Currency), int64(t.Shares), int64(t.Product), int64(t.Side), int64(t.Price), t.Date.UnixNano()}
}

// tradeChanges are the values of a trade that changes.
func tradeChanges(t *trading.Trade) []any { return append(tradeColumns(t)[1:], int64(t.ID)) }

// corrected takes the trades out of a slice that a file names by their ids, but for those that are as they were. One that
// is not as the check of the file saw it is a conflict.
func (b *bulkTrades) corrected(ctx context.Context, slice []bulk.Row[trading.Trade]) (changed, left []bulk.Row[trading.Trade], err error) {
	for i := range slice {
		row := &slice[i]
		if !row.ByID {
			left = append(left, *row)
			continue
		}
		stored, err := first(rows.Trade)(b.tx.ListTrades(ctx, int64(row.Record.ID)-1, int64(row.Record.ID), 1))
		switch {
		case err != nil:
			return nil, nil, err
		case !same(row.Seen, stored):
			err = conflict(ctx, b.tx, &b.conflicts, journal.Trades, row, stored, tradeFields, func(t *trading.Trade) *int64 { return (*int64)(&t.ID) })
			if err != nil {
				return nil, nil, err
			}
		case row.Record == *stored:
			b.result.Counts.Unchanged++
		default:
			changed = append(changed, *row)
		}
	}
	return changed, left, nil
}

// tradeFields is a trade in the fields of its kind.
func tradeFields(t trading.Trade) []byte {
	written, _ := trading.TradeFields.Append(nil, &t) // a checked trade can be written
	return written
}

// correct stores trades under their ids, and folds the positions again that they were in and are in. An import goes on
// to remember them by what its source brought, so the same file again does not bring that back.
func (b *bulkTrades) correct(ctx context.Context, changed []bulk.Row[trading.Trade]) error {
	for i := range changed {
		before, after := *changed[i].Seen, changed[i].Record
		if err := updateTrade(ctx, b.tx, before, after); err != nil {
			return err
		}
		if err := b.tx.tell(ctx, journal.Trades, int64(after.ID), records.Trade(before), records.Trade(after)); err != nil {
			return err
		}
		b.result.Counts.Changed++
	}
	return nil
}

// compare returns the trades of a slice that are new. A trade of a file that was checked is a conflict if it is there now
// and was not, or is not and was.
func (b *bulkTrades) compare(ctx context.Context, slice []bulk.Row[trading.Trade]) (left []bulk.Row[trading.Trade], err error) {
	var differ []*bulk.Row[trading.Trade]
	err = cursor.Lend(b.tx.conn.Raw, func(conn *cursor.Conn) (err error) {
		known, err := prepareKnown(conn)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, known.close()) }()
		for i := range slice {
			row := &slice[i]
			if row.Anyway {
				left = append(left, *row)
				continue
			}
			found, err := known.of(b.source, row.Foreign, row.Record, row.Nth)
			switch {
			case err != nil:
				return err
			case row.Checked && (found.Differs || row.Known != (row.Nth <= found.Already)):
				differ = append(differ, row)
			case found.Differs:
				refuse(&b.result, row, bulk.Finding{Field: "external_id", Value: row.Foreign, Code: bulk.DiffersFromKnown, Message: "The trade came in before with other content. Correct it where it is stored, or take the row out."})
			case row.Nth > found.Already:
				left = append(left, *row)
			case b.existing == bulk.Refuse:
				refuse(&b.result, row, bulk.Finding{Code: bulk.ExistsAlready, Message: "The trade is stored already."})
			default:
				b.result.Counts.Already++
			}
		}
		return nil
	})
	for _, row := range differ {
		if err == nil {
			err = b.conflict(ctx, row)
		}
	}
	return left, err
}

// conflict adds a trade that is not as the check of its file saw it, with the newest trade that is like it.
func (b *bulkTrades) conflict(ctx context.Context, row *bulk.Row[trading.Trade]) error {
	like := row.Record
	id, err := b.tx.NewestLikeTrade(ctx, gen.NewestLikeTradeParams{
		Hash: contentOf(like), Source: b.source, ExternalID: row.Foreign, Symbol: string(like.Symbol), CurrencyCode: string(like.Currency),
		Product: int64(like.Product), TradedAt: like.Date.UnixNano(), Shares: int64(like.Shares), Side: int64(like.Side), Price: int64(like.Price),
	})
	if err != nil {
		return err
	}
	c := bulk.Conflict{Line: row.Line}
	if row.Known {
		like.ID = trading.TradeID(id)
		c.Seen = tradeFields(like)
	}
	is, err := first(rows.Trade)(b.tx.ListTrades(ctx, id-1, id, 1))
	if err != nil {
		return err
	}
	if is != nil {
		c.Is = tradeFields(*is)
	}
	return addConflict(ctx, b.tx, &b.conflicts, journal.Trades, id, c)
}

// insert gives the trades of a slice their ids and inserts them. They are remembered, so that their source does not bring
// them again, unless they have no source and are only added.
func (b *bulkTrades) insert(slice []bulk.Row[trading.Trade]) error {
	return cursor.Lend(b.tx.conn.Raw, func(conn *cursor.Conn) (err error) {
		newest, err := cursor.Prepare[int64](conn, "SELECT seq FROM sqlite_sequence WHERE name = 'trades'")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, newest.Close()) }()
		last, err := newest.Last()
		if err != nil {
			return err
		}
		insert, err := cursor.PrepareInsert(conn, gen.PutBackTrade)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, insert.Close()) }()
		remember, err := cursor.PrepareInsert(conn, gen.RememberTrade)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remember.Close()) }()
		for i := range slice {
			t := &slice[i].Record
			t.ID = trading.TradeID(last + 1 + int64(i))
			if err := insert.Add(tradeColumns(t)...); err != nil {
				return err
			}
			if row := &slice[i]; b.existing != bulk.Add || b.source != "" {
				if err := remember.Add(int64(t.ID), b.source, row.Foreign, contentOf(*t), int64(row.Nth), int64(0)); err != nil {
					return err
				}
			}
		}
		return errors.Join(insert.Flush(), remember.Flush())
	})
}

// putPositions writes the positions that have changed.
func (b *bulkTrades) putPositions(ctx context.Context) error {
	for instrument, held := range b.tx.positions.own {
		if err := put(ctx, held, b.tx, instrument); err != nil {
			return err
		}
		delete(b.tx.positions.own, instrument)
	}
	return nil
}
