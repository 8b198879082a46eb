package records

import (
	"fmt"

	"daybook/internal/text"
)

// Finding is one difference from what was written.
type Finding struct {
	Table   string // "" for the whole file
	ID      int64  // of the record or the first journal entry; 0 for none
	Problem string // one line of printable text
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

// MostFindings is how many findings end a verification: a database with so much damage is restored, not
// repaired row by row.
const MostFindings = 100

// Findings are the findings of a part of a verification.
type Findings []Finding

// Add adds a finding, unless there are enough.
func (f *Findings) Add(table string, id int64, format string, args ...any) {
	if len(*f) < MostFindings {
		*f = append(*f, Finding{text.Printable(table), id, text.Printable(fmt.Sprintf(format, args...))})
	}
}
