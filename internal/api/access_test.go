package api_test

import (
	"bufio"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/api/gate"
)

// guarded is a server that requires tokens, with one token of each scope.
type guarded struct {
	*server
	keys   *access.Authenticator
	tokens map[access.Scope]access.Secret
	ids    map[access.Scope]access.TokenID
}

func serveGuarded(t *testing.T, configure func(*api.Config)) guarded {
	t.Helper()
	s := open(t)
	config := s.config()
	config.RequireToken = true
	if configure != nil {
		configure(&config)
	}
	g := guarded{s, config.Authenticator, map[access.Scope]access.Secret{}, map[access.Scope]access.TokenID{}}
	for _, scope := range []access.Scope{access.Read, access.Ingest, access.Write, access.Admin} {
		secret, token, err := g.keys.Create(t.Context(), "feed", scope, 0)
		if err != nil {
			t.Fatal(err)
		}
		g.tokens[scope], g.ids[scope] = secret, token.ID
	}
	s.listen(t, api.New(config))
	return g
}

// metricsToken makes a token of the scope metrics.
func (g guarded) metricsToken(t *testing.T) access.Secret {
	t.Helper()
	secret, _, err := g.keys.Create(t.Context(), "prometheus", access.Metrics, 0)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// with returns a header with a token.
func with(secret access.Secret) http.Header {
	return http.Header{"Authorization": {"Bearer " + string(secret)}}
}

// TestEveryRouteAsksForItsScope sends every operation with a token of each scope, and without a token.
// Only the scope in the table of routes decides whether the request is refused.
func TestEveryRouteAsksForItsScope(t *testing.T) {
	g := serveGuarded(t, nil)
	g.tokens[access.Metrics] = g.metricsToken(t)
	for route, needed := range api.Routes() {
		method, path, _ := strings.Cut(route, " ")
		target := strings.ReplaceAll(path, ":id", "999999")
		for scope, secret := range g.tokens {
			got := g.do(t, request{method: method, target: target, header: with(secret)})
			refused := got.status == http.StatusUnauthorized || got.status == http.StatusForbidden
			if want := needed != "" && !scope.Allows(needed); refused != want && path != "/api/v1/session" {
				t.Errorf("%s with a token of scope %s: got %d %s, want refused %t", route, scope, got.status, got.body, want)
			}
			if refused && !strings.Contains(got.header.Get("WWW-Authenticate"), `error="insufficient_scope"`) {
				t.Errorf("%s: got WWW-Authenticate %q, want insufficient_scope", route, got.header.Get("WWW-Authenticate"))
			}
		}
		got := g.do(t, request{method: method, target: target})
		if unauthorized := got.status == http.StatusUnauthorized; unauthorized != (needed != "") {
			t.Errorf("%s without a token: got %d, want 401 %t", route, got.status, needed != "")
		}
	}
}

// TestTheJournalNamesTheToken: the journal names the token that made a change.
func TestTheJournalNamesTheToken(t *testing.T) {
	g := serveGuarded(t, nil)
	g.do(t, request{method: http.MethodPost, target: "/currency/add", header: with(g.tokens[access.Write]), body: []byte(`{"code":"EUR"}`)})
	got := g.do(t, request{method: http.MethodGet, target: "/api/v1/journal?entity=currencies", header: with(g.tokens[access.Read])})
	if want := `"actor":"feed (token 3)"`; !strings.Contains(string(got.body), want) {
		t.Errorf("got %s, want %s in it", got.body, want)
	}
}

// TestAKeyBelongsToItsToken: two tokens can use the same Idempotency-Key, and neither gets the answer of
// the other. A session of a token uses the keys of that token.
func TestAKeyBelongsToItsToken(t *testing.T) {
	g := serveGuarded(t, nil)
	euro, krone := `{"code":"EUR"}`, `{"code":"NOK"}`
	session := http.Header{"Cookie": {g.signIn(t, g.tokens[access.Write])}}
	for _, step := range []struct {
		name, body string
		header     http.Header
		status     int
		replayed   string
	}{
		{"the first", euro, with(g.tokens[access.Write]), http.StatusCreated, ""},
		{"another token with another request", krone, with(g.tokens[access.Admin]), http.StatusCreated, ""},
		{"the first again", euro, with(g.tokens[access.Write]), http.StatusCreated, "true"},
		{"a session of the first", euro, session, http.StatusCreated, "true"},
		{"another request of the first", krone, with(g.tokens[access.Write]), http.StatusUnprocessableEntity, ""},
		{"the other again", krone, with(g.tokens[access.Admin]), http.StatusCreated, "true"},
	} {
		step.header.Set("Idempotency-Key", "k")
		got := g.do(t, request{method: http.MethodPost, target: "/currency/add", header: step.header, body: []byte(step.body)})
		if got.status != step.status || got.header.Get("Idempotency-Replayed") != step.replayed {
			t.Errorf("%s: got %d, replayed %q, %s, want %d, %q", step.name, got.status, got.header.Get("Idempotency-Replayed"), got.body, step.status, step.replayed)
		}
	}
}

// TestAnUndoNeedsTheScopeOfItsRequest: a feed takes back actuals that were posted, and nothing else.
func TestAnUndoNeedsTheScopeOfItsRequest(t *testing.T) {
	g := serveGuarded(t, nil) // entries 1 to 4 are its tokens
	for _, step := range []struct {
		scope        access.Scope
		target, body string
		status       int
	}{
		{access.Write, "/api/v1/department/create", `{"code":"D","name":"D"}`, http.StatusCreated},
		{access.Write, "/api/v1/gl-accounts", `{"code":"A","type":"opex"}`, http.StatusCreated},
		{access.Ingest, "/api/v1/actuals/ingest", `{"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":1,"currency":"USD"}`, http.StatusOK},
		{access.Read, "/api/v1/undo", `{"from":7,"through":7}`, http.StatusForbidden},
		{access.Ingest, "/api/v1/undo", `{"from":7,"through":7}`, http.StatusOK},
		{access.Ingest, "/api/v1/undo", `{"from":8,"through":8}`, http.StatusForbidden},
		{access.Ingest, "/api/v1/undo", `{"from":6,"through":6}`, http.StatusForbidden},
		{access.Write, "/api/v1/undo", `{"from":6,"through":6}`, http.StatusOK},
		{access.Admin, "/api/v1/undo", `{"from":4,"through":4}`, http.StatusConflict},
	} {
		got := g.do(t, request{method: http.MethodPost, target: step.target, header: with(g.tokens[step.scope]), body: []byte(step.body)})
		insufficient := strings.Contains(got.header.Get("WWW-Authenticate"), "insufficient_scope")
		if got.status != step.status || insufficient != (step.status == http.StatusForbidden) {
			t.Errorf("%s %s with the scope %s: got %d %s, want %d", step.target, step.body, step.scope, got.status, got.body, step.status)
		}
	}
}

// TestATokenIsRevokedAtOnce: a revoked token and its session are refused from the next request on.
func TestATokenIsRevokedAtOnce(t *testing.T) {
	g := serveGuarded(t, nil)
	cookie := g.signIn(t, g.tokens[access.Read])
	byToken := request{method: http.MethodGet, target: "/currency/list", header: with(g.tokens[access.Read])}
	bySession := request{method: http.MethodGet, target: "/currency/list", header: http.Header{"Cookie": {cookie}}}
	for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		for _, r := range []request{byToken, bySession} {
			if got := g.do(t, r); got.status != want {
				t.Errorf("%v: got %d, want %d", r.header, got.status, want)
			}
		}
		if _, err := g.keys.Revoke(t.Context(), g.ids[access.Read]); err != nil {
			t.Fatal(err)
		}
	}
}

