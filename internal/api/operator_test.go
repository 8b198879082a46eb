package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"daybook/db/sqlite"
	"daybook/internal/access"
	"daybook/internal/api"
)

// TestMetrics: a scrape counts requests by the template of their path, and tells the head of the journal.
func TestMetrics(t *testing.T) {
	s := serve(t)
	s.create(t, "/currency/add", `{"code":"EUR"}`)
	s.get(t, "/health/")
	got := s.do(t, request{method: http.MethodGet, target: "/metrics"})
	if kind := got.header.Get("Content-Type"); got.status != http.StatusOK || !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Errorf("got %d %s, want 200 and the text format of Prometheus", got.status, kind)
	}
	for _, want := range []string{
		`daybook_http_requests_total{method="POST",route="/currency/add",status="2xx"} 1`,
		`daybook_http_requests_total{method="GET",route="/health",status="2xx"} 1`,
		`daybook_http_request_duration_seconds_count{route="/health"} 1`,
		"daybook_ready ", "daybook_journal_sequence 1", fmt.Sprintf("daybook_journal_head_timestamp_seconds %g", float64(frozen.Unix())),
		"daybook_writer_batch_requests_sum 1", "daybook_writer_batch_duration_seconds_count 1", "daybook_writer_commit_duration_seconds_count 1",
		"daybook_writer_queue_requests 0", `daybook_writer_refused_total{reason="failed"} 0`, "daybook_disk_free_bytes ", "daybook_build_info{", "daybook_backup_interval_seconds ",
		`daybook_checkpoints_total{result="failed"} 0`, `daybook_held_bytes{purpose="bodies"} 0`, "go_goroutines ",
	} {
		if !strings.Contains(string(got.body), "\n"+want) {
			t.Errorf("got no line that begins with %s in\n%s", want, got.body)
		}
	}
}

// stuck is a database that does not answer until it is released.
type stuck struct {
	*sqlite.Store
	released chan struct{}
}

func (s stuck) Ready(context.Context) error {
	<-s.released
	return nil
}

// TestAScrapeDoesNotWaitForTheDatabase: while the database does not answer, a scrape tells all that is known
// without it. As a control, it tells the rest when the database answers again.
func TestAScrapeDoesNotWaitForTheDatabase(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Ending = nil
	hung := stuck{s.store, make(chan struct{})}
	config.Database = hung
	s.listen(t, api.New(config))
	for _, ready := range []bool{false, true} {
		text := s.get(t, "/metrics")
		for line, want := range map[string]bool{
			"daybook_ready 0": !ready, "daybook_ready 1": ready, "daybook_database_size_bytes ": ready, "daybook_connections ": true,
		} {
			if got := strings.Contains(text, "\n"+line); got != want {
				t.Errorf("ready %t: got the line %q %t, want %t", ready, line, got, want)
			}
		}
		if !ready {
			close(hung.released)
		}
	}
}

// TestRefusedWritesAreCounted: a write that the writer does not take is counted, and a server whose database is
// closed is not ready.
func TestRefusedWritesAreCounted(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Ending = nil
	s.listen(t, api.New(config))
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	s.do(t, request{method: http.MethodPost, target: "/currency/add", body: []byte(`{"code":"EUR"}`)})
	text := s.get(t, "/metrics")
	for _, want := range []string{"daybook_ready 0", `daybook_writer_refused_total{reason="queue_full"} 1`} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("got no line %s in\n%s", want, text)
		}
	}
}

// TestSeriesAreBounded: paths and methods that do not exist share one series for each result.
func TestSeriesAreBounded(t *testing.T) {
	s := serve(t)
	for i := range 50 {
		s.do(t, request{method: http.MethodGet, target: fmt.Sprintf("/none/%d", i)})
		s.do(t, request{method: fmt.Sprintf("M%d", i), target: "/health"})
		s.do(t, request{method: http.MethodGet, target: fmt.Sprintf("/assets/%d.js", i)})
	}
	text := s.get(t, "/metrics")
	if got := strings.Count(text, "\ndaybook_http_requests_total{"); got != 3 {
		t.Errorf("got %d series of requests, want 3, in\n%s", got, text)
	}
}

// TestMetricsNeedTheirScope: where a token is needed, a scrape needs one with the scope metrics or read, and the
// scope metrics reaches nothing else.
func TestMetricsNeedTheirScope(t *testing.T) {
	g := serveGuarded(t, nil)
	metrics := with(g.metricsToken(t))
	for _, c := range []struct {
		header http.Header
		want   int
	}{
		{nil, http.StatusUnauthorized},
		{with(g.tokens[access.Ingest]), http.StatusForbidden},
		{with(g.tokens[access.Read]), http.StatusOK},
		{metrics, http.StatusOK},
	} {
		if got := g.do(t, request{method: http.MethodGet, target: "/metrics", header: c.header}); got.status != c.want {
			t.Errorf("got %d %s, want %d", got.status, got.body, c.want)
		}
	}
	if got := g.do(t, request{method: http.MethodGet, target: "/api/v1/status", header: metrics}); got.status != http.StatusForbidden {
		t.Errorf("the status: got %d, want 403", got.status)
	}
}

// TestTheLogHasNothingOfTheBooks: the log of requests says who sent which request, and no line of the log has a
// secret, or a text or an amount that a client sent, also where the request is refused. As a control, the answers
// have them.
func TestTheLogHasNothingOfTheBooks(t *testing.T) {
	g := serveGuarded(t, func(c *api.Config) { c.AccessLog = true })
	const word, amount = "ZEBRA", "98765.43"
	write, read := with(g.tokens[access.Write]), with(g.tokens[access.Read])
	answers := ""
	for _, r := range []request{
		{method: http.MethodPost, target: "/api/v1/department/create", header: write, body: []byte(`{"code":"` + word + `","name":"` + word + `"}`)},
		{method: http.MethodPost, target: "/trade/add", header: write, body: []byte(`{"symbol":"` + word + `","currency_code":"EUR","shares":1,"product":0,"type":true,"price":` + amount + `,"date":"2026-01-05T09:00:00Z"}`)},
		{method: http.MethodPost, target: "/trade/add", header: write, body: []byte(`{"symbol":"` + word + `","price":"` + amount + `"}`)},
		{method: http.MethodGet, target: "/api/v1/department?code=" + word, header: read},
		{method: http.MethodGet, target: "/" + word + "/" + amount, header: read},
		{method: http.MethodDelete, target: "/api/v1/trades/" + word, header: read},
		{method: http.MethodGet, target: "/api/v1/trades?symbol=" + word, header: read},
		{method: http.MethodGet, target: "/trade/list", header: http.Header{"Authorization": {"Bearer " + word}}},
		{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":"` + string(g.tokens[access.Admin]) + `"}`)},
	} {
		answers += string(g.do(t, r).body)
	}
	log := g.log.String()
	for _, want := range []string{
		`principal="feed (token 3)" method=POST route=/api/v1/department/create status=201 `,
		`principal="feed (token 1)" method=DELETE route=/api/v1/trades/:id status=403 `,
		`principal="" method=GET route=/trade/list status=401 `, ` method=GET route=other status=404 `, ` ms=`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("got no line with %s in\n%s", want, log)
		}
	}
	for _, never := range []string{word, amount, string(g.tokens[access.Read]), string(g.tokens[access.Write]), string(g.tokens[access.Admin])} {
		if strings.Contains(log, never) {
			t.Errorf("got a line with %s in\n%s", never, log)
		}
	}
	if !strings.Contains(answers, word) || !strings.Contains(answers, amount) {
		t.Errorf("got the answers %s, want what was sent", answers)
	}
}
