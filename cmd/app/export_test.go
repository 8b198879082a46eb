package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestExport: a file has all records of a kind, the database is unchanged, and each wrong command gets one line of error.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	if r := runIn(t, dir, "app", "seed", "--trades", few, "--years", "1"); r.err != nil {
		t.Fatalf("app seed: %+v", r)
	}
	before, err := os.ReadFile(filepath.Join(dir, "app.db"))
	if err != nil {
		t.Fatal(err)
	}
	out := runIn(t, dir, "app", "export", "departments")
	if out.err != nil || !strings.HasPrefix(out.stdout, "code,name,cost_center,active\r\n") || out.stderr != "" {
		t.Errorf("got %+v, want the departments as CSV", out)
	}
	file := filepath.Join(dir, "budgets.csv")
	wide := runIn(t, dir, "app", "export", "budgets", "--out", file, "--filter", "version=original", "--form", "wide", "--locale", "de")
	written, err := os.ReadFile(file)
	if wide.err != nil || wide.stdout != "" || err != nil || !strings.HasPrefix(string(written), "\uFEFFdepartment;gl_code;fiscal_year;version;currency;p01;") {
		t.Errorf("got %+v, %.80q, %v, want the wide file", wide, written, err)
	}
	if r := runIn(t, dir, "app", "export", "trades", "--format", "ndjson", "--ids"); r.err != nil || !strings.HasPrefix(r.stdout, `{"id":1,"symbol":`) {
		t.Errorf("got %+v, want the trades by id", r)
	}
	for _, refused := range [][]string{
		{"export", "tokens"},
		{"export", "budgets", "--format", "pdf"},
		{"export", "budgets", "--filter", "size=1"},
		{"export", "budgets", "--filter", "dept"},
		{"export", "budgets", "--filter", "dept=NONE", "--out", filepath.Join(dir, "none.csv")},
		{"export", "trades", "--form", "wide"},
		{"export", "trades", "--out", filepath.Join(dir, "none", "trades.csv")},
		{"export", "trades", "--db", "none.db"},
	} {
		if r := runIn(t, dir, "app", refused...); r.err == nil || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
			t.Errorf("app %s: got %+v, want it refused in one line", strings.Join(refused, " "), r)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, "app.db"))
	if err != nil || !bytes.Equal(after, before) {
		t.Errorf("got the database changed, %v, want it as it was", err)
	}
	left, err := os.ReadDir(dir)
	for _, entry := range left {
		if name := entry.Name(); name != "app.db" && name != "budgets.csv" && !strings.HasPrefix(name, "app.db.") && !strings.HasPrefix(name, "app.db-") {
			t.Errorf("got %s left in the folder, %v", name, err)
		}
	}
}

// TestAKilledServerLeavesNoFile: a server is killed while a client takes a file slowly, and nothing of the file is left
// after the next start.
func TestAKilledServerLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	if r := runIn(t, dir, "app", "seed", "--trades", "20000", "--years", "1"); r.err != nil {
		t.Fatalf("app seed: %+v", r)
	}
	server, err := startServing(t.Context(), dir, plainEnvironment(), "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+server.addr+"/api/v1/trades?format=ndjson", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := server.stop(os.Kill); err == nil {
		t.Error("got the server ended by itself, want it killed")
	}
	left := filepath.Join(dir, "app.db.spool-left") // as by a system that cannot remove an open file
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := startServing(t.Context(), dir, plainEnvironment(), "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*spool*")); len(found) > 0 {
		t.Errorf("got %q, want no file left", found)
	}
	if err := next.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