// signIn exchanges a token for a session cookie, as a browser sends it back.
func (g guarded) signIn(t *testing.T, secret access.Secret) string {
	t.Helper()
	got := g.do(t, request{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":"` + string(secret) + `"}`)})
	if got.status != http.StatusCreated {
		t.Fatalf("signing in: got %d %s", got.status, got.body)
	}
	cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	return cookie
}

// TestABrowserSignsInAndOut: signing in sets a session cookie with which the browser may write. After
// signing out the session is refused.
func TestABrowserSignsInAndOut(t *testing.T) {
	g := serveGuarded(t, nil)
	got := g.do(t, request{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":"` + string(g.tokens[access.Write]) + `"}`)})
	want := `{"required":true,"open_to_all":false,"signed_in":{"name":"feed","scope":"write","expires_at":"2026-07-01T00:00:00Z"},"seq":4,"hash":"HASH"}` // that many tokens were made
	hashed := regexp.MustCompile(`[0-9a-f]{64}`)
	said := func(got answer) string { return hashed.ReplaceAllString(string(got.body), "HASH") }
	if got.status != http.StatusCreated || said(got) != want {
		t.Errorf("got %d %s, want 201 %s", got.status, got.body, want)
	}
	set := got.header.Get("Set-Cookie")
	for _, part := range []string{"daybook_session_8080=daybook_session_", "; Path=/", "; Max-Age=43200", "; HttpOnly", "; SameSite=Strict"} {
		if !strings.Contains(set, part) {
			t.Errorf("got the cookie %q, want %s in it", set, part)
		}
	}
	if strings.Contains(set, "Secure") {
		t.Errorf("got the cookie %q, want it not Secure, because the server has no TLS", set)
	}
	cookie, _, _ := strings.Cut(set, ";")
	signedIn := http.Header{"Cookie": {cookie}}
	if got := g.do(t, request{method: http.MethodGet, target: "/api/v1/session", header: signedIn}); said(got) != want {
		t.Errorf("got %s, want %s", got.body, want)
	}
	if got := g.do(t, request{method: http.MethodPost, target: "/currency/add", header: signedIn, body: []byte(`{"code":"EUR"}`)}); got.status != http.StatusCreated {
		t.Errorf("a write in the session: got %d %s", got.status, got.body)
	}
	out := g.do(t, request{method: http.MethodDelete, target: "/api/v1/session", header: signedIn})
	if want := `{"required":true,"open_to_all":false,"signed_in":null,"seq":null,"hash":null}`; string(out.body) != want || !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("signing out: got %s and the cookie %q, want %s and the cookie removed", out.body, out.header.Get("Set-Cookie"), want)
	}
	if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: signedIn}); got.status != http.StatusUnauthorized {
		t.Errorf("after signing out: got %d, want 401", got.status)
	}
}

// TestASessionSaysHowFarTheJournalIsToWhoMayRead: the answer about a session has the head of the journal
// if the token may read. With it the page notices changes between this answer and the first event of
// the stream.
func TestASessionSaysHowFarTheJournalIsToWhoMayRead(t *testing.T) {
	g := serveGuarded(t, nil)
	seq := func(header http.Header) string {
		t.Helper()
		got := g.do(t, request{method: http.MethodGet, target: "/api/v1/session", header: header})
		_, said, _ := strings.Cut(string(got.body), `"seq":`)
		said, hash, _ := strings.Cut(said, `,"hash":`)
		if (said == "null") != (hash == "null}") {
			t.Errorf("got the entry %s with the hash %s, want both or none", said, hash)
		}
		return said
	}
	reads := http.Header{"Cookie": {g.signIn(t, g.tokens[access.Write])}}
	if got := seq(reads); got != "4" {
		t.Errorf("before a write: got %s, want 4", got)
	}
	if got := g.do(t, request{method: http.MethodPost, target: "/currency/add", header: reads, body: []byte(`{"code":"EUR"}`)}); got.status != http.StatusCreated {
		t.Fatalf("got %d %s, want 201", got.status, got.body)
	}
	if got := seq(reads); got != "5" {
		t.Errorf("after a write: got %s, want 5", got)
	}
	for name, header := range map[string]http.Header{
		"nobody": nil, "a feed": {"Cookie": {g.signIn(t, g.tokens[access.Ingest])}},
	} {
		if got := seq(header); got != "null" {
			t.Errorf("%s, who may not read: got %s, want null", name, got)
		}
	}
	open := serveGuarded(t, func(config *api.Config) { config.RequireToken = false })
	got := open.do(t, request{method: http.MethodGet, target: "/api/v1/session"})
	if want := `{"required":false,"open_to_all":false,"signed_in":null,"seq":4,"hash":"`; !strings.HasPrefix(string(got.body), want) {
		t.Errorf("without required tokens: got %s, want %s", got.body, want)
	}
}

// overTLS is the header that a proxy adds for a client that uses TLS.
var overTLS = http.Header{"X-Forwarded-Proto": {"https"}}

// plus returns the fields of two headers.
func plus(a, b http.Header) http.Header {
	all := a.Clone()
	maps.Copy(all, b)
	return all
}

// TestTheCookieBelongsToTheHostUnderTLS: with TLS the cookie has a name that only this host can set, and
// only over TLS. A page of a sibling host cannot set it. The server believes a proxy that says that the
// client uses TLS only if it trusts the proxy.
func TestTheCookieBelongsToTheHostUnderTLS(t *testing.T) {
	for _, c := range []struct {
		trusted, name string
		secure        bool
	}{{"127.0.0.1", "__Host-daybook_session_8080=", true}, {"192.0.2.1", "daybook_session_8080=", false}} {
		g := serveGuarded(t, func(config *api.Config) { config.Known = proxies(t, c.trusted) })
		got := g.do(t, request{
			method: http.MethodPost, target: "/api/v1/session", header: overTLS,
			body: []byte(`{"token":"` + string(g.tokens[access.Read]) + `"}`),
		})
		set := got.header.Get("Set-Cookie")
		if secure := strings.Contains(set, "; Secure"); secure != c.secure || !strings.HasPrefix(set, c.name) || !strings.Contains(set, "; Path=/;") || strings.Contains(set, "Domain") {
			t.Errorf("%s trusted: got the cookie %q, want secure %t and %s", c.trusted, set, c.secure, c.name)
		}
		cookie, _, _ := strings.Cut(set, ";")
		signedIn := plus(overTLS, http.Header{"Cookie": {cookie}})
		if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: signedIn}); got.status != http.StatusOK {
			t.Errorf("%s trusted: got %d in the session, want 200", c.trusted, got.status)
		}
		out := g.do(t, request{method: http.MethodDelete, target: "/api/v1/session", header: signedIn})
		if removed := out.header.Get("Set-Cookie"); !strings.HasPrefix(removed, c.name+";") || !strings.Contains(removed, "Max-Age=0") || strings.Contains(removed, "; Secure") != c.secure {
			t.Errorf("%s trusted: got the cookie %q, want it removed", c.trusted, removed)
		}
		if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: signedIn}); got.status != http.StatusUnauthorized {
			t.Errorf("%s trusted: got %d after signing out, want 401", c.trusted, got.status)
		}
	}
}

