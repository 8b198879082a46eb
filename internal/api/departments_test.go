package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestManyIdentifiers: a few of them are enough to refuse a lookup; it does not compare each
// of a thousand with all others.
func TestManyIdentifiers(t *testing.T) {
	s := serve(t)
	var query strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&query, "&code=%d", i)
	}
	body := s.send(t, http.MethodGet, "/api/v1/department?"+query.String()[1:], "", http.StatusConflict)
	if got := strings.Count(body, `{"field":"code","message":"is one of 10 or more identifiers; send only one"}`); got != 10 {
		t.Errorf("got %s, want 10 of them named", body)
	}
}
