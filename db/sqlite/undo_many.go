package sqlite

import (
	"context"
	"errors"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// undoneMany says how many records R go back below database/sql, where each takes a third of the time.
type undoneMany[R any] struct {
	put, change, remove string         // the statements
	columns             func(*R) []any // of put
	changes             func(*R) []any // of change
	key                 func(*R) []any // of remove
	currency            func(*R) money.Currency
}

func undoneIn[R comparable, Row any](t *bulkTable[R, Row]) undoneMany[R] {
	return undoneMany[R]{t.insert, t.update, t.remove, t.columns, t.changes, t.key, t.currency}
}

var (
	undoneActuals = undoneIn(&manyActuals)
	undoneLines   = undoneIn(&manyLines)
	undoneTrades  = undoneMany[trading.Trade]{
		put: gen.PutBackTrade, remove: gen.DeleteTrade, columns: tradeColumns,
		key:      func(t *trading.Trade) []any { return []any{int64(t.ID)} },
		currency: func(t *trading.Trade) money.Currency { return t.Currency },
	}
)

// below is the undo of a page of entries below database/sql.
type below struct {
	tx         *tx
	conn       *cursor.Conn
	statements map[string]*cursor.Update
}

// runMany takes back the first entries of a page, up to one that something is in the way of, or that is of records of which
// there are never many. It returns how many these are.
func (u *undo) runMany(ctx context.Context, q *tx, page []journal.Entry) (done int, err error) {
	err = cursor.Lend(q.conn.Raw, func(conn *cursor.Conn) (err error) {
		b := &below{q, conn, map[string]*cursor.Update{}}
		defer func() { err = errors.Join(err, b.close()) }()
		for ; done < len(page); done++ {
			e := &page[done]
			if u.stays(e) {
				continue
			}
			if undone, err := undoable[e.Entity].undoBelow(b, e); err != nil || !undone {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, err
	}
	for i := range page[:done] {
		if e := &page[i]; !u.stays(e) {
			if err := u.tell(ctx, q, e); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// run runs a statement. It reports false if a key is taken or a parent is gone.
func (b *below) run(text string, parameters ...any) (bool, error) {
	s := b.statements[text]
	if s == nil {
		var err error
		if s, err = cursor.PrepareUpdate(b.conn, text); err != nil {
			return false, err
		}
		b.statements[text] = s
	}
	err := s.Run(parameters...)
	if sqlerr.IsDuplicate(err) || sqlerr.IsForeignKey(err) {
		return false, nil
	}
	return err == nil, err
}

func (b *below) close() (err error) {
	for _, s := range b.statements {
		err = errors.Join(err, s.Close())
	}
	return err
}

func (u undoing[R]) undoBelow(b *below, e *journal.Entry) (bool, error) {
	if u.many == nil {
		return false, nil
	}
	was, is, err := u.read(e)
	if err != nil {
		return false, err
	}
	if e.Action() == journal.Created {
		return b.run(u.many.remove, u.many.key(&is)...)
	}
	if !u.many.currency(&was).Plain() { // it may be gone
		return false, nil
	}
	if e.Action() == journal.Removed {
		return b.run(u.many.put, u.many.columns(&was)...)
	}
	return b.run(u.many.change, u.many.changes(&was)...)
}

func (u undoingTrades) undoBelow(b *below, e *journal.Entry) (bool, error) {
	undone, err := u.undoing.undoBelow(b, e)
	if err != nil || !undone {
		return false, err
	}
	was, is, err := u.read(e)
	if err != nil {
		return false, err
	}
	if e.After != nil {
		was = is
	}
	b.tx.positions.change(was.Instrument, was.Date)
	if e.Batch == 0 {
		return true, nil
	}
	return b.run(gen.SetTradeUndone, undoneOf(e), e.EntityID)
}