// TestUnderTLSNoOtherCookieCounts: with TLS the server ignores a session cookie with the name that any
// page could set. Without TLS it ignores one with the name for TLS.
func TestUnderTLSNoOtherCookieCounts(t *testing.T) {
	g := serveGuarded(t, func(config *api.Config) { config.Known = proxies(t, "127.0.0.1") })
	plain := g.signIn(t, g.tokens[access.Read])
	_, secret, _ := strings.Cut(plain, "=")
	guarded := "__Host-daybook_session=" + secret
	for _, c := range []struct {
		cookie string
		header http.Header
		want   int
	}{
		{plain, http.Header{}, http.StatusOK},
		{plain, overTLS, http.StatusUnauthorized},
		{guarded, http.Header{}, http.StatusUnauthorized},
		{guarded, overTLS, http.StatusOK},
		{plain + "x; " + guarded, overTLS, http.StatusOK},
	} {
		header := plus(c.header, http.Header{"Cookie": {c.cookie}})
		if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: header}); got.status != c.want {
			t.Errorf("%v: got %d, want %d", header, got.status, c.want)
		}
		got := g.do(t, request{method: http.MethodGet, target: "/api/v1/session", header: header})
		if signedIn := !strings.Contains(string(got.body), `"signed_in":null`); signedIn != (c.want == http.StatusOK) {
			t.Errorf("%v: got %s, want signed in %t", header, got.body, c.want == http.StatusOK)
		}
	}
}

