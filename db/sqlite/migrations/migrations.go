// Package migrations holds the steps that the schema of a database has taken, as SQL.
// It knows nothing else.
package migrations

import "embed"

// Files has each migration under its name. A released one is frozen: it never changes again.
//
//go:embed *.sql
var Files embed.FS
