package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
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
			return h.unreadable(string(r.entity), err)
		}
		if r.trade != nil {
			h.take(*r.trade)
		}
		if r.wrong != "" {
			h.find(string(r.entity), r.id, "%s", r.wrong)
		}
		h.state[r.entity][r.id] = digest(r.record)
		h.records++
		step(1)
	}
	return nil
}

// take folds a trade into its position. The trades come by id, and what some of them
// add up to may be more than they ever did in the order of their dates.
func (h *holder) take(t trading.Trade) {
	held := h.positions[t.Instrument]
	if held == nil {
		held = &heldPosition{}
		h.positions[t.Instrument] = held
	}
	if held.take(t) != nil {
		held.anew = true
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
func (v *verifier) comparePositions(ctx context.Context, live *snapshot, folded positions) error {
	history, err := openHistory(live.conn)
	if err != nil {
		return err
	}
	defer func() { _ = history.close() }() // it was only read
	kept, err := gen.New(live).ListPositions(ctx)
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
			held.Position, err = history.position(p.Instrument)
		}
		if fault.KindOf(err) == fault.Invalid && err != nil {
			v.Findings.find("positions", 0, "that of %s cannot be: its trades: %v", named(p.Instrument), err)
			continue
		}
		if err != nil {
			return err
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