// TestACookieOfAnotherPageLocksNobodyOut: without TLS a page on another port of the same host can set a
// cookie with the session's name, and the browser sends both. The user stays signed in.
func TestACookieOfAnotherPageLocksNobodyOut(t *testing.T) {
	g := serveGuarded(t, nil)
	over := g.signIn(t, g.tokens[access.Read])
	g.do(t, request{method: http.MethodDelete, target: "/api/v1/session", header: http.Header{"Cookie": {over}}})
	for _, planted := range []string{"daybook_session=x; ", over + "; ", strings.Repeat(over+"; ", 7)} {
		cookie := http.Header{"Cookie": {planted + g.signIn(t, g.tokens[access.Read])}}
		list := request{method: http.MethodGet, target: "/currency/list", header: cookie}
		if got := g.do(t, list); got.status != http.StatusOK {
			t.Errorf("%q first: got %d, want 200", planted, got.status)
		}
		session := g.do(t, request{method: http.MethodGet, target: "/api/v1/session", header: cookie})
		if strings.Contains(string(session.body), `"signed_in":null`) {
			t.Errorf("%q first: got %s, want the session", planted, session.body)
		}
		g.do(t, request{method: http.MethodDelete, target: "/api/v1/session", header: cookie})
		if got := g.do(t, list); got.status != http.StatusUnauthorized {
			t.Errorf("%q first: got %d after signing out, want 401", planted, got.status)
		}
	}
	many := http.Header{"Cookie": {strings.Repeat(over+"; ", 8) + g.signIn(t, g.tokens[access.Read])}}
	if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: many}); got.status != http.StatusUnauthorized {
		t.Errorf("got %d for the ninth of nine sessions, want 401, because the server looks up at most eight", got.status)
	}
}

