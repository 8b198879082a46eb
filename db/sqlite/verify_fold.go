package sqlite

import (
	"context"
	"fmt"

	"daybook/internal/journal"
	"daybook/internal/trading"
)

// fold compares the state with the live tables, in both directions, and takes every
// trade into its position.
func (v *verifier) fold(ctx context.Context, s state) error {
	show := func(t trading.Trade) {
		held := v.held[t.Instrument]
		if held == nil {
			held = &heldPosition{}
			v.held[t.Instrument] = held
		}
		if err := held.take(t); err != nil {
			v.find(string(journal.Trades), int64(t.ID), "%v", err)
		}
	}
	for r, err := range liveRecords(ctx, v.queries, show) {
		if err != nil {
			return err
		}
		v.Records++
		v.step(1)
		told, known := s[r.entity][r.id]
		switch {
		case !known:
			v.find(string(r.entity), r.id, "is not in the journal")
		case told != digest(r.record):
			v.find(string(r.entity), r.id, "is not what the journal says")
		}
		delete(s[r.entity], r.id)
	}
	for _, entity := range journal.Entities() {
		for id := range s[entity] {
			v.find(string(entity), id, "is in the journal, not in the table")
		}
	}
	return nil
}

// positions compares the positions with those that the trades fold to.
func (v *verifier) positions(ctx context.Context) error {
	kept, err := v.queries.ListPositions(ctx)
	if err != nil {
		return err
	}
	for _, row := range kept {
		p := positionOf(row)
		held := v.held[p.Instrument]
		if held == nil {
			v.find("positions", 0, "that of %s has no trades", named(p.Instrument))
			continue
		}
		delete(v.held, p.Instrument)
		if held.anew {
			if held.Position, err = trading.Fold(instrumentTrades(ctx, v.queries, p.Instrument)); err != nil {
				return err
			}
		}
		if held.Position != p {
			v.find("positions", 0, "that of %s is not what its trades add up to", named(p.Instrument))
		}
	}
	for of := range v.held {
		v.find("positions", 0, "that of %s is missing", named(of))
	}
	return nil
}

func named(of trading.Instrument) string {
	return fmt.Sprintf("%s, %s, product %d", of.Symbol, of.Currency, of.Product)
}
