package access_test

import (
	"strings"
	"testing"

	"daybook/internal/access"
)

// TestScopes: each scope allows exactly these scopes. An unknown scope allows nothing, and is allowed
// by none.
func TestScopes(t *testing.T) {
	scopes := []access.Scope{access.Metrics, access.Read, access.Ingest, access.Write, access.Admin}
	for held, allowed := range map[access.Scope][5]bool{
		access.Metrics: {true, false, false, false, false},
		access.Read:    {true, true, false, false, false},
		access.Ingest:  {false, false, true, false, false},
		access.Write:   {true, true, true, true, false},
		access.Admin:   {true, true, true, true, true},
		"":             {},
		"root":         {},
	} {
		for i, needed := range scopes {
			if got, want := held.Allows(needed), allowed[i]; got != want {
				t.Errorf("%q allows %q: got %t, want %t", held, needed, got, want)
			}
		}
		for _, unknown := range []access.Scope{"", "root"} {
			if held.Allows(unknown) {
				t.Errorf("%q allows %q, want that nothing does", held, unknown)
			}
		}
	}
}

func TestParseScope(t *testing.T) {
	for raw, want := range map[string]access.Scope{
		"metrics": access.Metrics, "read": access.Read, "ingest": access.Ingest, "write": access.Write, "admin": access.Admin, " Admin\n": access.Admin,
	} {
		if got, err := access.ParseScope(raw); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", "root", "read,write", "readwrite"} {
		if got, err := access.ParseScope(raw); err == nil || !strings.Contains(err.Error(), "metrics, read, ingest, write, admin") {
			t.Errorf("%q: got %q, %v, want an error that lists the scopes", raw, got, err)
		}
	}
}