// TestSigningInEndsTheSessionBefore: signing in ends the session that the same browser had, and no
// other.
func TestSigningInEndsTheSessionBefore(t *testing.T) {
	g := serveGuarded(t, nil)
	before, other := g.signIn(t, g.tokens[access.Read]), g.signIn(t, g.tokens[access.Read])
	signIn := func(token string, cookie string, want int) answer {
		t.Helper()
		got := g.do(t, request{method: http.MethodPost, target: "/api/v1/session", header: http.Header{"Cookie": {cookie}}, body: []byte(`{"token":"` + token + `"}`)})
		if got.status != want {
			t.Fatalf("signing in: got %d %s, want %d", got.status, got.body, want)
		}
		return got
	}
	reads := func(cookie string) bool {
		return g.do(t, request{method: http.MethodGet, target: "/currency/list", header: http.Header{"Cookie": {cookie}}}).status == http.StatusOK
	}
	signIn("daybook_wrong", before, http.StatusUnauthorized)
	if !reads(before) {
		t.Error("after a wrong token: got the session ended, want it to go on")
	}
	after, _, _ := strings.Cut(signIn(string(g.tokens[access.Write]), before, http.StatusCreated).header.Get("Set-Cookie"), ";")
	for cookie, want := range map[string]bool{before: false, after: true, other: true} {
		if got := reads(cookie); got != want {
			t.Errorf("the session %s: got valid %t, want %t", cookie, got, want)
		}
	}
}

