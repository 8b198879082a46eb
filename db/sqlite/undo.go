package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// undoable are the entities whose changes can be undone.
var undoable = map[journal.Entity]undoer{
	journal.Currencies:  undoing[trading.Currency]{trading.CurrencyFields, putBack(insertCurrency), replaceCurrency, deleteCurrency},
	journal.Companies:   undoing[trading.Company]{trading.CompanyFields, putBack(insertCompany), replaceCompany, deleteCompany},
	journal.Revenues:    undoing[trading.Revenue]{trading.RevenueFields, putBack(insertRevenue), replaceRevenue, deleteRevenue},
	journal.Trades:      undoingTrades{undoing[trading.Trade]{records.TradeFields, putBackTrade, nil, deleteTrade}},
	journal.Departments: undoing[budget.Department]{budget.DepartmentFields, putBack(insertDepartment), replaceDepartment, deleteDepartment},
	journal.Accounts:    undoing[budget.Account]{budget.AccountFields, putBack(insertAccount), replaceAccount, deleteAccount},
	journal.BudgetLines: undoing[budget.Line]{budget.LineFields, insertLine, replaceLine, removeLine},
	journal.Actuals:     undoing[budget.Actual]{budget.ActualFields, insertActual, replaceActual, removeActual},
}

// undoer takes back what an entry says.
type undoer interface {
	undo(ctx context.Context, q *tx, e *journal.Entry) error
}

// undoing is how a record R goes back: it is put back under its id, gets its former fields, or is removed. A nil
// change is of records that nothing changes.
type undoing[R any] struct {
	fields field.List[R] // of the record in the journal
	put    func(context.Context, *tx, R) error
	change func(context.Context, *tx, R) error
	remove func(context.Context, *tx, R) error
}

func (u undoing[R]) undo(ctx context.Context, q *tx, e *journal.Entry) error {
	var was, is R
	if e.Before != nil && !u.fields.Scan(e.Before, &was) || e.After != nil && !u.fields.Scan(e.After, &is) {
		return fault.New(fault.Unavailable, "entry %d of the journal is damaged; nothing was undone; run app verify", e.Seq)
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
	undone := int64(0)
	if e.Action() == journal.Created {
		undone = 1
	}
	return q.SetTradeUndone(ctx, undone, e.EntityID)
}

// changedRecord names a record of a request.
type changedRecord struct {
	entity journal.Entity
	id     int64
}

// undo is the undoing of a request, or of a batch.
type undo struct {
	of      journal.Range
	batch   batch.ID                            // of the entries, 0 for none
	rest    bool                                // what is in the way stays, and the rest is taken back
	left    map[changedRecord][sha256.Size]byte // each record as the request left it
	later   map[changedRecord]fault.Obstacle    // those that newer entries left otherwise
	checked journal.Seq                         // the entry up to which the journal was searched for newer ones
	inWay   fault.Obstacles
	done    journal.Undone
}

func newUndo(of journal.Range) undo {
	return undo{of: of, left: map[changedRecord][sha256.Size]byte{}, later: map[changedRecord]fault.Obstacle{}, checked: of.Last}
}

// undoPage is how many entries an undo reads at a time, and how many records it looks up one by one.
const undoPage = 1000

// Undo implements journal.Store. It searches the journal before the writer is asked, and again what came since.
func (s *Store) Undo(ctx context.Context, of journal.Range, may func(journal.Entry) error) (journal.Undone, error) {
	searched := newUndo(of)
	err := searched.checkRange(ctx, s.reader)
	if err == nil {
		err = searched.prepare(ctx, s.reader, may)
	}
	if err != nil {
		return journal.Undone{}, sqlerr.Classify(err)
	}
	return writeAlone(ctx, s, func(ctx context.Context, q *tx) (journal.Undone, error) {
		u := searched
		err := u.takeBack(ctx, q)
		return u.done, err
	})
}

// takeBack looks again for what came since, and takes the entries back, unless something is in the way.
func (u *undo) takeBack(ctx context.Context, q *tx) error {
	u.done = journal.Undone{Range: u.of}
	if err := u.findNewer(ctx, q.Queries); err != nil {
		return err
	}
	u.addLater()
	if u.inWay.Count == 0 || u.rest {
		if err := u.run(ctx, q); err != nil {
			return err
		}
	}
	if u.rest && u.done.Removed+u.done.Changed+u.done.PutBack > 0 {
		return nil
	}
	return u.inWay.Refuse()
}

// prepare notes the records, and searches the journal for newer entries of them.
func (u *undo) prepare(ctx context.Context, q *gen.Queries, may func(journal.Entry) error) error {
	err := u.entries(ctx, q, func(e *journal.Entry) error {
		if id := batch.ID(e.Batch); id != u.batch {
			return batch.PartOf(id)
		}
		if undoable[e.Entity] == nil {
			u.inWay.Add(fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: fault.NeverUndone})
			return nil
		}
		key := changedRecord{e.Entity, e.EntityID}
		if _, newer := u.left[key]; !newer {
			u.left[key] = sha256.Sum256(e.After)
		}
		return may(*e)
	})
	if err != nil {
		return err
	}
	return u.findNewer(ctx, q)
}

