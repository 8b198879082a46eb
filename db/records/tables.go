package records

import (
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// Row is a row of a journalled table.
type Row struct {
	Entity journal.Entity
	ID     int64
	Record []byte
	Trade  *trading.Trade // the trade, because trades make the positions
	Wrong  string         // what is wrong with the row but not visible in its record, "" for nothing
}

// Tables are the contents of the tables.
type Tables struct {
	Found     Findings
	Digests   Digests
	Rows      int64
	Positions Positions // what the trades add up to
}

// NewTables returns tables without rows.
func NewTables() *Tables { return &Tables{Digests: newDigests(journal.Kept()), Positions: Positions{}} }

// Add adds a row.
func (t *Tables) Add(r Row) {
	if r.Trade != nil {
		t.take(*r.Trade)
	}
	if r.Wrong != "" {
		t.Found.Add(string(r.Entity), r.ID, "%s", r.Wrong)
	}
	t.Digests[r.Entity][r.ID] = digest(r.Record)
	t.Rows++
}

// take folds a trade into its position. The trades come in the order of ids, so the sum of some of them
// may be larger than any sum in the order of dates.
func (t *Tables) take(trade trading.Trade) {
	position := t.Positions[trade.Instrument]
	if position == nil {
		position = &PendingPosition{}
		t.Positions[trade.Instrument] = position
	}
	if position.Add(trade) != nil {
		position.From = trade.Date
	}
}
