package records

import (
	"time"

	"daybook/internal/trading"
)

// Positions are positions that change, by instrument.
type Positions map[trading.Instrument]*PendingPosition

// PendingPosition is the position of an instrument while trades are added to it.
type PendingPosition struct {
	trading.Position
	// From is the date of the earliest trade that came before others, or was removed: from there on the
	// trades must be folded again. Until then Position is out of date. Zero for none.
	From time.Time
}

// Add adds a trade: by one step where it is the latest. Invalid: as for trading.Position.Take.
func (p *PendingPosition) Add(t trading.Trade) (err error) {
	if p.Stale() || !p.Precedes(t.Date) {
		p.Refold(t.Date)
		return nil
	}
	p.Position, err = p.Take(t)
	return err
}

// Refold notes that the trades from a date on must be folded again.
func (p *PendingPosition) Refold(date time.Time) {
	if !p.Stale() || date.Before(p.From) {
		p.From = date
	}
}

// Stale reports whether trades must be folded again.
func (p *PendingPosition) Stale() bool { return !p.From.IsZero() }
