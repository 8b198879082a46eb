package records

import (
	"time"

	"daybook/internal/trading"
)

// Positions are those that a transaction changes, by instrument.
type Positions map[trading.Instrument]*PendingPosition

type PendingPosition struct {
	trading.Position
	From time.Time // the earliest date of a trade that came before others: to be folded anew from there
}

func (h *PendingPosition) Add(t trading.Trade) (err error) {
	if h.Stale() || !h.Precedes(t.Date) {
		h.Refold(t.Date)
		return nil
	}
	h.Position, err = h.Take(t)
	return err
}

func (h *PendingPosition) Refold(date time.Time) {
	if !h.Stale() || date.Before(h.From) {
		h.From = date
	}
}

func (h *PendingPosition) Stale() bool { return !h.From.IsZero() }
