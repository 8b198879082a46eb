// Package batch says what a batch is: the records that one import, one write of many rows, one copy or one undo of a
// batch stored together. A batch can be undone, and its undo is a batch too.
//
// It must not know where batches are kept.
package batch

import (
	"context"
	"time"

	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// ID numbers the batches from 1.
type ID int64

// Via is the way on which records came.
type Via string

// The ways.
const (
	Import Via = "import"
	Bulk   Via = "bulk"
	Copy   Via = "copy"
	Undo   Via = "undo"
)

// State is what became of a batch.
type State string

// The states.
const (
	Committed State = "committed"
	Partial   State = "partial" // a part of it was undone
	Undone    State = "undone"
)

// Origin says where the records of a batch came from. All but Kind and Via may be empty.
type Origin struct {
	Kind   string // of its records, as the interface names their list
	Via    Via
	File   string // its name
	SHA256 string // of the file, in hexadecimal
	Map    string // the name of the map by which it was read
	Source text.Source
}

// Counts has each record once, by its result. Skipped counts rows of the file; Wrong and Doubtful are the records that
// were left out. An undo counts what it put back as new, what it removed as cleared, and what it had to leave as skipped.
type Counts struct {
	New       int64 `json:"new"`
	Changed   int64 `json:"changed"`
	Unchanged int64 `json:"unchanged"`
	Already   int64 `json:"already,omitzero"`
	Cleared   int64 `json:"cleared,omitzero"`
	Skipped   int64 `json:"skipped"`
	Wrong     int64 `json:"wrong"`
	Doubtful  int64 `json:"doubtful,omitzero"`
}

// Batch is a batch.
type Batch struct {
	ID ID
	Origin
	State    State
	Actor    string
	At       time.Time // UTC, to the microsecond
	Counts   Counts
	Undoes   ID            // the batch that it took back, 0 for none
	UndoneBy ID            // the newest batch that took it back, 0 for none
	Entries  journal.Range // the last one created the batch
}

// Fields are the fields of a batch, with the names of the table's columns.
var Fields = field.List[Batch]{
	field.ID("id", func(b *Batch) *ID { return &b.ID }).Assigned(),
	field.Text("kind", nil, func(b *Batch) *string { return &b.Kind }).Assigned(),
	field.Text("via", nil, func(b *Batch) *Via { return &b.Via }).Assigned(),
	field.Text("state", nil, func(b *Batch) *State { return &b.State }).Assigned(),
	field.Text("file", nil, func(b *Batch) *string { return &b.File }).Assigned(),
	field.Text("sha256", nil, func(b *Batch) *string { return &b.SHA256 }).Assigned(),
	field.Text("map", nil, func(b *Batch) *string { return &b.Map }).Assigned(),
	field.Text("source", nil, func(b *Batch) *text.Source { return &b.Source }).Assigned(),
	field.Text("actor", nil, func(b *Batch) *string { return &b.Actor }).Assigned(),
	field.Date("at", nil, func(b *Batch) *time.Time { return &b.At }).Assigned(),
	field.ID("new", func(b *Batch) *int64 { return &b.Counts.New }).Assigned(),
	field.ID("changed", func(b *Batch) *int64 { return &b.Counts.Changed }).Assigned(),
	field.ID("unchanged", func(b *Batch) *int64 { return &b.Counts.Unchanged }).Assigned(),
	field.ID("already", func(b *Batch) *int64 { return &b.Counts.Already }).Assigned(),
	field.ID("cleared", func(b *Batch) *int64 { return &b.Counts.Cleared }).Assigned(),
	field.ID("skipped", func(b *Batch) *int64 { return &b.Counts.Skipped }).Assigned(),
	field.ID("wrong", func(b *Batch) *int64 { return &b.Counts.Wrong }).Assigned(),
	field.ID("undoes", func(b *Batch) *ID { return &b.Undoes }).Assigned().OrNull(),
	field.ID("undone_by", func(b *Batch) *ID { return &b.UndoneBy }).Assigned().OrNull(),
	field.ID("first", func(b *Batch) *journal.Seq { return &b.Entries.First }).Assigned(),
	field.ID("last", func(b *Batch) *journal.Seq { return &b.Entries.Last }).Assigned(),
	field.ID("doubtful", func(b *Batch) *int64 { return &b.Counts.Doubtful }).Assigned().Later(),
}

// Store keeps the batches. A store of records makes them: a write that changes records leaves one.
type Store interface {
	// Batches returns the batches before one, the newest first; all for 0. Unavailable.
	Batches(ctx context.Context, before ID, most int) ([]Batch, error)
	// Batch returns a batch. NotFound, Unavailable.
	Batch(ctx context.Context, id ID) (Batch, error)
	// UndoBatch takes back what a batch changed, as journal.Store.Undo takes back a request, and leaves a batch. The
	// undo of an undo does the batch again. Where only a part is possible and that is wanted, it takes back that part,
	// and tells what stayed. NotFound. NotUndoable: nothing was done. Unavailable, OutcomeUnknown.
	UndoBatch(ctx context.Context, id ID, rows Rows, may func(journal.Entry) error) (TakenBack, error)
}

// Rows says which records of a batch are undone.
type Rows string

// The choices.
const (
	All      Rows = "all"      // all, or none
	Possible Rows = "possible" // those that can be
)

// ParseRows reads a choice. The error continues the field's name.
func ParseRows(raw string) (Rows, error) { return text.OneOf(raw, All, Possible) }

// TakenBack is what an undo did.
type TakenBack struct {
	Batch  Batch // of the undo
	Stayed fault.Obstacles
}

// PartOf is the error of an undo of entries of a batch by themselves.
func PartOf(id ID) error {
	return fault.New(fault.NotUndoable, "nothing was undone: these entries are of batch %[1]d, which is undone as a whole: POST /api/v1/batches/%[1]d/undo", id)
}

// Undid is the state of the batch that an undo took back, which follows from the state of the undo.
func (b *Batch) Undid() State {
	switch {
	case b.State == Undone:
		return Committed
	case b.State == Partial || b.Counts.Skipped > 0:
		return Partial
	}
	return Undone
}

// UndoneAlready is the error of the undo of a batch that is undone.
func (b *Batch) UndoneAlready() error {
	return fault.New(fault.NotUndoable, "nothing was undone: batch %d is undone already, by batch %d; to do it again, undo batch %[2]d", b.ID, b.UndoneBy)
}

// NotFound is the error of a batch that does not exist.
func NotFound(id ID) error { return fault.New(fault.NotFound, "there is no batch %d", id) }
