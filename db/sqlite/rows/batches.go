package rows

import (
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/batch"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/text"
)

// Batch is a row of batches.
func Batch(r gen.Batch) batch.Batch {
	return batch.Batch{
		ID: batch.ID(r.ID),
		Origin: batch.Origin{
			Kind: r.Kind, Via: batch.Via(r.Via), File: r.File, SHA256: r.Sha256, Map: r.Map, Source: text.Source(r.Source),
		},
		State: batch.State(r.State), Actor: r.Actor, At: time.UnixMicro(r.At).UTC(),
		Counts: batch.Counts{
			New: r.New, Changed: r.Changed, Unchanged: r.Unchanged, Already: r.Already, Cleared: r.Cleared, Skipped: r.Skipped, Wrong: r.Wrong, Doubtful: r.Doubtful,
		},
		Undoes: batch.ID(OrZero(r.Undoes)), UndoneBy: batch.ID(OrZero(r.UndoneBy)),
		Entries: journal.Range{First: journal.Seq(r.First), Last: journal.Seq(r.Last)},
	}
}

// OfBatch is the row of a batch.
func OfBatch(b batch.Batch) gen.Batch {
	return gen.Batch{
		ID: int64(b.ID), Kind: b.Kind, Via: string(b.Via), State: string(b.State),
		File: b.File, Sha256: b.SHA256, Map: b.Map, Source: string(b.Source), Actor: b.Actor, At: b.At.UnixMicro(),
		New: b.Counts.New, Changed: b.Counts.Changed, Unchanged: b.Counts.Unchanged, Already: b.Counts.Already,
		Cleared: b.Counts.Cleared, Skipped: b.Counts.Skipped, Wrong: b.Counts.Wrong, Doubtful: b.Counts.Doubtful,
		Undoes: Optional(int64(b.Undoes)), UndoneBy: Optional(int64(b.UndoneBy)),
		First: int64(b.Entries.First), Last: int64(b.Entries.Last),
	}
}

// SavedMap is a row of maps.
func SavedMap(r gen.Map) mapping.Map {
	return mapping.Map{ID: mapping.ID(r.ID), Name: text.Code(r.Name), Kind: r.Kind, Text: r.Map, At: time.UnixMicro(r.At).UTC()}
}