// proxies are a trusted proxy, which a gate knows.
func proxies(t *testing.T, raw string) *gate.Known {
	t.Helper()
	p, err := gate.ParseProxies([]string{raw})
	if err != nil {
		t.Fatal(err)
	}
	return gate.Know(gate.Names{TrustedProxies: p})
}

// wrongToken signs in with a token that does not exist.
var wrongToken = request{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":"daybook_guess"}`)}

// TestSigningInIsLimited: after five wrong tokens a client must wait, whatever is wrong with the next
// one. A right token is still accepted, in the body or in a header, and does not reset the limit.
func TestSigningInIsLimited(t *testing.T) {
	g := serveGuarded(t, nil)
	for i := range 5 {
		if got := g.do(t, wrongToken); got.status != http.StatusUnauthorized {
			t.Fatalf("guess %d: got %d, want 401", i+1, got.status)
		}
	}
	g.signIn(t, g.tokens[access.Read])
	if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: with(g.tokens[access.Read])}); got.status != http.StatusOK {
		t.Errorf("with a token in the header: got %d, want 200", got.status)
	}
	if _, err := g.keys.Revoke(t.Context(), g.ids[access.Write]); err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"no token": "daybook_guess", "an unknown one": "daybook_" + strings.Repeat("A", 43), "a revoked one": string(g.tokens[access.Write]),
	} {
		wrong := wrongToken
		wrong.body = []byte(`{"token":"` + token + `"}`)
		got := g.do(t, wrong)
		if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" || strings.Contains(string(got.body), token) {
			t.Errorf("%s after five wrong ones: got %d %s and Retry-After %q, want 429, a Retry-After and no token", name, got.status, got.body, got.header.Get("Retry-After"))
		}
	}
}

// TestATokenThatHasNotArrivedIsNoGuess: bodies that have not arrived, and bodies without a token, do not
// count as guesses.
func TestATokenThatHasNotArrivedIsNoGuess(t *testing.T) {
	g := serveGuarded(t, nil)
	for range 5 {
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(g.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() }) // before the server ends
		if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		l := &line{c, bufio.NewReader(c)}
		l.begin(t, "POST /api/v1/session", "Content-Length: 100\r\nExpect: 100-continue")
		if got, err := l.answers.ReadString('\n'); err != nil || !strings.Contains(got, "100 Continue") {
			t.Fatalf("got %q, %v, want 100 Continue", got, err)
		}
		nothing := wrongToken
		nothing.body = []byte(`{}`)
		if got := g.do(t, nothing); got.status != http.StatusBadRequest {
			t.Errorf("without a token: got %d, want 400", got.status)
		}
	}
	if got := g.do(t, wrongToken); got.status != http.StatusUnauthorized {
		t.Errorf("the first guess beside five bodies that have not arrived: got %d %s, want 401", got.status, got.body)
	}
}

// TestGuessesOfOneNetworkCountTogether: guesses from one /64 of IPv6 count together, because a client
// can use any address of it.
func TestGuessesOfOneNetworkCountTogether(t *testing.T) {
	g := serveGuarded(t, func(config *api.Config) { config.Known = proxies(t, "127.0.0.1") })
	guess := func(from string) int {
		r := wrongToken
		r.header = http.Header{"X-Forwarded-For": {from}}
		return g.do(t, r).status
	}
	for _, from := range []string{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2::3", "2001:db8:1:2:4::", "2001:db8:1:2:5::"} {
		if got := guess(from); got != http.StatusUnauthorized {
			t.Errorf("%s: got %d, want 401", from, got)
		}
	}
	for from, want := range map[string]int{"2001:db8:1:2:6::": http.StatusTooManyRequests, "2001:db8:1:3::1": http.StatusUnauthorized, "192.0.2.1": http.StatusUnauthorized} {
		if got := guess(from); got != want {
			t.Errorf("%s: got %d, want %d", from, got, want)
		}
	}
}

