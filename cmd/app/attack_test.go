package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// reports is the origin of the only foreign page that may use the attacked server.
const reports = "https://reports.example.com"

// TestAttacks sends a serving process the bytes of hostile clients, pages and proxies. Each attack gets
// the promised response, stores nothing, and reveals no secret; honest clients are served before,
// during and after it. Only -soak checks how fast, because other tests use the processor at the same
// time.
func TestAttacks(t *testing.T) {
	if *soak {
		patience = time.Minute
	}
	f := newAttackedServer(t)
	rows, guesses := attacks(f), signInAttacks(f)
	if got := len(rows) + len(guesses); got < 40 {
		t.Errorf("got %d attacks, want at least 40", got)
	}
	f.honestRound(t, "before")
	before := f.everything(t)

	over := make(chan struct{})
	var beside, attackers sync.WaitGroup
	beside.Go(func() {
		for rounds := 0; ; rounds++ {
			f.honestRound(t, "beside")
			select {
			case <-over:
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
	for _, a := range rows {
		attackers.Go(func() { f.runAttack(t, a) })
	}
	attackers.Wait()
	for _, a := range guesses { // in order: their number decides the answer
		f.runAttack(t, a)
	}
	f.send(t, "a good token after too many guesses", jsonRequest("POST", "/api/v1/session", `{"token":"`+f.admin+`"}`), http.StatusCreated)
	close(over)
	beside.Wait()

	f.honestRound(t, "after")
	if after := f.everything(t); after != before {
		t.Errorf("after the attacks: got\n%s\nwant what was stored before:\n%s", after, before)
	}
	f.send(t, "a control", jsonRequest("POST", "/currency/add", `{"code":"NEW"}`, bearer(f.write)), http.StatusCreated)
	if f.everything(t) == before {
		t.Error("as a control, a write of an honest client: got no difference, want one")
	}
	f.end(t)
	if !t.Failed() {
		t.Logf("soak: %d attacks | connections open at most %s longer than their limits, honest requests within %s | %s and %s | a write of an honest client is noticed",
			len(rows)+len(guesses), slack, slack, f.heldLonger.Round(time.Millisecond), f.honestTook.Round(time.Millisecond))
	}
}

// attackedServer is a server that requires tokens, with the secrets of its owner.
type attackedServer struct {
	*process
	dir string

	read, ingest, write, admin string // tokens
	revoked, expired           string // tokens that were good once
	session                    string // of the token write
	revokedSession             string // of a token that was revoked later
	closedSession              string // a session that was signed out
	secrets                    []string

	mu         sync.Mutex
	heard      bytes.Buffer  // all answers
	heldLonger time.Duration // the most that an attack kept a connection open beyond its limit
	honestTook time.Duration // the longest time of an honest request
}

func newAttackedServer(t *testing.T) *attackedServer {
	t.Helper()
	f := &attackedServer{dir: t.TempDir()}
	f.read, f.ingest = f.token(t, "read"), f.token(t, "ingest")
	f.write, f.admin = f.token(t, "write"), f.token(t, "admin")
	f.revoked, f.expired = f.token(t, "admin"), f.token(t, "admin", "--expires", "1ms")
	p, err := startServing(t.Context(), f.dir, plainEnvironment(), "--addr", "127.0.0.1:0",
		"--require-token", "--allow-host", "books.example.com", "--cors-origin", reports)
	if err != nil {
		t.Fatal(err)
	}
	f.process = p
	for _, w := range [][2]string{
		{"/currency/add", `{"code":"USD","name":"US dollar"}`},
		{"/company/add", `{"name":"Acme","shares_outstanding":100,"price":1.5,"currency_id":1}`},
		{"/company/revenue/add", `{"company_id":1,"category":"Products","amount":10}`},
		{"/trade/add", `{"symbol":"ACME","currency_code":"USD","shares":5,"product":0,"type":true,"price":2,"date":"2025-01-02"}`},
		{"/api/v1/department/create", `{"code":"D1","name":"Sales"}`},
		{"/api/v1/gl-accounts", `{"code":"4000","type":"revenue"}`},
		{"/api/v1/budget/create", `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":100,"currency":"USD"}`},
	} {
		f.send(t, w[0], jsonRequest("POST", w[0], w[1], bearer(f.write)), http.StatusCreated)
	}
	f.send(t, "a token before it is revoked", request11("GET /trade/list", bearer(f.revoked)), http.StatusOK)
	f.session, f.closedSession = f.signIn(t, f.write), f.signIn(t, f.write)
	f.revokedSession = f.signIn(t, f.revoked)
	f.send(t, "signing out", request11("DELETE /api/v1/session", cookie(f.closedSession)), http.StatusOK)
	if r := runIn(t, f.dir, "app", "token", "revoke", "5"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	f.heard.Reset() // the answers to signing in contain secrets
	return f
}

// token makes a token with the command and returns its secret.
func (f *attackedServer) token(t *testing.T, scope string, more ...string) string {
	t.Helper()
	r := runIn(t, f.dir, "app", append([]string{"token", "create", "--name", scope, "--scope", scope}, more...)...)
	if r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	secret := strings.TrimSpace(r.stdout)
	f.secrets = append(f.secrets, secret)
	return secret
}

// signIn returns the secret of a new session.
func (f *attackedServer) signIn(t *testing.T, token string) string {
	t.Helper()
	told := f.send(t, "signing in", jsonRequest("POST", "/api/v1/session", `{"token":"`+token+`"}`), http.StatusCreated)
	for _, set := range (&http.Response{Header: told.answers[0].header}).Cookies() {
		if strings.HasPrefix(set.Name, "daybook_session") {
			f.secrets = append(f.secrets, set.Value)
			return set.Value
		}
	}
	t.Fatal("signing in: got no cookie, want one")
	return ""
}

// send sends an honest request. It fails the test unless there is one answer, with the status want.
func (f *attackedServer) send(t *testing.T, name, sent string, want int) conversation {
	t.Helper()
	told, err := f.talk(t.Context(), sent, "")
	if err != nil || !slices.Equal(told.statuses(), []int{want}) {
		t.Fatalf("%s: got %v, %v, want %d\n%s", name, told.statuses(), err, want, told.raw)
	}
	return told
}

// lists are all the paths that return stored records.
var lists = []string{
	"/currency/list", "/company/list", "/company/revenue/list?company_id=1", "/company/revenue/categories?company_id=1",
	"/trade/list", "/positions/list", "/api/v1/department/list", "/api/v1/gl-accounts", "/api/v1/trades?limit=1000",
	"/api/v1/budgets?limit=1000", "/api/v1/actuals?limit=1000", "/api/v1/journal?limit=1000",
	"/api/v1/variance?year=2025&period=1",
}

// everything returns the journal, every list, and the names of the files.
func (f *attackedServer) everything(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, path := range lists {
		told := f.send(t, path, request11("GET "+path, bearer(f.read)), http.StatusOK)
		fmt.Fprintf(&all, "%s %s\n", path, told.answers[0].body)
	}
	files, err := os.ReadDir(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		fmt.Fprintln(&all, file.Name())
	}
	return all.String()
}

// end stops the server, and searches its answers, its output and its log for secrets and panics.
func (f *attackedServer) end(t *testing.T) {
	t.Helper()
	if err := f.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for where, said := range map[string]string{
		"an answer": f.heard.String(), "standard output": f.stdout.String(), "the log": f.stderr.String(),
	} {
		for _, secret := range f.secrets {
			digest := sha256.Sum256([]byte(secret))
			random := secret[len(secret)-43:]
			for _, telling := range []string{
				random, random[:16], hex.EncodeToString(digest[:]), strings.ToUpper(hex.EncodeToString(digest[:])),
				base64.RawStdEncoding.EncodeToString(digest[:]), base64.RawURLEncoding.EncodeToString(digest[:]),
			} {
				if i := strings.Index(said, telling); i >= 0 {
					t.Errorf("%s contains a secret: %s", where, said[max(0, i-100):i+len(telling)])
				}
			}
		}
		if strings.Contains(said, "panic") {
			t.Errorf("%s reports a panic: %s", where, said)
		}
	}
}

// conversation is what the server sent on one connection.
type conversation struct {
	answers []answer
	open    bool // the server answered the last request too (last)
	took    time.Duration
	raw     string
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (c conversation) statuses() []int {
	var statuses []int
	for _, a := range c.answers {
		statuses = append(statuses, a.status)
	}
	return statuses
}

// last is the request that ends each conversation. Its answer shows that the answers before it are all
// the answers to what was sent before.
const (
	lastID = "the-last-one"
	last   = "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " + lastID + "\r\nConnection: close\r\n\r\n"
)

// slowEvery is how often a slow client sends a little more.
const slowEvery = 100 * time.Millisecond

// talk sends bytes on a new connection. Then it sends the last request, or repeated, if that is not
// "", again and again until the server closes the connection. It returns all answers.
func (f *attackedServer) talk(ctx context.Context, sent, repeated string) (told conversation, err error) {
	began := time.Now()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", f.addr)
	if err != nil {
		return told, err
	}
	if err := conn.SetDeadline(began.Add(patience)); err != nil {
		return told, errors.Join(err, conn.Close())
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		if repeated == "" {
			_, _ = io.WriteString(conn, sent+last) // the server may refuse to take it all
			return
		}
		for _, err := io.WriteString(conn, sent); err == nil; _, err = io.WriteString(conn, repeated) {
			time.Sleep(slowEvery)
		}
	})
	told.answers, told.raw, err = readAnswers(conn, sent)
	told.took = time.Since(began)
	if n := len(told.answers); n > 0 && told.answers[n-1].header.Get("X-Request-Id") == lastID {
		told.answers, told.open = told.answers[:n-1], true
	}
	_ = conn.Close() // the server may have closed it
	sending.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard.WriteString(told.raw)
	return told, err
}

// readAnswers reads to the end of the connection. It fails if the connection does not end in time, or
// if a response is malformed.
func readAnswers(conn net.Conn, sent string) (answers []answer, raw string, err error) {
	var all strings.Builder
	in := bufio.NewReader(io.TeeReader(conn, &all))
	asked := &http.Request{Method: http.MethodGet}
	if strings.HasPrefix(sent, "HEAD ") {
		asked.Method = http.MethodHead
	}
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
			return answers, all.String(), nil
		}
		r, err := http.ReadResponse(in, asked)
		if err != nil {
			return answers, all.String(), err
		}
		body, err := io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return answers, all.String(), err
		}
		answers = append(answers, answer{r.StatusCode, r.Header, string(body)})
		asked.Method = http.MethodGet
	}
}

// runAttack makes an attack. It checks the answers that its row wants, and what every answer must keep
// to: no sharing with other pages, no cookie, and the headers of security.
func (f *attackedServer) runAttack(t *testing.T, a attack) {
	told, err := f.talk(t.Context(), a.sent, a.repeated)
	switch {
	case err != nil:
		t.Errorf("%s: %v\n%s", a.name, err, told.raw)
		return
	case !slices.Equal(told.statuses(), a.want):
		t.Errorf("%s: got %v, want %v\n%s", a.name, told.statuses(), a.want, told.raw)
	case a.closes && told.open:
		t.Errorf("%s: got the connection kept open, want it closed", a.name)
	case a.within != 0 && f.tooLate(&f.heldLonger, told.took-a.within):
		t.Errorf("%s: got the connection open for %s, want at most %s", a.name, told.took, a.within)
	}
	for _, got := range told.answers {
		header := got.header
		allowed := header.Get("Access-Control-Allow-Origin")
		if header.Get("Access-Control-Allow-Credentials") != "" || allowed != "" && (allowed != reports || !a.fromReports) {
			t.Errorf("%s: got Access-Control-Allow-Origin %q, want none, and no credentials allowed", a.name, allowed)
		}
		if header.Get("Set-Cookie") != "" || header.Get("Location") != "" {
			t.Errorf("%s: got the cookie %q and the location %q, want none", a.name, header.Get("Set-Cookie"), header.Get("Location"))
		}
		if header.Get("Content-Type") == "application/json" && header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got the headers %v, want X-Content-Type-Options: nosniff", a.name, header)
		}
		if got.status == http.StatusUnauthorized && header.Get("WWW-Authenticate") == "" && !a.signsIn {
			t.Errorf("%s: got 401 without WWW-Authenticate, want one", a.name)
		}
		if got.status == http.StatusTooManyRequests && header.Get("Retry-After") == "" {
			t.Errorf("%s: got 429 without Retry-After, want one", a.name)
		}
	}
}

// slack is how much later than its limit something may happen on a busy machine.
const slack = 5 * time.Second

// tooLate keeps the longest delay of its kind in latest, and reports whether this delay is too long.
// Only with -soak can it be.
func (f *attackedServer) tooLate(latest *time.Duration, by time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	*latest = max(*latest, by)
	return *soak && by > slack
}

// tooBusy reports whether /health answered with 503 because the machine was too busy: the database was
// not read within the second that /health waits. With -soak that counts as a failure.
func (f *attackedServer) tooBusy(told conversation) bool {
	return !*soak && told.took >= time.Second && slices.Equal(told.statuses(), []int{http.StatusServiceUnavailable})
}

// honestRound sends the requests of honest clients. Its writes have an Idempotency-Key, so that only the
// first round stores them.
func (f *attackedServer) honestRound(t *testing.T, when string) {
	for _, h := range f.honest() {
		told, err := f.talk(t.Context(), h.sent, "")
		for again := 0; again < 10 && f.tooBusy(told); again++ {
			told, err = f.talk(t.Context(), h.sent, "")
		}
		switch {
		case err != nil || !slices.Equal(told.statuses(), h.want) || !told.open:
			t.Errorf("%s, %s: got %v and open %t, %v, want %v\n%s", h.name, when, told.statuses(), told.open, err, h.want, told.raw)
		case h.fromReports && told.answers[0].header.Get("Access-Control-Allow-Origin") != reports:
			t.Errorf("%s, %s: got the headers %v, want Access-Control-Allow-Origin: %s", h.name, when, told.answers[0].header, reports)
		case f.tooLate(&f.honestTook, told.took):
			t.Errorf("%s, %s: got an answer after %s, want one within %s", h.name, when, told.took, slack)
		}
	}
}

// honest returns the requests of honest clients, each with the statuses that it must get.
func (f *attackedServer) honest() []attack {
	const euro = `{"code":"EUR"}`
	actual := `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":99.5,"currency":"USD"}`
	own := "Origin: http://" + f.addr
	atAddr := "Host: " + f.addr
	return []attack{
		{name: "health without a token", sent: request11("GET /health"), want: []int{200}},
		{name: "the page", sent: request11("GET /"), want: []int{200}},
		{name: "a list by token", sent: request11("GET /trade/list", bearer(f.read)), want: []int{200}},
		{name: "HEAD with a slash", sent: request11("HEAD /trade/list/", bearer(f.read)), want: []int{200}},
		{name: "an allowed host", sent: withHost("books.example.com:8443", "GET /trade/list", bearer(f.read)), want: []int{200}},
		{name: "a host without a dot", sent: withHost("intranet", "GET /trade/list", bearer(f.read)), want: []int{200}},
		{name: "a host without a dot and no token", sent: withHost("intranet", "GET /trade/list"), want: []int{401}},
		{name: "an address as host", sent: withHost("[::1]:8080", "GET /trade/list", "authorization: bearer "+f.read), want: []int{200}},
		{name: "a write with a key", sent: jsonRequest("POST", "/currency/add", euro, bearer(f.write), "Idempotency-Key: honest-1"), want: []int{201}},
		{name: "a feed of actuals", sent: jsonRequest("POST", "/api/v1/actuals/ingest", actual, bearer(f.ingest), "Idempotency-Key: honest-2"), want: []int{200}},
		{name: "a preflight of an allowed page", sent: request11("OPTIONS /currency/add", "Origin: "+reports,
			"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"), want: []int{200}, fromReports: true},
		{name: "a read of an allowed page", sent: request11("GET /trade/list", "Origin: "+reports, "Sec-Fetch-Site: cross-site", bearer(f.read)), want: []int{200}, fromReports: true},
		{name: "the page reads in its session", sent: request11("GET /trade/list", cookie(f.session), "Sec-Fetch-Site: same-origin"), want: []int{200}},
		{name: "the page writes in its session", sent: "POST /currency/add HTTP/1.1\r\n" + fields(atAddr, own, cookie(f.session), "Sec-Fetch-Site: same-origin",
			"Content-Type: application/json", "Content-Length: 14", "Idempotency-Key: honest-3") + `{"code":"CHF"}`, want: []int{201}},
		{name: "what curl sends", sent: request11("POST /currency/add", bearer(f.write), "Content-Type: application/x-www-form-urlencoded",
			"Content-Length: 14", "Idempotency-Key: honest-4") + `{"code":"SEK"}`, want: []int{201}},
		{name: "a body in chunks", sent: request11("POST /currency/add", bearer(f.write), "Transfer-Encoding: chunked", "Idempotency-Key: honest-5") +
			"7\r\n{\"code\"\r\n7\r\n:\"NOK\"}\r\n0\r\n\r\n", want: []int{201}},
		{name: "two requests at once", sent: request11("GET /") + request11("GET /currency/list", bearer(f.read)), want: []int{200, 200}},
	}
}

// fields returns header lines with the empty line that ends them.
func fields(lines ...string) string { return strings.Join(append(lines, "\r\n"), "\r\n") }

// request11 returns an HTTP/1.1 request to localhost: line is its method and target, lines are header
// lines.
func request11(line string, lines ...string) string { return withHost("localhost", line, lines...) }

func withHost(host, line string, lines ...string) string {
	return line + " HTTP/1.1\r\n" + fields(append([]string{"Host: " + host}, lines...)...)
}

// jsonRequest returns a request with a JSON body and its Content-Type and Content-Length.
func jsonRequest(method, target, body string, lines ...string) string {
	return request11(method+" "+target, append(lines, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))...) + body
}

func bearer(secret string) string { return "Authorization: Bearer " + secret }
func cookie(secret string) string { return "Cookie: daybook_session=" + secret }
