package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestAWriteTellsItsEntries: the response to a write gives the numbers of its journal entries, also when it
// is repeated with its key. A read and a write that is refused have none.
func TestAWriteTellsItsEntries(t *testing.T) {
	s := serve(t)
	post := func(key, body string) request {
		return request{method: http.MethodPost, target: "/currency/add", header: http.Header{"Idempotency-Key": {key}}, body: []byte(body)}
	}
	for _, step := range []struct {
		name string
		request
		status int
		want   string
	}{
		{"the first", post("a", `{"code":"EUR"}`), http.StatusCreated, "1"},
		{"the second", post("b", `{"code":"NOK"}`), http.StatusCreated, "2"},
		{"the first again", post("a", `{"code":"EUR"}`), http.StatusCreated, "1"},
		{"a code that exists", post("c", `{"code":"EUR"}`), http.StatusConflict, ""},
		{"a list", request{method: http.MethodGet, target: "/currency/list"}, http.StatusOK, ""},
	} {
		got := s.do(t, step.request)
		if got.status != step.status || got.header.Get("X-Journal-Seq") != step.want {
			t.Errorf("%s: got %d, X-Journal-Seq %q, want %d, %q", step.name, got.status, got.header.Get("X-Journal-Seq"), step.status, step.want)
		}
	}
}

// TestARequestOfManyEntries: the response gives the first and the last of the entries, and each entry but
// the first names the first.
func TestARequestOfManyEntries(t *testing.T) {
	s := serve(t)
	got := s.do(t, request{method: http.MethodPost, target: "/api/v1/demo", header: http.Header{"Content-Type": {"application/json"}}})
	first, last, found := strings.Cut(got.header.Get("X-Journal-Seq"), "-")
	if got.status != http.StatusCreated || first != "1" || !found {
		t.Fatalf("got %d, X-Journal-Seq %q, want 201 and 1-N", got.status, got.header.Get("X-Journal-Seq"))
	}
	entries := s.send(t, http.MethodGet, "/api/v1/journal?limit=2", "", http.StatusOK)
	if strings.Count(entries, `"first":1`) != 1 {
		t.Errorf("got %s, want the second entry to name the first", entries)
	}
	newest := fmt.Sprintf(`"seq":%s,`, last)
	if page := s.send(t, http.MethodGet, "/api/v1/journal?limit=1000", "", http.StatusOK); !strings.Contains(page, newest) {
		t.Errorf("the journal has no entry %s", last)
	}
}

// TestAWriteSaysWhy: the journal keeps the reason of a write. An invalid one is refused, and nothing is
// stored.
func TestAWriteSaysWhy(t *testing.T) {
	s := serve(t)
	post := func(reasons ...string) answer {
		return s.do(t, request{method: http.MethodPost, target: "/currency/add", header: http.Header{"X-Reason": reasons}, body: []byte(`{"code":"EUR"}`)})
	}
	for raw, want := range map[string]string{
		"100%":                   "percent-encoded",
		"%FF":                    "UTF-8",
		"a%0Ab":                  "control characters",
		strings.Repeat("a", 501): "at most 500 characters, got 501",
	} {
		if got := post(raw); got.status != http.StatusBadRequest || !strings.Contains(string(got.body), want) || !strings.Contains(string(got.body), `"field":"X-Reason"`) {
			t.Errorf("%.20q: got %d %s, want 400 with %q", raw, got.status, got.body, want)
		}
	}
	if got := post("a", "b"); got.status != http.StatusBadRequest {
		t.Errorf("two reasons: got %d %s, want 400", got.status, got.body)
	}
	const reason = `Überweisung "4711" doppelt gebucht`
	if got := post(url.PathEscape(reason)); got.status != http.StatusCreated || got.header.Get("X-Journal-Seq") != "1" {
		t.Errorf("got %d %s as entry %q, want 201 as the first entry", got.status, got.body, got.header.Get("X-Journal-Seq"))
	}
	if page := s.send(t, http.MethodGet, "/api/v1/journal", "", http.StatusOK); !strings.Contains(page, `"reason":"Überweisung \"4711\" doppelt gebucht"`) {
		t.Errorf("got %s, want the reason", page)
	}
	if got := s.do(t, request{method: http.MethodGet, target: "/currency/list", header: http.Header{"X-Reason": {"100%"}}}); got.status != http.StatusOK {
		t.Errorf("a read with a reason: got %d %s, want 200", got.status, got.body)
	}
}