// checkRange returns Invalid if the range is not that of one whole request.
func (u *undo) checkRange(ctx context.Context, q *gen.Queries) error {
	var wrong fault.Fields
	found, err := q.PageJournal(ctx, int64(u.of.First)-1, 1)
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].Seq != int64(u.of.First) {
		wrong.Add("from", "must be the number of an entry of the journal, got %d", u.of.First)
		return wrong.Err()
	}
	whole := journal.Range{First: u.of.First}
	if first := chain.Entry(found[0]).First; first != 0 {
		whole.First = first
	}
	last, err := q.LastOfRequest(ctx, int64(whole.First))
	if err != nil {
		return err
	}
	whole.Last = journal.Seq(last)
	if u.of.First != whole.First {
		wrong.Add("from", "must be %d, the first entry of the request that wrote entry %d", whole.First, u.of.First)
	}
	if u.of.Last != whole.Last {
		wrong.Add("through", "must be %d, the last entry of the request that wrote entry %d", whole.Last, u.of.First)
	}
	return wrong.Err()
}

// entries calls do with each entry, the newest first. It leaves out those that tell of batches, which follow the others.
func (u *undo) entries(ctx context.Context, q *gen.Queries, do func(*journal.Entry) error) error {
	for before := u.of.Last + 1; before > u.of.First; {
		found, err := q.PageJournalDown(ctx, int64(u.of.First), int64(before), undoPage)
		if err != nil {
			return err
		}
		for _, row := range found {
			e := chain.Entry(row)
			if u.batch != 0 && e.Entity == journal.Batches {
				continue
			}
			if err := do(&e); err != nil {
				return err
			}
		}
		before -= journal.Seq(len(found))
		if len(found) == 0 {
			return fault.New(fault.Unavailable, "entry %d of the journal is missing; run app verify", before-1)
		}
	}
	return nil
}

// findNewer reads the newer entries of the records. It looks few records up one by one, along the blocks of the
// index of the journal. For many it reads all newer entries.
func (u *undo) findNewer(ctx context.Context, q *gen.Queries) error {
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return err
	}
	if len(u.left) > undoPage {
		for e, err := range chain.Entries(ctx, q, int64(u.checked)) {
			if err != nil {
				return err
			}
			u.see(&e)
		}
	} else {
		for key := range u.left {
			if err := u.findOf(ctx, q, key); err != nil {
				return err
			}
		}
	}
	u.checked = journal.Seq(newest)
	return nil
}

// findOf reads the newer entries of a record.
func (u *undo) findOf(ctx context.Context, q *gen.Queries, key changedRecord) error {
	for after := int64(u.checked); ; {
		found, err := q.PageRecordJournal(ctx, gen.PageRecordJournalParams{
			Entity: string(key.entity), EntityID: key.id, After: after, Most: undoPage,
		})
		if err != nil {
			return err
		}
		for _, row := range found {
			e := chain.Entry(row)
			u.see(&e)
			after = row.Seq
		}
		if len(found) < undoPage {
			return nil
		}
	}
}

// see notes whether a newer entry left a record otherwise than the request did. Entries that left it so, such as
// those of an undo and of the write that it took back, do not stand in the way.
func (u *undo) see(e *journal.Entry) {
	key := changedRecord{e.Entity, e.EntityID}
	if left, is := u.left[key]; !is {
		return
	} else if left == sha256.Sum256(e.After) {
		delete(u.later, key)
		return
	}
	u.later[key] = fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: fault.ChangedLater, Seq: int64(e.Seq), Actor: e.Actor}
}

// addLater adds the records that newer entries left otherwise, in the order of these entries.
func (u *undo) addLater() {
	later := slices.SortedFunc(maps.Values(u.later), func(a, b fault.Obstacle) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, o := range later {
		u.inWay.Add(o)
	}
}

// run takes the entries back. An entry that cannot be is added to what is in the way, and the older ones of its record
// stay too.
func (u *undo) run(ctx context.Context, q *tx) error {
	return u.entries(ctx, q.Queries, func(e *journal.Entry) error {
		key := changedRecord{e.Entity, e.EntityID}
		if _, stays := u.later[key]; stays {
			return nil
		}
		err := undoable[e.Entity].undo(ctx, q, e)
		if err == nil {
			u.count(e)
			return q.tell(ctx, e.Entity, e.EntityID, e.After, e.Before)
		}
		why, isObstacle := map[fault.Kind]fault.Why{
			fault.InUse: fault.UsedByOthers, fault.AlreadyExists: fault.KeyTaken,
			fault.UnknownReference: fault.ReferenceGone, fault.Invalid: fault.ReferenceGone,
		}[fault.KindOf(err)]
		if !isObstacle {
			return fmt.Errorf("undo of entry %d: %w", e.Seq, err)
		}
		u.later[key] = fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: why, Message: err.Error()}
		u.inWay.Add(u.later[key])
		return nil
	})
}

func (u *undo) count(e *journal.Entry) {
	switch e.Action() {
	case journal.Created:
		u.done.Removed++
	case journal.Removed:
		u.done.PutBack++
	default:
		u.done.Changed++
	}
}
