// Package bulk says what many rows that are stored in one transaction have in common, whatever they are: what
// happens to a record that is there already, how rows are counted, and what is wrong with them.
//
// It must not know where rows come from, nor where they are stored.
package bulk

import (
	"iter"

	"daybook/internal/batch"
	"daybook/internal/fault"
)

// Existing says what happens to a record that is stored already.
type Existing string

// The ways. Add is for records without a key, which are always new.
const (
	Replace Existing = "replace" // it takes the values of the row
	Refuse  Existing = "refuse"  // the row is wrong
	Skip    Existing = "skip"    // the row is left out
	Add     Existing = "add"
)

// Row is a checked row.
type Row[R any] struct {
	Record  R
	Line    int    // where it begins, from 1
	Nth     int    // which of the equal records of the file it is, of a kind without a key, from 1
	Foreign string // of a trade: its id in the source

	// The row was compared with what is stored. If the record is not as that check saw it, the row is a Conflict. One that
	// was not compared and has no source or notes leaves those of a stored record.
	Checked bool
	Place   int64 // of the row among all of the file, from 1
	Seen    *R    // the record that the check saw, nil for none
	ByID    bool  // the stored record is the one with the id of Seen, whatever its key is
	Removes bool  // the record is removed
	Known   bool  // of a trade: the check saw it, so it is not stored again
	Anyway  bool  // of a trade: it is stored whether it is there or not
}

// Rows are checked rows. Those with a key are sorted by it, and each key comes once.
type Rows[R any] struct {
	All      iter.Seq2[*Row[R], error] // each is valid until the next
	Existing Existing
	Skipped  int64        // rows of the file that are no records, or need nothing
	LeftOut  LeftOut      // records of the file that are not among these
	Batch    batch.Origin // where they came from
}

// LeftOut counts the records of a file that a commit was told to leave out.
type LeftOut struct{ Wrong, Doubtful int64 }

// Code is the kind of a finding.
type Code string

// The codes that a store finds. Those of a reading are exchange's.
const (
	UnknownReference Code = "unknown_reference"
	ExistsAlready    Code = "exists"
	DiffersFromKnown Code = "differs_from_known"
)

const (
	mostFindings  = 1000
	rowsRefused   = "%d of the rows are wrong; nothing was stored; correct them and send all rows again"
	oneRowRefused = "a row is wrong; nothing was stored; correct it and send all rows again"
)

// Finding is what is wrong in one place of a file. Its message is a sentence.
type Finding struct {
	Line    int    `json:"line"`
	Field   string `json:"field,omitempty"`
	Value   string `json:"value,omitempty"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Result is what became of the rows. It has at most 1,000 of the findings.
type Result struct {
	Batch    batch.ID     `json:"batch,omitzero"` // 0 if they changed nothing
	Stored   batch.Batch  `json:"-"`              // the whole batch
	Counts   batch.Counts `json:"counts"`
	Findings []Finding    `json:"findings"`
	Total    int64        `json:"findings_total"`
}

// Add adds a finding.
func (r *Result) Add(f Finding) {
	r.Total++
	if len(r.Findings) < mostFindings {
		r.Findings = append(r.Findings, f)
	}
}

// RefusedError says why nothing was stored: it has the findings. It is the cause of a fault.
type RefusedError struct{ Result }

func (*RefusedError) Error() string { return "rows are wrong" }

// Refused is RowsRefused if rows are wrong, else nil. Then no row was stored, and only the wrong ones are counted.
func (r *Result) Refused() error {
	if r.Counts.Wrong == 0 {
		return nil
	}
	refused := &RefusedError{Result{Counts: batch.Counts{Wrong: r.Counts.Wrong}, Findings: r.Findings, Total: r.Total}}
	if r.Counts.Wrong == 1 {
		return fault.Wrap(fault.RowsRefused, refused, oneRowRefused)
	}
	return fault.Wrap(fault.RowsRefused, refused, rowsRefused, r.Counts.Wrong)
}
