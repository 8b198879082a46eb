package verify

import (
	"daybook/db/records"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// unreadable makes a finding of a place that SQLite cannot read, or that holds what its
// column cannot.
func unreadable(found *records.Findings, table string, err error) error {
	if sqlerr.Code(err) != 0 || err != nil && fault.KindOf(sqlerr.Classify(err)) == fault.Internal {
		found.Add(table, 0, "cannot be read: %v", err)
	}
	return err
}
