package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"daybook/internal/access"
)

// TestDemo: the request fills an empty database. The answer has the number of records of each kind, and
// the journal names the token of the request. A database with records is refused.
func TestDemo(t *testing.T) {
	g := serveGuarded(t, nil)
	post := request{method: http.MethodPost, target: "/api/v1/demo", header: with(g.tokens[access.Write]), body: []byte("{}")}
	got := g.do(t, post)
	if got.status != http.StatusCreated {
		t.Fatalf("got %d %s, want 201", got.status, got.body)
	}
	loaded := read[map[string]int](t, string(got.body))
	for target, counted := range map[string]string{
		"/currency/list": "currencies", "/company/list": "companies", "/trade/list": "trades",
		"/api/v1/department/list": "departments", "/api/v1/gl-accounts": "gl_accounts",
	} {
		list := g.do(t, request{method: http.MethodGet, target: target, header: with(g.tokens[access.Read])})
		if there := len(read[[]any](t, string(list.body))); there == 0 || there != loaded[counted] {
			t.Errorf("%s: got %d records, want %d as in the answer", target, there, loaded[counted])
		}
	}
	if loaded["revenues"] == 0 || loaded["budget_lines"] == 0 || loaded["actuals"] == 0 {
		t.Errorf("got %v, want some of each kind", loaded)
	}
	journal := g.do(t, request{method: http.MethodGet, target: "/api/v1/journal?entity=trades&limit=1", header: with(g.tokens[access.Read])})
	if !strings.Contains(string(journal.body), `"actor":"feed (token 3)"`) {
		t.Errorf("got %s, want the token that asked", journal.body)
	}
	variance := g.do(t, request{method: http.MethodGet, target: "/api/v1/variance?year=2026&period=6", header: with(g.tokens[access.Read])})
	if !strings.Contains(string(variance.body), `"lines":[{`) {
		t.Errorf("got %s, want lines for the current month", variance.body)
	}
	before := g.newest(t)
	want := `{"error":"the database already holds data; demo data goes into an empty one, so nothing was changed","code":"not_empty"}`
	if got := g.do(t, post); got.status != http.StatusConflict || string(got.body) != want {
		t.Errorf("the second time: got %d %s, want 409 %s", got.status, got.body, want)
	}
	if after := g.newest(t); after != before {
		t.Errorf("the second time: got journal entry %d, want none after %d", after, before)
	}
}

// newest returns the number of the newest journal entry.
func (s *server) newest(t *testing.T) int64 {
	t.Helper()
	head, err := s.store.JournalHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int64(head.Seq)
}

// TestDemoIsLoadedOnce: of two requests at the same time, one loads the demo data and the other is
// refused.
func TestDemoIsLoadedOnce(t *testing.T) {
	s := serve(t)
	statuses := map[int]int{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			got, err := s.try(t, request{method: http.MethodPost, target: "/api/v1/demo", body: []byte("{}")})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[got.status]++
		})
	}
	asking.Wait()
	if got, want := fmt.Sprint(statuses), "map[201:1 409:1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestWhatNeedsNoBodyNeedsALabel: a write that needs no body is still refused without a Content-Type of
// JSON. A form of another page cannot send that type.
func TestWhatNeedsNoBodyNeedsALabel(t *testing.T) {
	s := serve(t)
	for _, target := range []string{"/api/v1/demo", "/api/v1/backups"} {
		ask := func(label, body string) answer {
			t.Helper()
			r := request{method: http.MethodPost, target: target, header: http.Header{"Content-Type": {label}}}
			if body != "" {
				r.body = []byte(body)
			}
			return s.do(t, r)
		}
		before := s.newest(t)
		for _, label := range []string{"", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "text/plain; x=application/json", "json"} {
			for _, body := range []string{"", "{}"} {
				if got := ask(label, body); got.status != http.StatusUnsupportedMediaType || !strings.Contains(string(got.body), `"code":"unsupported_media_type"`) {
					t.Errorf("%s as %q with the body %q: got %d %s, want 415", target, label, body, got.status, got.body)
				}
			}
		}
		if after := s.newest(t); after != before || s.backups().Status().Newest.File != "" {
			t.Errorf("%s: got a journal entry or a backup after refused requests, want none", target)
		}
		if got := ask("application/vnd.daybook+json; charset=utf-8", ""); got.status != http.StatusCreated {
			t.Errorf("%s as JSON: got %d %s, want 201", target, got.status, got.body)
		}
	}
}
