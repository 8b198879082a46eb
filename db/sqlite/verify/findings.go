package verify

import (
	"daybook/db/records"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// unreadable turns an error into a finding, if SQLite cannot read the place or a column holds a value
// of the wrong type.
func unreadable(found *records.Findings, table string, err error) error {
	if sqlerr.Code(err) != 0 || err != nil && fault.KindOf(sqlerr.Classify(err)) == fault.Internal {
		found.Add(table, 0, "cannot be read: %v", err)
	}
	return err
}