// TestAPageOfAnAllowedOriginMayUseTheInterface: a page of an allowed origin may send requests with a
// token. A page of another origin may not.
func TestAPageOfAnAllowedOriginMayUseTheInterface(t *testing.T) {
	const allowed = "https://reports.example.com"
	origins, err := gate.ParseOrigins([]string{allowed})
	if err != nil {
		t.Fatal(err)
	}
	g := serveGuarded(t, func(config *api.Config) { config.Known = gate.Know(gate.Names{Origins: origins}) })
	preflight := request{method: http.MethodOptions, target: "/currency/add", header: http.Header{
		"Origin": {allowed}, "Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {"authorization,content-type,last-event-id"},
	}}
	got := g.do(t, preflight)
	if got.status != http.StatusOK || string(got.body) != "{}" || got.header.Get("Access-Control-Allow-Origin") != allowed ||
		!strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Authorization") ||
		!strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Last-Event-ID") {
		t.Errorf("preflight: got %d %s %v, want Authorization and Last-Event-ID allowed", got.status, got.body, got.header)
	}
	for route := range api.Routes() {
		if method, _, _ := strings.Cut(route, " "); !strings.Contains(got.header.Get("Access-Control-Allow-Methods"), method) {
			t.Errorf("preflight: got the methods %q, want %s", got.header.Get("Access-Control-Allow-Methods"), method)
		}
	}
	post := request{method: http.MethodPost, target: "/currency/add", header: with(g.tokens[access.Write]), body: []byte(`{"code":"EUR"}`)}
	post.header.Set("Origin", allowed)
	post.header.Set("Sec-Fetch-Site", "cross-site")
	got = g.do(t, post)
	if got.status != http.StatusCreated || got.header.Get("Access-Control-Allow-Origin") != allowed || got.header.Get("Vary") != "Origin" {
		t.Errorf("a write: got %d %s %v, want 201 for the allowed origin", got.status, got.body, got.header)
	}
	for _, other := range []string{"https://evil.example", "null", allowed + ".evil.example", "http://reports.example.com"} {
		preflight.header.Set("Origin", other)
		post.header.Set("Origin", other)
		for _, r := range []request{preflight, post} {
			got := g.do(t, r)
			if got.status < 400 || got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s from %s: got %d, allowed for %q, want an error, allowed for no origin", r.method, other, got.status, got.header.Get("Access-Control-Allow-Origin"))
			}
		}
	}
}

