package records

import (
	"time"

	"daybook/internal/trading"
)

// Positions are changing positions by instrument.
type Positions map[trading.Instrument]*PendingPosition

// PendingPosition is the position of an instrument while trades are added to it.
type PendingPosition struct {
	trading.Position
	// From is the date of the earliest trade that was added before others, or was removed: the trades
	// from there on must be folded again. Until then Position is out of date. It is zero if there is
	// none.
	From time.Time
}

// Add adds a trade, in one step if it is the latest. Invalid: as for trading.Position.Take.
func (p *PendingPosition) Add(t trading.Trade) (err error) {
	if p.Stale() || !p.Precedes(t.Date) {
		p.Refold(t.Date)
		return nil
	}
	p.Position, err = p.Take(t)
	return err
}

// Refold records that the trades from a date on must be folded again.
func (p *PendingPosition) Refold(date time.Time) {
	if !p.Stale() || date.Before(p.From) {
		p.From = date
	}
}

// Stale reports whether trades must be folded again.
func (p *PendingPosition) Stale() bool { return !p.From.IsZero() }
