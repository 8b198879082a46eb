package verify

import (
	"cmp"
	"context"
	"iter"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/journal"
)

// entries yields all entries of the journal by number. A forged entry may have a number below 1.
func entries(ctx context.Context, q *gen.Queries) iter.Seq2[journal.Entry, error] {
	return chain.Entries(ctx, q, math.MinInt64)
}

// links yields all links of the chain, ordered by the last entry that they cover.
func links(ctx context.Context, q *gen.Queries) iter.Seq2[records.Link, error] {
	rising := func(a, b *records.Link) int { return cmp.Compare(a.Through, b.Through) }
	return rows.Pages(rows.PageSize, rising, func(last *records.Link, most int64) ([]records.Link, error) {
		after := int64(math.MinInt64)
		if last != nil {
			after = int64(last.Through)
		}
		found, err := q.ListLinks(ctx, after, most)
		return rows.Map(found, func(l gen.JournalLink) records.Link {
			return records.Link{Through: journal.Seq(l.Through), Hash: l.Hash}
		}), err
	})
}
