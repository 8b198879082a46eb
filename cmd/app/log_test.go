package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTheLogOfRequestsIsJSON: with --log-format json each line of the log is an object, and with --access-log there
// is one for each request.
func TestTheLogOfRequestsIsJSON(t *testing.T) {
	server, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), "--db", "new.db", "--addr", "127.0.0.1:0", "--log-format", "json", "--access-log")
	if err != nil {
		t.Fatal(err)
	}
	get(t, server.addr, "/health")
	get(t, server.addr, "/ready/")
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var routes []string
	for line := range strings.Lines(server.stderr.String()) {
		var entry struct{ Msg, ID, Principal, Route string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v, want an object", line, err)
		}
		if entry.Msg == "request" {
			routes = append(routes, entry.Route)
		}
		if entry.Msg == "request" && (entry.ID == "" || entry.Principal != "local") {
			t.Errorf("got %q, want the id of the request and who sent it", line)
		}
	}
	if got := strings.Join(routes, " "); got != "/health /ready" {
		t.Errorf("got the routes %q, want both requests", got)
	}
}

// TestTheLogInJSONHasUnits: a duration has its unit, and the head of the journal is as verify takes it.
func TestTheLogInJSONHasUnits(t *testing.T) {
	o := defaultLogOptions()
	o.format.is = "json"
	var out strings.Builder
	log := o.open(&out)
	log.Info("a try", "again_in", time.Minute)
	headLog{journal: &heads{seq: 7}, log: log}.write(t.Context())
	for _, want := range []string{`"again_in":"1m0s"`, `"head":"7:07000000`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %s, want %s", out.String(), want)
		}
	}
}

// TestAFullDiskForTheLogLosesTheLogAlone: a server whose log cannot be written serves all the same.
func TestAFullDiskForTheLogLosesTheLogAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	if _, err := full.WriteString("line\n"); err == nil {
		t.Fatal("got a line written, want no room")
	}
	command := exec.CommandContext(t.Context(), "app", "serve", "--db", "new.db", "--addr", "127.0.0.1:0", "--access-log")
	command.Dir, command.Env, command.Stderr = t.TempDir(), plainEnvironment(), full
	server, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post("http://"+server.addr+"/currency/add", "application/json", strings.NewReader(`{"code":"EUR"}`)) //nolint:noctx // it ends with the server
	if err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatalf("got %v, %v, want it stored", answer, err)
	}
	_ = answer.Body.Close()
	if got := get(t, server.addr, "/currency/list"); !strings.Contains(got, "EUR") {
		t.Errorf("got %s, want EUR", got)
	}
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
