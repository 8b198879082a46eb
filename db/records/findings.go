package records

import (
	"fmt"

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

// MostFindings is when verifying stops looking for more: a database with as much damage is
// restored, not mended row by row.
const MostFindings = 100

// Findings are what a part of a verification found.
type Findings []Finding

// Add adds a finding, unless there are enough.
func (f *Findings) Add(table string, id int64, format string, args ...any) {
	if len(*f) < MostFindings {
		*f = append(*f, Finding{text.Printable(table), id, text.Printable(fmt.Sprintf(format, args...))})
	}
}
