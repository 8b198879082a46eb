package api_test

import (
	"net/http"
	"strings"
	"testing"

	"daybook/internal/access"
)

// TestTwoServersOnOneHostKeepTheirSessions: a browser has one cookie of a name for all ports of a host.
// So the name of the session cookie contains the port, and two servers on one host keep their sessions.
// The server also accepts the published name without the port.
func TestTwoServersOnOneHostKeepTheirSessions(t *testing.T) {
	books, trial := serveGuarded(t, nil), serveGuarded(t, nil)
	jar := map[string]string{}
	ask := func(g guarded, host, method, body string) answer {
		t.Helper()
		header := http.Header{"Host": {host}}
		for name, value := range jar {
			header.Add("Cookie", name+"="+value)
		}
		got := g.do(t, request{method: method, target: "/api/v1/session", header: header, body: []byte(body)})
		for _, set := range (&http.Response{Header: got.header}).Cookies() {
			jar[set.Name] = set.Value
			if set.MaxAge < 0 {
				delete(jar, set.Name)
			}
		}
		return got
	}
	signedIn := func(g guarded, host string) bool {
		t.Helper()
		return !strings.Contains(string(ask(g, host, http.MethodGet, "").body), `"signed_in":null`)
	}
	for host, g := range map[string]guarded{"localhost:8080": books, "localhost:8081": trial} {
		if got := ask(g, host, http.MethodPost, `{"token":"`+string(g.tokens[access.Read])+`"}`); got.status != http.StatusCreated {
			t.Fatalf("%s: got %d %s, want 201", host, got.status, got.body)
		}
	}
	if !signedIn(books, "localhost:8080") || !signedIn(trial, "localhost:8081") {
		t.Errorf("signed in at both: got the cookies %v, want both sessions good", jar)
	}
	ask(trial, "localhost:8081", http.MethodDelete, "")
	if signedIn(trial, "localhost:8081") || !signedIn(books, "localhost:8080") {
		t.Errorf("signed out at one: got the cookies %v, want only the session of the other", jar)
	}
	for name, value := range jar {
		delete(jar, name)
		jar["daybook_session"] = value
	}
	if !signedIn(books, "localhost:8080") || !signedIn(books, "localhost") {
		t.Error("with the published name: got nobody signed in, want the session")
	}
}

// TestWrongTokensInAHeaderAreNotCounted: a wrong token in a header gets 401. It does not count as a
// guess at signing in, as the manual says.
func TestWrongTokensInAHeaderAreNotCounted(t *testing.T) {
	g := serveGuarded(t, nil)
	for i := range 8 {
		got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: with("daybook_" + access.Secret(strings.Repeat("A", 43)))})
		if got.status != http.StatusUnauthorized {
			t.Fatalf("wrong token %d: got %d %s, want 401", i+1, got.status, got.body)
		}
	}
	if got := g.do(t, wrongToken); got.status != http.StatusUnauthorized {
		t.Errorf("the first sign-in with a wrong token: got %d %s, want 401", got.status, got.body)
	}
}
