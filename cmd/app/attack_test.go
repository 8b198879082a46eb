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

// reports is the one web page of others that may use the server under attack.
const reports = "https://reports.example.com"

// TestAttacks sends a serving process the bytes of hostile clients, pages and proxies. Each attack gets
// the promised response, stores nothing, and reveals no secret; honest clients are served before,
// during and after it. Only -soak checks how fast, because other tests use the processor at the same
// time.
func TestAttacks(t *testing.T) {
	if *soak {
		patience = time.Minute
	}
	f := newFort(t)
	rows, guesses := attacks(f), signInAttacks(f)
	if got := len(rows) + len(guesses); got < 40 {
		t.Errorf("got %d attacks, want 40 at least", got)
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
		attackers.Go(func() { f.withstand(t, a) })
	}
	attackers.Wait()
	for _, a := range guesses { // which depend on each other
		f.withstand(t, a)
	}
	f.send(t, "a good token after too many guesses", jsonRequest("POST", "/api/v1/session", `{"token":"`+f.admin+`"}`), http.StatusCreated)
	close(over)
	beside.Wait()

	f.honestRound(t, "after")
	if after := f.everything(t); after != before {
		t.Errorf("after the attacks: got\n%s\nwant it as before:\n%s", after, before)
	}
	f.send(t, "a control", jsonRequest("POST", "/currency/add", `{"code":"NEW"}`, bearer(f.write)), http.StatusCreated)
	if f.everything(t) == before {
		t.Error("a write of an honest client does not show, so that nothing would")
	}
	f.end(t)
	if !t.Failed() {
		t.Logf("soak: %d attacks | held %s longer than their limits at most, honest requests within %s | %s and %s | a write of an honest client shows",
			len(rows)+len(guesses), slack, slack, f.heldLonger.Round(time.Millisecond), f.honestTook.Round(time.Millisecond))
	}
}

// fort is a server that asks for tokens, and all that its owner knows.
type fort struct {
	*process
	dir string

	read, ingest, write, admin string // tokens
	revoked, expired           string // tokens that were good once
	session                    string // of write
	revokedSession             string // of a token that was revoked since
	closedSession              string // that was signed out
	secrets                    []string

	mu         sync.Mutex
	heard      bytes.Buffer  // all that was answered
	heldLonger time.Duration // than an attack should be
	honestTook time.Duration // for one request
}

func newFort(t *testing.T) *fort {
	t.Helper()
	f := &fort{dir: t.TempDir()}
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
	f.send(t, "a token that is good yet", request11("GET /trade/list", bearer(f.revoked)), http.StatusOK)
	f.session, f.closedSession = f.signIn(t, f.write), f.signIn(t, f.write)
	f.revokedSession = f.signIn(t, f.revoked)
	f.send(t, "signing out", request11("DELETE /api/v1/session", cookie(f.closedSession)), http.StatusOK)
	if r := runIn(t, f.dir, "app", "token", "revoke", "5"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	f.heard.Reset() // whoever signs in is told a secret
	return f
}

// token makes a token with the command and returns its secret.
func (f *fort) token(t *testing.T, scope string, more ...string) string {
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
func (f *fort) signIn(t *testing.T, token string) string {
	t.Helper()
	told := f.send(t, "signing in", jsonRequest("POST", "/api/v1/session", `{"token":"`+token+`"}`), http.StatusCreated)
	for _, set := range (&http.Response{Header: told.answers[0].header}).Cookies() {
		if strings.HasPrefix(set.Name, "daybook_session") {
			f.secrets = append(f.secrets, set.Value)
			return set.Value
		}
	}
	t.Fatal("signing in sets no cookie")
	return ""
}

// send sends an honest request and wants one answer with the status.
func (f *fort) send(t *testing.T, name, sent string, want int) conversation {
	t.Helper()
	told, err := f.talk(t.Context(), sent, "")
	if err != nil || !slices.Equal(told.statuses(), []int{want}) {
		t.Fatalf("%s: got %v, %v, want %d\n%s", name, told.statuses(), err, want, told.raw)
	}
	return told
}

// lists are all the paths that show what is stored.
var lists = []string{
	"/currency/list", "/company/list", "/company/revenue/list?company_id=1", "/company/revenue/categories?company_id=1",
	"/trade/list", "/positions/list", "/api/v1/department/list", "/api/v1/gl-accounts", "/api/v1/trades?limit=1000",
	"/api/v1/budgets?limit=1000", "/api/v1/actuals?limit=1000", "/api/v1/journal?limit=1000",
	"/api/v1/variance?year=2025&period=1",
}

// everything is the journal, every list, and the names of the files.
func (f *fort) everything(t *testing.T) string {
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

// end stops the server, and looks for secrets in all that it said.
func (f *fort) end(t *testing.T) {
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
					t.Errorf("%s tells of a secret: %s", where, said[max(0, i-100):i+len(telling)])
				}
			}
		}
		if strings.Contains(said, "panic") {
			t.Errorf("%s tells of a panic: %s", where, said)
		}
	}
}

