package verify

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// holder is what the live tables hold.
type holder struct {
	Findings
	state     state
	records   int64
	positions records.Positions // what the trades add up to
}

func (h *holder) read(ctx context.Context, q *gen.Queries, step func(int64)) error {
	for r, err := range LiveRecords(ctx, q) {
		if err != nil {
			return h.unreadable(string(r.Entity), err)
		}
		if r.trade != nil {
			h.take(*r.trade)
		}
		if r.wrong != "" {
			h.Add(string(r.Entity), r.Id, "%s", r.wrong)
		}
		h.state[r.Entity][r.Id] = digest(r.Record)
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
		held = &records.PendingPosition{}
		h.positions[t.Instrument] = held
	}
	if held.Add(t) != nil {
		held.From = t.Date
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
			v.Findings.Add(string(entity), id, "%s", wrong[id])
		}
	}
}

// walked tells how many rows of each table the walks came by.
func walked(told teller, live holder) map[string]int64 {
	rows := map[string]int64{"journal": told.entries, "journal_links": told.chained}
	for entity, records := range live.state {
		rows[string(entity)] = int64(len(records))
	}
	return rows
}

// count compares how many rows each table has with how many were walked: an id may be so
// low that no walk comes by it.
func (v *verifier) count(ctx context.Context, tx *sql.Tx, walked map[string]int64) error {
	for _, table := range slices.Sorted(maps.Keys(walked)) {
		var rows int64
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+schema.Quoted(table)).Scan(&rows); err != nil {
			return err
		}
		if rows != walked[table] {
			v.Findings.Add(table, 0, "holds %d rows, of which the walk came by %d", rows, walked[table])
		}
	}
	return nil
}

// compareFolds compares the positions, and those of the past, with what the trades fold
// to.
func (v *verifier) compareFolds(ctx context.Context, live *snapshot, folded records.Positions) error {
	history, err := rows.OpenTrades(ctx, live.conn)
	if err != nil {
		return v.Findings.unreadable("positions", err)
	}
	defer func() { _ = history.Close() }() // it was only read
	q := gen.New(live)
	if err := v.comparePastPositions(ctx, q, history, folded); err != nil {
		return v.Findings.unreadable("past_positions", err)
	}
	return v.Findings.unreadable("positions", v.comparePositions(ctx, q, history, folded))
}

// comparePastPositions holds the past positions to what the trades fold to on the way
// to the present ones, which it notes as folded anew.
func (v *verifier) comparePastPositions(ctx context.Context, q *gen.Queries, history *rows.Trades, folded records.Positions) error {
	found, err := q.ListPastPositions(ctx)
	if err != nil {
		return err
	}
	past := map[trading.Instrument][]trading.Position{}
	for _, row := range found {
		p := rows.Position(gen.Position(row))
		past[p.Instrument] = append(past[p.Instrument], p)
	}
	for _, of := range slices.SortedFunc(maps.Keys(past), trading.Instrument.Compare) {
		kept := past[of]
		wrong := func(p trading.Position) {
			v.Findings.Add("past_positions", 0, "that of %s of %s is not what its trades add up to", named(of), p.Date.Format(time.RFC3339Nano))
		}
		held, err := history.Fold(ctx, of, trading.Position{}, func(p trading.Position) {
			for ; len(kept) > 0 && !kept[0].Date.After(p.Date); kept = kept[1:] {
				if kept[0] != p {
					wrong(kept[0])
				}
			}
		})
		switch {
		case fault.KindOf(err) == fault.Invalid && err != nil: // said of the present one
			continue
		case err != nil:
			return err
		case folded[of] != nil:
			folded[of] = &records.PendingPosition{Position: held}
		}
		for _, p := range kept {
			wrong(p)
		}
	}
	return nil
}

// comparePositions compares the positions with those that the trades fold to.
func (v *verifier) comparePositions(ctx context.Context, q *gen.Queries, history *rows.Trades, folded records.Positions) error {
	kept, err := q.ListPositions(ctx)
	if err != nil {
		return err
	}
	for _, row := range kept {
		p := rows.Position(row)
		held := folded[p.Instrument]
		if held == nil {
			v.Findings.Add("positions", 0, "that of %s has no trades", named(p.Instrument))
			continue
		}
		delete(folded, p.Instrument)
		if held.Stale() {
			held.Position, err = history.Fold(ctx, p.Instrument, trading.Position{}, nil)
		}
		if fault.KindOf(err) == fault.Invalid && err != nil {
			v.Findings.Add("positions", 0, "that of %s cannot be: its trades: %v", named(p.Instrument), err)
			continue
		}
		if err != nil {
			return err
		}
		if held.Position != p {
			v.Findings.Add("positions", 0, "that of %s is not what its trades add up to", named(p.Instrument))
		}
	}
	for of := range folded {
		v.Findings.Add("positions", 0, "that of %s is missing", named(of))
	}
	return nil
}

func named(of trading.Instrument) string {
	return fmt.Sprintf("%s, %s, product %d", of.Symbol, of.Currency, of.Product)
}
