package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strconv"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/batch"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// changedRecord names a record of a request.
type changedRecord struct {
	entity journal.Entity
	id     int64
}

// undo is the undoing of a request, or of a batch.
type undo struct {
	store   *Store
	of      journal.Range
	batch   batch.ID                            // of the entries, 0 for none
	rest    bool                                // what is in the way stays, and the rest is taken back
	seed    maphash.Seed                        // of the hashes
	left    map[journal.Entity]map[int64]uint64 // the hash of each record as the request left it, by id
	records int                                 // how many these are
	later   map[changedRecord]fault.Obstacle    // those that newer entries left otherwise
	checked journal.Seq                         // the entry up to which the journal was searched for newer ones
	inWay   fault.Obstacles
	done    journal.Undone
}

func newUndo(s *Store, of journal.Range) undo {
	return undo{
		store: s, of: of, seed: maphash.MakeSeed(), left: map[journal.Entity]map[int64]uint64{}, later: map[changedRecord]fault.Obstacle{}, checked: of.Last,
	}
}

// undoPage is how many entries an undo reads and takes back at a time, and how many records it looks up one by one.
const undoPage = 1000

// Undo implements journal.Store. It searches the journal before the writer is asked, and again what came since.
func (s *Store) Undo(ctx context.Context, of journal.Range, may func(journal.Entry) error) (journal.Undone, error) {
	searched := newUndo(s, of)
	err := searched.checkRange(ctx, s.reader)
	if err == nil {
		err = searched.prepare(ctx, may)
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
	if err := u.addLater(ctx, q.Queries); err != nil {
		return err
	}
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
func (u *undo) prepare(ctx context.Context, may func(journal.Entry) error) error {
	for page, err := range u.pages(ctx) {
		if err != nil {
			return err
		}
		for i := range page {
			if err := u.note(ctx, &page[i], may); err != nil {
				return err
			}
		}
	}
	return u.findNewer(ctx, u.store.reader)
}

// note notes the record of an entry, unless a newer one of the request has left it.
func (u *undo) note(ctx context.Context, e *journal.Entry, may func(journal.Entry) error) error {
	if id := batch.ID(e.Batch); id != u.batch {
		return batch.PartOf(id)
	}
	if undoable[e.Entity] == nil {
		return u.stop(ctx, u.store.reader, fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: fault.NeverUndone}, e)
	}
	of := u.left[e.Entity]
	if of == nil {
		of = map[int64]uint64{}
		u.left[e.Entity] = of
	}
	if _, newer := of[e.EntityID]; !newer {
		of[e.EntityID] = maphash.Bytes(u.seed, e.After)
		u.records++
	}
	return may(*e)
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

// pages yields the entries in pages, the newest first. It leaves out those that tell of batches, which follow the others.
func (u *undo) pages(ctx context.Context) iter.Seq2[[]journal.Entry, error] {
	return func(yield func([]journal.Entry, error) bool) {
		for before := u.of.Last + 1; before > u.of.First; {
			var page []journal.Entry
			err := u.store.scan(ctx, func(one *scanner) (err error) {
				page, err = pageDown(one.conn, u.of.First, before)
				return err
			})
			if err == nil && len(page) == 0 {
				err = fault.New(fault.Unavailable, "entry %d of the journal is missing; run app verify", before-1)
			}
			before -= journal.Seq(len(page))
			page = slices.DeleteFunc(page, func(e journal.Entry) bool { return u.batch != 0 && e.Entity == journal.Batches })
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// pageDown reads entries from one to before another, the newest first.
func pageDown(conn *cursor.Conn, first, before journal.Seq) (page []journal.Entry, err error) {
	down, err := cursor.Prepare[gen.Journal](conn, gen.PageJournalDown)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, down.Close()) }()
	page = make([]journal.Entry, 0, undoPage)
	for row, err := range down.All(int64(first), int64(before), int64(undoPage)) {
		if err != nil {
			return nil, err
		}
		page = append(page, chain.Entry(*row))
	}
	return page, nil
}

// findNewer reads the newer entries of the records. It looks few records up one by one, along the blocks of the
// index of the journal. For many it reads all newer entries.
func (u *undo) findNewer(ctx context.Context, q *gen.Queries) error {
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return err
	}
	if u.records > undoPage {
		for e, err := range chain.Entries(ctx, q, int64(u.checked)) {
			if err != nil {
				return err
			}
			u.see(&e)
		}
	} else {
		for entity, of := range u.left {
			for id := range of {
				if err := u.findOf(ctx, q, changedRecord{entity, id}); err != nil {
					return err
				}
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
	if left, is := u.left[e.Entity][e.EntityID]; !is {
		return
	} else if left == maphash.Bytes(u.seed, e.After) {
		delete(u.later, key)
		return
	}
	u.later[key] = fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: fault.ChangedLater, Seq: int64(e.Seq), Actor: e.Actor}
}

// addLater adds the records that newer entries left otherwise, in the order of these entries.
func (u *undo) addLater(ctx context.Context, q *gen.Queries) error {
	later := slices.SortedFunc(maps.Values(u.later), func(a, b fault.Obstacle) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, o := range later {
		var e journal.Entry
		if !u.inWay.Full() {
			found, err := q.PageJournal(ctx, o.Seq-1, 1)
			if err != nil {
				return err
			}
			e = chain.Entry(found[0])
		}
		if err := u.stop(ctx, q, o, &e); err != nil {
			return err
		}
	}
	return nil
}

// stop adds the record of an entry to what is in the way, with the words for it if it is shown.
func (u *undo) stop(ctx context.Context, q *gen.Queries, o fault.Obstacle, e *journal.Entry) (err error) {
	if !u.inWay.Full() {
		o.Record, err = records.Words(e, records.Names{
			Department: func(id int64) (string, error) {
				d, err := q.GetDepartment(ctx, id)
				return called(d.Name, id, err)
			},
			Account: func(id int64) (string, error) {
				a, err := q.GetAccount(ctx, id)
				return called(a.Code, id, err)
			},
		})
	}
	u.inWay.Add(o)
	return err
}

// called is a name, or the id of a record that is gone.
func called(name string, id int64, err error) (string, error) {
	if sqlerr.IsNoRow(err) {
		return strconv.FormatInt(id, 10), nil
	}
	return name, err
}

// run takes the entries back. An entry that cannot be is added to what is in the way, and the older ones of its record
// stay too.
func (u *undo) run(ctx context.Context, q *tx) error {
	for page, err := range ahead(u.pages(ctx), 1) {
		for len(page) > 0 && err == nil {
			var done int
			if done, err = u.runMany(ctx, q, page); err != nil {
				break
			}
			if page = page[done:]; len(page) > 0 {
				err = u.runOne(ctx, q, &page[0])
				page = page[1:]
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runOne takes an entry back, or adds it to what is in the way.
func (u *undo) runOne(ctx context.Context, q *tx, e *journal.Entry) error {
	if u.stays(e) {
		return nil
	}
	err := undoable[e.Entity].undo(ctx, q, e)
	if err == nil {
		return u.tell(ctx, q, e)
	}
	why, isObstacle := map[fault.Kind]fault.Why{
		fault.InUse: fault.UsedByOthers, fault.AlreadyExists: fault.KeyTaken,
		fault.UnknownReference: fault.ReferenceGone, fault.Invalid: fault.ReferenceGone,
	}[fault.KindOf(err)]
	if !isObstacle {
		return fmt.Errorf("undo of entry %d: %w", e.Seq, err)
	}
	o := fault.Obstacle{Entity: string(e.Entity), ID: e.EntityID, Why: why, Message: err.Error()}
	u.later[changedRecord{e.Entity, e.EntityID}] = o
	return u.stop(ctx, q.Queries, o, e)
}

// stays reports whether something is in the way of the record of an entry.
func (u *undo) stays(e *journal.Entry) bool {
	_, stays := u.later[changedRecord{e.Entity, e.EntityID}]
	return stays
}

// tell counts and journals an entry that was taken back.
func (u *undo) tell(ctx context.Context, q *tx, e *journal.Entry) error {
	u.count(e)
	return q.tell(ctx, e.Entity, e.EntityID, e.After, e.Before)
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