// conversation is what came back on one connection.
type conversation struct {
	answers []answer
	open    bool // the server would have taken another request
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

// last is the request that ends each conversation; its answer shows that the server
// took what came before it for as many requests as it answered.
const (
	lastID = "the-last-one"
	last   = "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " + lastID + "\r\nConnection: close\r\n\r\n"
)

// dripEvery is how often a slow client sends a little more.
const dripEvery = 100 * time.Millisecond

// talk sends bytes, and then the last request or, where there is one, the drip for as
// long as it is taken. It returns what is answered until the connection ends.
func (f *fort) talk(ctx context.Context, sent, drip string) (told conversation, err error) {
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
		if drip == "" {
			_, _ = io.WriteString(conn, sent+last) // the server may refuse to take it all
			return
		}
		for _, err := io.WriteString(conn, sent); err == nil; _, err = io.WriteString(conn, drip) {
			time.Sleep(dripEvery)
		}
	})
	told.answers, told.raw, err = readAnswers(conn, sent)
	told.took = time.Since(began)
	if n := len(told.answers); n > 0 && told.answers[n-1].header.Get("X-Request-Id") == lastID {
		told.answers, told.open = told.answers[:n-1], true
	}
	_ = conn.Close() // the server may have been first
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

// withstand makes an attack and wants what the row says, besides what holds for all.
func (f *fort) withstand(t *testing.T, a attack) {
	told, err := f.talk(t.Context(), a.sent, a.drip)
	switch {
	case err != nil:
		t.Errorf("%s: %v\n%s", a.name, err, told.raw)
		return
	case !slices.Equal(told.statuses(), a.want):
		t.Errorf("%s: got %v, want %v\n%s", a.name, told.statuses(), a.want, told.raw)
	case a.closes && told.open:
		t.Errorf("%s: got the connection kept, want it closed", a.name)
	case a.within != 0 && f.late(&f.heldLonger, told.took-a.within):
		t.Errorf("%s: got it held for %s, want at most %s", a.name, told.took, a.within)
	}
	for _, got := range told.answers {
		header := got.header
		allowed := header.Get("Access-Control-Allow-Origin")
		if header.Get("Access-Control-Allow-Credentials") != "" || allowed != "" && (allowed != reports || !a.fromReports) {
			t.Errorf("%s: got it shared with %q, want it with nobody", a.name, allowed)
		}
		if header.Get("Set-Cookie") != "" || header.Get("Location") != "" {
			t.Errorf("%s: got the cookie %q and the location %q, want none", a.name, header.Get("Set-Cookie"), header.Get("Location"))
		}
		if header.Get("Content-Type") == "application/json" && header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got %v, want it guarded", a.name, header)
		}
		if got.status == http.StatusUnauthorized && header.Get("WWW-Authenticate") == "" && !a.signsIn {
			t.Errorf("%s: got no WWW-Authenticate, want to be told what is asked for", a.name)
		}
		if got.status == http.StatusTooManyRequests && header.Get("Retry-After") == "" {
			t.Errorf("%s: got no Retry-After, want to be told when", a.name)
		}
	}
}

// slack is how much later than it should a busy machine may see to something.
const slack = 5 * time.Second

// late notes how late something is, as the latest of its kind, and reports whether that is
// too late.
func (f *fort) late(latest *time.Duration, by time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	*latest = max(*latest, by)
	return *soak && by > slack
}

// tooBusy reports a health of 503 because the machine read nothing in the second that health
// waits, which is held against the server with -soak only.
func (f *fort) tooBusy(told conversation) bool {
	return !*soak && told.took >= time.Second && slices.Equal(told.statuses(), []int{http.StatusServiceUnavailable})
}

// honestRound makes the requests of honest clients. Those that write bear a key, so that
// only the first round stores something.
func (f *fort) honestRound(t *testing.T, when string) {
	for _, h := range f.honest() {
		told, err := f.talk(t.Context(), h.sent, "")
		for again := 0; again < 10 && f.tooBusy(told); again++ {
			told, err = f.talk(t.Context(), h.sent, "")
		}
		switch {
		case err != nil || !slices.Equal(told.statuses(), h.want) || !told.open:
			t.Errorf("%s, %s: got %v and open %t, %v, want %v\n%s", h.name, when, told.statuses(), told.open, err, h.want, told.raw)
		case h.fromReports && told.answers[0].header.Get("Access-Control-Allow-Origin") != reports:
			t.Errorf("%s, %s: got %v, want it shared", h.name, when, told.answers[0].header)
		case f.late(&f.honestTook, told.took):
			t.Errorf("%s, %s: took %s, want it undisturbed", h.name, when, told.took)
		}
	}
}

// honest are the cases of honest clients, each with the statuses that it wants.
func (f *fort) honest() []attack {
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

// fields are header lines, with the empty line that ends them.
func fields(lines ...string) string { return strings.Join(append(lines, "\r\n"), "\r\n") }

// request11 is a request to localhost, by its method and target and more header lines.
func request11(line string, lines ...string) string { return withHost("localhost", line, lines...) }

func withHost(host, line string, lines ...string) string {
	return line + " HTTP/1.1\r\n" + fields(append([]string{"Host: " + host}, lines...)...)
}

// jsonRequest is a request with a body that is labelled as what it is.
func jsonRequest(method, target, body string, lines ...string) string {
	return request11(method+" "+target, append(lines, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))...) + body
}

func bearer(secret string) string { return "Authorization: Bearer " + secret }
func cookie(secret string) string { return "Cookie: daybook_session=" + secret }
