package access

import (
	"slices"

	"daybook/internal/text"
)

// Scope is what a token allows.
type Scope string

// The scopes. Read includes Metrics, Write includes Read and Ingest, Admin includes all.
const (
	Metrics Scope = "metrics" // how the service does, and nothing of the books
	Read    Scope = "read"    // every list and report
	Ingest  Scope = "ingest"  // posting actuals, and nothing else
	Write   Scope = "write"   // every record
	Admin   Scope = "admin"   // backups too
)

// ParseScope reads the name of a scope. The error continues the field's name.
func ParseScope(raw string) (Scope, error) {
	return text.OneOf(raw, Metrics, Read, Ingest, Write, Admin)
}

// included is the one table of the scopes that each scope includes.
var included = map[Scope][]Scope{
	Metrics: {Metrics},
	Read:    {Metrics, Read},
	Ingest:  {Ingest},
	Write:   {Metrics, Read, Ingest, Write},
	Admin:   {Metrics, Read, Ingest, Write, Admin},
}

// Allows reports whether a token of this scope may do what needs the other.
func (s Scope) Allows(needed Scope) bool { return slices.Contains(included[s], needed) }
