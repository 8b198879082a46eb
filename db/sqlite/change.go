package sqlite

import (
	"time"

	"daybook/db/records"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// change is a budget line or an actual that came or went, as the journal tells. One that
// was changed went as it was, and came as it is.
type change struct {
	budget.Key
	version  budget.Version // "" of an actual
	amount   money.Amount
	currency money.Currency
	source   string // "" of a budget line
	n        int64  // 1 where it came, -1 where it went
	seq      journal.Seq
	at       time.Time
}

// changesSince are the changes that the entries between a head and that of the view tell of
// an entity, in their order; false where these are too many to go through, or tell of
// something else.
func (v *view) changesSince(head journal.Seq, of journal.Entity) (changes []change, known bool, err error) {
	if head > v.head || v.head-head > mostBetween {
		return nil, false, nil
	}
	row, known := v.changes, true
	err = row.Read(func() {
		for column, n := range []int64{-1, 1} {
			record := row.Text(column)
			if len(record) == 0 {
				continue
			}
			c := change{n: n, seq: journal.Seq(row.Int(2)), at: time.UnixMicro(row.Int(3)).UTC()}
			known = c.read(of, record) && known
			changes = append(changes, c)
		}
	}, int64(head), int64(v.head), string(of))
	return changes, known, err
}

// read takes what the posting is from its record, and reports whether it is one.
func (c *change) read(of journal.Entity, record []byte) bool {
	r := records.RecordReader{Rest: record}
	r.Integer("id")
	c.Key = r.Key()
	if of == journal.BudgetLines {
		c.version = budget.Version(r.Text("version"))
	}
	c.amount = r.Amount("amount")
	c.currency = money.Currency(r.Text("currency"))
	if of == journal.BudgetLines {
		r.Text("notes")
	} else {
		c.source = r.Text("source")
	}
	return r.Whole()
}
