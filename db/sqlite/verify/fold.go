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
	"daybook/internal/trading"
)

// walked returns how many rows of each table the walks found.
func walked(journal *records.Replay, tables *records.Tables) map[string]int64 {
	list := map[string]int64{"journal": journal.Entries, "journal_links": journal.Links}
	for entity, digests := range tables.Digests {
		list[string(entity)] = int64(len(digests))
	}
	return list
}

// count compares the number of rows of each table with the number that the walk found. The walk misses
// a row whose id is too low.
func (v *verifier) count(ctx context.Context, tx *sql.Tx, walked map[string]int64) error {
	for _, table := range slices.Sorted(maps.Keys(walked)) {
		var list int64
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+schema.Quoted(table)).Scan(&list); err != nil {
			return err
		}
		if list != walked[table] {
			v.Findings.Add(table, 0, "holds %d rows, but the walk found %d", list, walked[table])
		}
	}
	return nil
}

// compareFolds compares the positions and the position checkpoints with the sums of the trades.
func (v *verifier) compareFolds(ctx context.Context, live *snapshot, folded records.Positions) error {
	q, history := gen.New(live), rows.NewTrades(live.conn)
	if err := v.compareCheckpoints(ctx, q, history, folded); err != nil {
		return unreadable(&v.Findings, "position_checkpoints", err)
	}
	return unreadable(&v.Findings, "positions", v.comparePositions(ctx, q, history, folded))
}

// compareCheckpoints compares the position checkpoints with the sums of the trades. The last sum is the
// present position, which it stores in folded.
func (v *verifier) compareCheckpoints(ctx context.Context, q *gen.Queries, history *rows.Trades, folded records.Positions) error {
	found, err := q.ListPositionCheckpoints(ctx)
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
			v.Findings.Add("position_checkpoints", 0, "the checkpoint of %s at %s is not what its trades add up to", named(of), p.Date.Format(time.RFC3339Nano))
		}
		held, err := history.Fold(ctx, of, trading.Position{}, func(p trading.Position) {
			for ; len(kept) > 0 && !kept[0].Date.After(p.Date); kept = kept[1:] {
				if kept[0] != p {
					wrong(kept[0])
				}
			}
		})
		switch {
		case fault.KindOf(err) == fault.Invalid && err != nil: // reported for the present position
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

// comparePositions compares the positions with the sums of the trades.
func (v *verifier) comparePositions(ctx context.Context, q *gen.Queries, history *rows.Trades, folded records.Positions) error {
	kept, err := q.ListPositions(ctx)
	if err != nil {
		return err
	}
	for _, row := range kept {
		p := rows.Position(row)
		held := folded[p.Instrument]
		if held == nil {
			v.Findings.Add("positions", 0, "the position of %s has no trades", named(p.Instrument))
			continue
		}
		delete(folded, p.Instrument)
		var err error
		if held.Stale() {
			held.Position, err = history.Fold(ctx, p.Instrument, trading.Position{}, nil)
		}
		if err != nil && fault.KindOf(err) == fault.Invalid {
			v.Findings.Add("positions", 0, "the position of %s cannot exist: its trades: %v", named(p.Instrument), err)
			continue
		}
		if err != nil {
			return err
		}
		if held.Position != p {
			v.Findings.Add("positions", 0, "the position of %s is not what its trades add up to", named(p.Instrument))
		}
	}
	for of := range folded {
		v.Findings.Add("positions", 0, "the position of %s is missing", named(of))
	}
	return nil
}

func named(of trading.Instrument) string {
	return fmt.Sprintf("%s, %s, product %d", of.Symbol, of.Currency, of.Product)
}