// TestAPageOfOthersHasNoSession: a browser sends the session cookie with a request of an allowed origin
// on a sibling host, because both are of the same site. The server ignores the cookie; such a page
// needs a token.
func TestAPageOfOthersHasNoSession(t *testing.T) {
	const allowed = "https://reports.example.com"
	origins, err := gate.ParseOrigins([]string{allowed})
	if err != nil {
		t.Fatal(err)
	}
	g := serveGuarded(t, func(config *api.Config) { config.Known = gate.Know(gate.Names{Origins: origins}) })
	cookie := g.signIn(t, g.tokens[access.Write])
	own := http.Header{"Cookie": {cookie}, "Sec-Fetch-Site": {"same-origin"}}
	for _, foreign := range []http.Header{
		{"Cookie": {cookie}, "Origin": {allowed}, "Sec-Fetch-Site": {"same-site"}},
		{"Cookie": {cookie}, "Origin": {allowed}, "Sec-Fetch-Site": {"cross-site"}},
		{"Cookie": {cookie}, "Origin": {allowed}}, // a browser that does not send Sec-Fetch-Site
	} {
		for _, r := range []struct {
			request
			want int
		}{
			{request{method: http.MethodPost, target: "/currency/add", body: []byte(`{"code":"EUR"}`)}, http.StatusUnauthorized},
			{request{method: http.MethodGet, target: "/currency/list"}, http.StatusUnauthorized},
			{request{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":"` + string(g.tokens[access.Read]) + `"}`)}, http.StatusForbidden},
			{request{method: http.MethodDelete, target: "/api/v1/session"}, http.StatusForbidden},
		} {
			r.header = foreign
			if got := g.do(t, r.request); got.status != r.want || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s %s from %v: got %d %s and the cookie %q, want %d and none", r.method, r.target, foreign, got.status, got.body, got.header.Get("Set-Cookie"), r.want)
			}
		}
		got := g.do(t, request{method: http.MethodGet, target: "/api/v1/session", header: foreign})
		if !strings.Contains(string(got.body), `"signed_in":null`) {
			t.Errorf("from %v: got %s, want nobody signed in", foreign, got.body)
		}
	}
	if got := g.do(t, request{method: http.MethodGet, target: "/currency/list", header: own}); got.status != http.StatusOK {
		t.Errorf("from the own page: got %d, want 200", got.status)
	}
}

// TestNoAnswerTellsOfASecret: neither the journal nor an error response contains the secret of a token
// or its digest.
func TestNoAnswerTellsOfASecret(t *testing.T) {
	g := serveGuarded(t, nil)
	secret := string(g.tokens[access.Read])
	journal := g.do(t, request{method: http.MethodGet, target: "/api/v1/journal?entity=tokens", header: with(g.tokens[access.Read])})
	if got := string(journal.body); !strings.Contains(got, `"after":{"id":1,"name":"feed","scope":"read","created_at":`) {
		t.Errorf("got %s, want the tokens in it, without digests", got)
	}
	for _, token := range []string{`["` + secret + `"]`, `{"a":"` + secret + `"}`} {
		got := g.do(t, request{method: http.MethodPost, target: "/api/v1/session", body: []byte(`{"token":` + token + `}`)})
		if got.status != http.StatusBadRequest || strings.Contains(string(got.body), secret[:16]) {
			t.Errorf("got %d %s, want 400 that does not repeat the token", got.status, got.body)
		}
	}
}

// TestEveryResponseIsGuarded: every kind of response has the security headers. Only the page may run
// scripts and be cached.
func TestEveryResponseIsGuarded(t *testing.T) {
	s := serve(t)
	for _, r := range []request{
		{method: http.MethodGet, target: "/health"},
		{method: http.MethodGet, target: "/"},
		{method: http.MethodGet, target: "/openapi.yaml"},
		{method: http.MethodGet, target: "/trade/list"},
		{method: http.MethodGet, target: "/nowhere"},
		{method: http.MethodPut, target: "/health"},
		{method: http.MethodPost, target: "/currency/add", body: []byte(`{`)},
		{method: http.MethodGet, target: "/health", header: http.Header{"Host": {"evil.example"}}},
	} {
		got := s.do(t, r)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": map[bool]string{false: "no-store", true: "no-cache"}[r.target == "/"],
		} {
			if got := got.header.Get(name); got != want {
				t.Errorf("%s %s: got %s %q, want %q", r.method, r.target, name, got, want)
			}
		}
		policy := got.header.Get("Content-Security-Policy")
		source := map[bool]string{false: "'none'", true: "'self'"}[r.target == "/"]
		if !strings.HasPrefix(policy, "default-src "+source+";") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s %s: got the policy %q, want default-src %s and frame-ancestors 'none'", r.method, r.target, policy, source)
		}
		if allowed := got.header.Get("Access-Control-Allow-Origin"); allowed != "" {
			t.Errorf("%s %s: allowed for %q, want no origin", r.method, r.target, allowed)
		}
	}
}
