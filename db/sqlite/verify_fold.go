package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// holder is what the live tables hold.
type holder struct {
	findings
	state     state
	records   int64
	positions positions // what the trades add up to
}

func (h *holder) read(ctx context.Context, q *gen.Queries, step func(int64)) error {
	for r, err := range liveRecords(ctx, q) {
		if err != nil {
			return err
		}
		if r.trade != nil {
			h.take(*r.trade)
		}
		h.state[r.entity][r.id] = digest(r.record)
		h.records++
		step(1)
	}
	return nil
}

// take folds a trade into its position.
func (h *holder) take(t trading.Trade) {
	held := h.positions[t.Instrument]
	if held == nil {
		held = &heldPosition{}
		h.positions[t.Instrument] = held
	}
	if err := held.take(t); err != nil {
		h.find(string(journal.Trades), int64(t.ID), "%v", err)
	}
}

// compare names each record that the journal and the live tables do not agree on.
func (v *verifier) compare(told, live state) {
	for _, entity := range journal.Entities() {
		wrong := map[int64]string{}
		for id, record := range live[entity] {
			switch said, known := told[entity][id]; {
			case !known:
				wrong[id] = "is not in the journal"
			case said != record:
				wrong[id] = "is not what the journal says"
			}
		}
		for id := range told[entity] {
			if _, is := live[entity][id]; !is {
				wrong[id] = "is in the journal, not in the table"
			}
		}
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			v.Findings.find(string(entity), id, "%s", wrong[id])
		}
	}
}

// comparePositions compares the positions with those that the trades fold to.
func (v *verifier) comparePositions(ctx context.Context, q *gen.Queries, folded positions) error {
	kept, err := q.ListPositions(ctx)
	if err != nil {
		return err
	}
	for _, row := range kept {
		p := positionOf(row)
		held := folded[p.Instrument]
		if held == nil {
			v.Findings.find("positions", 0, "that of %s has no trades", named(p.Instrument))
			continue
		}
		delete(folded, p.Instrument)
		if held.anew {
			if held.Position, err = trading.Fold(instrumentTrades(ctx, q, p.Instrument)); err != nil {
				return err
			}
		}
		if held.Position != p {
			v.Findings.find("positions", 0, "that of %s is not what its trades add up to", named(p.Instrument))
		}
	}
	for of := range folded {
		v.Findings.find("positions", 0, "that of %s is missing", named(of))
	}
	return nil
}

func named(of trading.Instrument) string {
	return fmt.Sprintf("%s, %s, product %d", of.Symbol, of.Currency, of.Product)
}
