package records

import (
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// Row is a row of a table that is journalled.
type Row struct {
	Entity journal.Entity
	ID     int64
	Record []byte
	Trade  *trading.Trade // of a trade, because positions are made of them
	Wrong  string         // what is wrong with the row that its record does not tell, "" for nothing
}

// Tables are what the tables hold.
type Tables struct {
	Found     Findings
	Digests   Digests
	Rows      int64
	Positions Positions // what the trades add up to
}

// NewTables returns tables without rows.
func NewTables() *Tables { return &Tables{Digests: newDigests(), Positions: Positions{}} }

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

// take folds a trade into its position. The trades come by id, and what some of them add up to may be
// more than they ever did in the order of their dates.
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
