package records

import (
	"time"

	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Change is a posting, a budget line or an actual, that was added or removed according to the journal.
// A changed posting counts as removed and added.
type Change struct {
	budget.Key
	Version  budget.Version // "" of an actual
	Amount   money.Amount
	Currency money.Currency
	Source   string // "" of a budget line
	Count    int64  // 1 for an added posting, -1 for a removed one
	Seq      journal.Seq
	At       time.Time
}

// AppendChanges appends the changes of a posting in an entry, at most two. It reports false if a record
// of the entry is not one of the entity.
func AppendChanges(changes []Change, of journal.Entity, before, after []byte, seq journal.Seq, at time.Time) ([]Change, bool) {
	is := true
	if len(before) > 0 {
		c := Change{Count: -1, Seq: seq, At: at}
		is = c.read(of, before)
		changes = append(changes, c)
	}
	if len(after) > 0 {
		c := Change{Count: 1, Seq: seq, At: at}
		is = c.read(of, after) && is
		changes = append(changes, c)
	}
	return changes, is
}

// read reads the posting from its record, and reports whether it is one.
func (c *Change) read(of journal.Entity, record []byte) bool {
	if of == journal.BudgetLines {
		var l budget.Line
		is := budget.LineFields.Scan(record, &l)
		c.Key, c.Version, c.Amount, c.Currency = l.Key, l.Version, l.Amount, l.Currency
		return is
	}
	var a budget.Actual
	is := budget.ActualFields.Scan(record, &a)
	c.Key, c.Amount, c.Currency, c.Source = a.Key, a.Amount, a.Currency, string(a.Source)
	return is
}
