package access

import (
	"slices"

	"daybook/internal/text"
)

// Scope is what a token allows.
type Scope string

// The scopes. Write includes Read and Ingest, Admin includes all.
const (
	Read   Scope = "read"   // every list and report
	Ingest Scope = "ingest" // posting actuals, and nothing else
	Write  Scope = "write"  // every record
	Admin  Scope = "admin"  // backups too
)

// ParseScope reads the name of a scope. The error continues the field's name.
func ParseScope(raw string) (Scope, error) { return text.OneOf(raw, Read, Ingest, Write, Admin) }

// included is the one table of the scopes that each scope includes.
var included = map[Scope][]Scope{
	Read:   {Read},
	Ingest: {Ingest},
	Write:  {Read, Ingest, Write},
	Admin:  {Read, Ingest, Write, Admin},
}

// Allows reports whether a token of this scope may do what needs the other.
func (s Scope) Allows(needed Scope) bool { return slices.Contains(included[s], needed) }
