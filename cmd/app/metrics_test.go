package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestWhatWatchesNamesWhatIsServed: every series and every value of a label that the dashboard and the alarms name
// is served, and the manual names every series of Daybook's own that is served, and no other.
func TestWhatWatchesNamesWhatIsServed(t *testing.T) {
	server, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), "--db", "new.db", "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for path, body := range map[string]string{"/currency/add": `{"code":"EUR"}`, "/api/v1/backups": `{}`} {
		answer, err := http.Post("http://"+server.addr+path, "application/json", strings.NewReader(body)) //nolint:noctx // it ends with the server
		if err != nil || answer.StatusCode != http.StatusCreated {
			t.Fatalf("%s: got %v, %v, want it done", path, answer, err)
		}
		_ = answer.Body.Close()
	}
	served := get(t, server.addr, "/metrics")
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}

	var dashboard any
	if err := json.Unmarshal([]byte(readAll(t, "web/manual/daybook-dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	alarms := regexp.MustCompile(`(?m)^ *expr: (.*)$`).FindAllStringSubmatch(readAll(t, "web/manual/daybook-alerts.yml"), -1)
	queries := queriesIn(dashboard)
	if len(queries) < 20 || len(alarms) < 5 {
		t.Fatalf("got %d queries and %d alarms, want more", len(queries), len(alarms))
	}
	for _, alarm := range alarms {
		queries = append(queries, alarm[1])
	}
	for _, query := range queries {
		if missing := missingIn(served, query); missing != "" {
			t.Errorf("%s names %s, which is not served", query, missing)
		}
	}
	for _, control := range []string{"rate(daybook_none[5m])", `daybook_checkpoints_total{result="none"}`} {
		if missingIn(served, control) == "" {
			t.Errorf("%s: got nothing missing, want something", control)
		}
	}

	named := regexp.MustCompile("\\| `(daybook_[^|]*)` \\|").FindAllString(readAll(t, "web/manual/operations.md"), -1)
	manual := regexp.MustCompile(`daybook_\w+`).FindAllString(strings.Join(named, " "), -1)
	var families []string
	for _, family := range regexp.MustCompile(`(?m)^# TYPE (daybook_\w+) `).FindAllStringSubmatch(served, -1) {
		families = append(families, family[1])
	}
	slices.Sort(manual)
	slices.Sort(families)
	if !slices.Equal(manual, families) {
		t.Errorf("the manual names\n%q, want what is served\n%q", manual, families)
	}
}

// queriesIn returns every expression of a dashboard.
func queriesIn(dashboard any) (queries []string) {
	switch v := dashboard.(type) {
	case map[string]any:
		for name, value := range v {
			if query, is := value.(string); is && (name == "expr" || name == "query") {
				queries = append(queries, query)
			}
			queries = append(queries, queriesIn(value)...)
		}
	case []any:
		for _, value := range v {
			queries = append(queries, queriesIn(value)...)
		}
	}
	return queries
}

var (
	selector = regexp.MustCompile(`\b((?:daybook|go|process)_\w+)(?:\{([^}]*)\})?`)
	matcher  = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// missingIn returns the first series of a query, or the first label of one with its value, that is not served.
// The label instance is that of Prometheus.
func missingIn(served, query string) string {
	for _, s := range selector.FindAllStringSubmatch(query, -1) {
		lines := regexp.MustCompile(`(?m)^`+s[1]+`[{ ].*$`).FindAllString(served, -1)
		if len(lines) == 0 {
			return s[1]
		}
		for _, label := range matcher.FindAllStringSubmatch(s[2], -1) {
			if label[1] != "instance" && !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, label[0]) }) {
				return s[1] + "{" + label[0] + "}"
			}
		}
	}
	return ""
}
