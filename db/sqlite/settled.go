package sqlite

import (
	"context"
	"time"

	"daybook/db/records"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// longestSettling is how long a group writes positions of doubtful instruments after each request. To
// fold an instrument with many trades takes a tenth of a second, while all other writes wait.
const longestSettling = time.Second

// settled are the positions that the requests of a group changed. The group writes them at its end.
type settled struct {
	positions records.Positions
	stale     int // how often a request made a position stale
	// doubtful are the instruments whose trades could not be folded. Their positions are written after
	// each request, to find the request at fault.
	doubtful map[trading.Instrument]bool
	since    time.Time // when the group began to do the requests again
}

// settle adds the positions that a request has changed. Invalid: a doubtful instrument cannot be folded
// with the trades of this request. Unavailable: writing doubtful positions took too long.
func (b *group) settle(ctx context.Context, q *tx) error {
	for instrument, held := range q.positions.own {
		if !b.settled.doubtful[instrument] {
			continue
		}
		if b.now().Sub(b.settled.since) > longestSettling {
			return fault.New(fault.Unavailable, "a trade of %s in the same group cannot be stored, and it took too long to find which; nothing was stored; try again", instrument.Symbol)
		}
		if err := put(ctx, held, q, instrument); err != nil {
			return err
		}
		delete(q.positions.own, instrument)
	}
	for instrument, held := range q.positions.own {
		if before := b.settled.positions[instrument]; held.Stale() && (before == nil || !before.Stale()) {
			b.settled.stale++
		}
		b.settled.positions[instrument] = held
	}
	return nil
}

// putPositions writes the positions that the requests changed, each once. If an instrument cannot be
// folded, it does the requests again to find the one at fault.
func (b *group) putPositions() {
	for b.lost == nil {
		doubtful, err := b.tryToPut()
		b.lost = err
		if err != nil || len(doubtful) == 0 {
			return
		}
		for _, instrument := range doubtful {
			if b.settled.doubtful == nil {
				b.settled.doubtful = map[trading.Instrument]bool{}
			}
			b.settled.doubtful[instrument] = true
		}
		b.again()
	}
}

// tryToPut writes the positions, and returns the instruments that cannot be folded.
func (b *group) tryToPut() (doubtful []trading.Instrument, err error) {
	ctx, q := context.Background(), b.tx(journal.Origin{})
	for instrument, held := range b.settled.positions {
		switch err := put(ctx, held, q, instrument); {
		case err == nil:
		case fault.KindOf(err) == fault.Invalid:
			doubtful = append(doubtful, instrument)
		default:
			return nil, err
		}
	}
	return doubtful, nil
}
