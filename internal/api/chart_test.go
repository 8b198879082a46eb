package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestManyIdentifiers: a lookup with a thousand identifiers is refused, and the error names only ten.
// The server need not compare each identifier with all others.
func TestManyIdentifiers(t *testing.T) {
	s := serve(t)
	var query strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&query, "&code=%d", i)
	}
	body := s.send(t, http.MethodGet, "/api/v1/department?"+query.String()[1:], "", http.StatusConflict)
	if got := strings.Count(body, `{"field":"code","message":"is one of 10 or more identifiers; send only one"}`); got != 10 {
		t.Errorf("got %s, want 10 identifiers named", body)
	}
}
