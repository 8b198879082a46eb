package sqlite

import (
	"context"
	"errors"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// undoable are the entities whose changes can be undone.
var undoable = map[journal.Entity]undoer{
	journal.Currencies:  undoing[trading.Currency]{trading.CurrencyFields, putBack(insertCurrency), replaceCurrency, deleteCurrency, nil},
	journal.Companies:   undoing[trading.Company]{trading.CompanyFields, putBack(insertCompany), replaceCompany, deleteCompany, nil},
	journal.Revenues:    undoing[trading.Revenue]{trading.RevenueFields, putBack(insertRevenue), replaceRevenue, deleteRevenue, nil},
	journal.Trades:      undoingTrades{undoing[trading.Trade]{records.TradeFields, putBackTrade, replaceTrade, deleteTrade, &undoneTrades}},
	journal.Departments: undoing[budget.Department]{budget.DepartmentFields, putBack(insertDepartment), replaceDepartment, deleteDepartment, nil},
	journal.Accounts:    undoing[budget.Account]{budget.AccountFields, putBack(insertAccount), replaceAccount, deleteAccount, nil},
	journal.BudgetLines: undoing[budget.Line]{budget.LineFields, insertLine, replaceLine, removeLine, &undoneLines},
	journal.Actuals:     undoing[budget.Actual]{budget.ActualFields, insertActual, replaceActual, removeActual, &undoneActuals},
}

// undoer takes back what an entry says.
type undoer interface {
	undo(ctx context.Context, q *tx, e *journal.Entry) error
	// undoBelow is undo below database/sql. It reports false where something is in the way, and has changed nothing then:
	// undo says what it is.
	undoBelow(b *below, e *journal.Entry) (bool, error)
}

// undoing is how a record R goes back: it is put back under its id, gets its former fields, or is removed. A nil
// change is of records that nothing changes.
type undoing[R any] struct {
	fields field.List[R] // of the record in the journal
	put    func(context.Context, *tx, R) error
	change func(context.Context, *tx, R) error
	remove func(context.Context, *tx, R) error
	many   *undoneMany[R] // nil where there are never many
}

// read returns the record before an entry, and after it.
func (u undoing[R]) read(e *journal.Entry) (was, is R, err error) {
	if e.Before != nil && !u.fields.Scan(e.Before, &was) || e.After != nil && !u.fields.Scan(e.After, &is) {
		err = fault.New(fault.Unavailable, "entry %d of the journal is damaged; nothing was undone; run app verify", e.Seq)
	}
	return was, is, err
}

func (u undoing[R]) undo(ctx context.Context, q *tx, e *journal.Entry) error {
	was, is, err := u.read(e)
	if err != nil {
		return err
	}
	switch e.Action() {
	case journal.Created:
		return u.remove(ctx, q, is)
	case journal.Removed:
		return u.put(ctx, q, was)
	}
	return u.change(ctx, q, was)
}

// putBack is an insert without its result.
func putBack[R any](insert func(context.Context, *tx, R) (R, error)) func(context.Context, *tx, R) error {
	return func(ctx context.Context, q *tx, r R) error {
		_, err := insert(ctx, q, r)
		return err
	}
}

// undoingTrades is undoing of trades. A trade whose batch is undone no longer counts as one that an import has stored,
// until a redo. A void is of no batch: a trade that is voided, or voided again, still counts.
type undoingTrades struct{ undoing[trading.Trade] }

func (u undoingTrades) undo(ctx context.Context, q *tx, e *journal.Entry) error {
	if err := u.undoing.undo(ctx, q, e); err != nil || e.Batch == 0 {
		return err
	}
	return q.SetTradeUndone(ctx, undoneOf(e), e.EntityID)
}

// undoneOf tells of a trade whether its import is undone after the undo of an entry.
func undoneOf(e *journal.Entry) int64 {
	if e.Action() == journal.Created {
		return 1
	}
	return 0
}

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
		put: gen.PutBackTrade, change: gen.ReplaceTrade, remove: gen.DeleteTrade, columns: tradeColumns, changes: tradeChanges,
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

// runMany takes back entries of a page from its beginning. It stops at an entry that something is in the way of, and at
// one of a kind of record that is never changed in great numbers. It returns how many entries it took back.
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
	if e.Before != nil {
		b.tx.positions.change(was.Instrument, was.Date)
	}
	if e.After != nil {
		b.tx.positions.change(is.Instrument, is.Date)
	}
	if e.Batch == 0 {
		return true, nil
	}
	return b.run(gen.SetTradeUndone, undoneOf(e), e.EntityID)
}
