package bulk

import (
	"time"

	"daybook/internal/fault"
)

// Conflict is a row whose record is not as the check of its file saw it.
type Conflict struct {
	Line     int
	Seen, Is []byte    // the record in the fields of its kind, nil for none
	Seq      int64     // of the newest entry of the record, 0 if none is known
	At       time.Time // of that entry
	Actor    string
}

const mostConflicts = 100

// ConflictsError is rows whose records are not as the check of their file saw them. It has at most 100 of them. It is the
// cause of a fault.
type ConflictsError struct {
	Conflicts []Conflict
	Total     int64
}

func (*ConflictsError) Error() string { return "records have changed" }

// Full reports whether no conflict is kept any more, but only counted.
func (e *ConflictsError) Full() bool { return len(e.Conflicts) == mostConflicts }

// Add adds a conflict.
func (e *ConflictsError) Add(c Conflict) {
	e.Total++
	if !e.Full() {
		e.Conflicts = append(e.Conflicts, c)
	}
}

// Refuse is ChangedSince if there is a conflict, else nil.
func (e *ConflictsError) Refuse() error {
	switch e.Total {
	case 0:
		return nil
	case 1:
		return fault.Wrap(fault.ChangedSince, e, "the record of line %d is no longer as the file was compared with; nothing was stored; look at the file's new preview", e.Conflicts[0].Line)
	}
	return fault.Wrap(fault.ChangedSince, e, "%d records are no longer as the file was compared with, the first on line %d; nothing was stored; look at the file's new preview", e.Total, e.Conflicts[0].Line)
}
