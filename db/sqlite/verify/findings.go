package verify

import (
	"fmt"

	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// Finding is one thing that is not as it was written.
type Finding struct {
	Table   string // "" where the file as a whole is meant
	ID      int64  // of the record, or of the first journal entry meant; 0 where none is
	Problem string // in one line of what can be printed
}

func (f Finding) String() string {
	switch {
	case f.Table == "":
		return f.Problem
	case f.ID == 0:
		return f.Table + ": " + f.Problem
	}
	return fmt.Sprintf("%s %d: %s", f.Table, f.ID, f.Problem)
}

// mostFindings is when verifying stops looking for more: what is so damaged is
// restored, not mended row by row.
const mostFindings = 100

// Findings are what a part of a verification found.
type Findings []Finding

func (f *Findings) Add(table string, id int64, format string, args ...any) {
	if len(*f) < mostFindings {
		*f = append(*f, Finding{text.Printable(table), id, text.Printable(fmt.Sprintf(format, args...))})
	}
}

// unreadable makes a finding of a place that SQLite cannot read, or that holds what its
// column cannot.
func (f *Findings) unreadable(table string, err error) error {
	if sqlerr.Code(err) != 0 || err != nil && fault.KindOf(sqlerr.Classify(err)) == fault.Internal {
		f.Add(table, 0, "cannot be read: %v", err)
	}
	return err
}
