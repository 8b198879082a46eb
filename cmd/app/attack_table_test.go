package main

import (
	"fmt"
	"strings"
	"time"
)

// attack is what a hostile client sends on a connection of its own, and the answers that it must get.
type attack struct {
	name        string
	sent        string
	repeated    string        // sent after it, again and again
	want        []int         // the statuses of the answers, in order; none: the connection is closed
	closes      bool          // the server must close the connection
	within      time.Duration // the longest time until the connection ends, 0 for no limit
	fromReports bool          // sent by the page that may read answers
	signsIn     bool          // sends a token in its body
}

// evil is the body of a write. No attack may store it.
const evil = `{"code":"EVIL"}`

// attacks returns all attacks except those on signing in. Their order does not matter.
func attacks(f *attackedServer) []attack {
	var all []attack
	for _, class := range []func(*attackedServer) []attack{
		rebinding, forgery, foreignReads, smuggling, requestLines, paths, oversize, slow, tokens, scopes,
	} {
		all = append(all, class(f)...)
	}
	return all
}

// rebinding returns requests with host names of an attacker (DNS rebinding: his name resolves to this
// machine).
func rebinding(f *attackedServer) []attack {
	var all []attack
	for _, host := range []string{
		"evil.example", "EVIL.EXAMPLE", "evil.example.", "evil.example:8080", "books.example.com.evil.example", "xbooks.example.com",
		"books.example.com..", "localhost.evil.example", "localhost:80.evil.example", "127.0.0.1.evil.example", "[::1].evil.example",
		"127.0.0.1.evil.example.", "evil.xlocalhost", "localhost,evil.example",
	} {
		all = append(all, attack{name: "Host " + host, sent: withHost(host, "GET /trade/list", bearer(f.read)), want: []int{421}})
	}
	const line = "GET /trade/list HTTP/1.1\r\n"
	return append(all,
		attack{name: "a target of another host", sent: request11("GET http://evil.example/trade/list", bearer(f.read)), want: []int{421}},
		attack{name: "CONNECT to another host", sent: request11("CONNECT evil.example:443"), want: []int{421}},
		attack{name: "OPTIONS * of another host", sent: withHost("evil.example", "OPTIONS *"), want: []int{421}},
		attack{name: "userinfo in Host", sent: withHost("localhost@evil.example", "GET /health"), want: []int{400}, closes: true},
		attack{name: "userinfo as port", sent: withHost("localhost:@evil.example", "GET /health"), want: []int{400}, closes: true},
		attack{name: "two Hosts", sent: line + fields("Host: localhost", "Host: evil.example", bearer(f.read)), want: []int{400}, closes: true},
		attack{name: "no Host", sent: line + fields(bearer(f.read)), want: []int{400}, closes: true},
		attack{name: "X-Forwarded-Host", sent: withHost("evil.example", "GET /trade/list", bearer(f.read), "X-Forwarded-Host: localhost", "Forwarded: host=localhost"), want: []int{421}},
		attack{name: "a write under a rebound name", sent: "POST /currency/add HTTP/1.1\r\n" + fields("Host: evil.example", "Origin: http://evil.example",
			"Sec-Fetch-Site: same-origin", cookie(f.session), "Content-Type: application/json", "Content-Length: 15") + evil, want: []int{421}},
	)
}

// forgery returns requests that a foreign page makes a browser send while its user is signed in
// (cross-site request forgery).
func forgery(f *attackedServer) []attack {
	signedIn := cookie(f.session)
	write := func(name string, lines ...string) attack {
		return attack{name: name, sent: jsonRequest("POST", "/currency/add", evil, append(lines, signedIn)...), want: []int{403}}
	}
	labelled := func(label string, lines ...string) attack {
		lines = append(lines, signedIn, "Content-Type: "+label, "Content-Length: 15")
		return attack{name: "a write as " + label, sent: request11("POST /currency/add", lines...) + evil, want: []int{415}}
	}
	unlabelled := request11("POST /currency/add", signedIn, "Origin: "+reports, "Sec-Fetch-Site: same-site", "Content-Length: 15") + evil
	byReports := attack{name: "an allowed page in the session of a browser", sent: unlabelled, want: []int{401}, fromReports: true}
	return []attack{
		write("a write, cross-site", "Sec-Fetch-Site: cross-site"),
		write("a write, same-site", "Sec-Fetch-Site: same-site"),
		write("a write of an unknown site", "Sec-Fetch-Site: odd"),
		write("a write of another origin", "Origin: http://evil.example"),
		write("a write of another port", "Origin: http://localhost:3000"),
		write("a write of origin null", "Origin: null"),
		write("a write of an origin like an allowed one", "Origin: "+reports+".evil.example"),
		write("a write of an allowed name without TLS", "Origin: http://reports.example.com"),
		labelled("text/plain"),
		labelled("multipart/form-data; boundary=x"),
		labelled("application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"),
		labelled("application/x-www-form-urlencoded", "Origin: http://localhost"),
		labelled("text/plain; x=application/json"),
		labelled("application/json, text/plain"),
		byReports,
		{name: "an allowed page signs in", sent: jsonRequest("POST", "/api/v1/session", `{"token":"`+f.read+`"}`, "Origin: "+reports), want: []int{403}, fromReports: true, signsIn: true},
		{name: "an allowed page signs out", sent: request11("DELETE /api/v1/session", signedIn, "Origin: "+reports), want: []int{403}, fromReports: true},
		{name: "a page signs in", sent: jsonRequest("POST", "/api/v1/session", `{"token":"`+f.read+`"}`, "Sec-Fetch-Site: cross-site"), want: []int{403}, signsIn: true},
		{name: "a form signs in", sent: request11("POST /api/v1/session", "Origin: http://localhost", "Content-Type: text/plain", "Content-Length: 2") + "{}", want: []int{415}, signsIn: true},
		{name: "a form loads demo data", sent: request11("POST /api/v1/demo", signedIn, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"), want: []int{415}},
		{name: "a form takes a backup", sent: request11("POST /api/v1/backups", bearer(f.admin), "Content-Length: 0"), want: []int{415}},
		{name: "a page signs out", sent: request11("DELETE /api/v1/session", signedIn, "Sec-Fetch-Site: cross-site"), want: []int{403}},
		{name: "a sibling reads in the session", sent: request11("GET /trade/list", signedIn, "Sec-Fetch-Site: same-site"), want: []int{401}},
		{name: "a method in a header", sent: request11("GET /api/v1/trades/1", signedIn, "X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE", "X-HTTP-Method: DELETE"), want: []int{405}},
		{name: "a method in the query", sent: request11("POST /api/v1/trades/1?_method=DELETE", signedIn), want: []int{405}},
		{name: "GET where one writes", sent: request11("GET /currency/add?code=EVIL", signedIn), want: []int{405}},
		{name: "HEAD where one deletes", sent: request11("HEAD /api/v1/budgets/delete/1", signedIn), want: []int{405}},
		{name: "GET on the backups", sent: request11("GET /api/v1/backups", bearer(f.admin)), want: []int{405}},
		{name: "TRACE", sent: request11("TRACE /trade/list", signedIn), want: []int{405}},
	}
}

// foreignReads returns reads by foreign pages. Only the page that is allowed may read an answer.
func foreignReads(f *attackedServer) []attack {
	var all []attack
	for _, origin := range []string{
		"https://evil.example", "null", reports + ".evil.example", "http://reports.example.com", reports + ":444", "https://REPORTS.example.com",
		reports + "/", "https://xreports.example.com", "*", reports + " " + reports,
	} {
		all = append(all,
			attack{name: "a preflight from " + origin, sent: request11("OPTIONS /trade/list", "Origin: "+origin, "Access-Control-Request-Method: POST"), want: []int{405}},
			attack{name: "a read from " + origin, sent: request11("GET /trade/list", "Origin: "+origin, bearer(f.read)), want: []int{200}},
			attack{name: "a read by POST from " + origin, sent: request11("POST /trade/list", "Origin: "+origin, bearer(f.read), "Content-Type: text/plain", "Content-Length: 15") + evil, want: []int{200}},
		)
	}
	for _, line := range []string{"GET /trade/list", "POST /trade/list", "POST //positions//list/"} {
		all = append(all, attack{name: line + " in the session of a browser", sent: request11(line, "Sec-Fetch-Site: cross-site", cookie(f.session)), want: []int{401}})
	}
	for _, line := range []string{"PUT /trade/list", "POST /trade/list/x", "POST /trade//add", "POST /trade/list%2f..%2fadd"} {
		all = append(all, attack{name: line + " from a foreign page", sent: request11(line, "Origin: https://evil.example", bearer(f.write), "Content-Length: 0"), want: []int{403}})
	}
	return append(all,
		attack{name: "a preflight under another name", sent: withHost("evil.example", "OPTIONS /trade/list", "Origin: "+reports, "Access-Control-Request-Method: GET"), want: []int{421}},
		attack{name: "an allowed page without a token", sent: request11("GET /trade/list", "Origin: "+reports), want: []int{401}, fromReports: true},
	)
}

// smuggling returns requests that a proxy and the server could end at different places. Each hides a
// write with a good token. If the server took the hidden write for a request, it would answer it.
func smuggling(f *attackedServer) []attack {
	hidden := jsonRequest("POST", "/currency/add", evil, bearer(f.write))
	framed := func(name string, want int, body string, lines ...string) attack {
		lines = append([]string{bearer(f.write)}, lines...)
		return attack{name: name, sent: request11("POST /currency/add", lines...) + body, want: []int{want}, closes: true}
	}
	all := []attack{
		framed("a name before a colon and a space", 400, "0\r\n\r\n"+hidden, "Transfer-Encoding : chunked"),
		framed("a header without a name", 400, hidden, ": x"),
		framed("a header without a colon", 400, hidden, "odd"),
		framed("NUL in a header", 400, hidden, "X-A: a\x00b"),
		framed("a bare CR in a header", 400, hidden, "X-A: a\rContent-Length: 0"),
		framed("NUL in a name", 400, hidden, "X\x00A: a"),
	}
	for name, length := range map[string]string{
		"negative": "-1", "signed": "+5", "hexadecimal": "0x5", "huge": "99999999999999999999", "listed": "5, 5", "empty": "", "fractional": "5.0",
	} {
		all = append(all, framed("a length that is "+name, 400, hidden, "Content-Length: "+length))
	}
	all = append(all, framed("two lengths", 400, hidden, "Content-Length: 5", "Content-Length: 6"))
	for _, coding := range []string{"xchunked", "identity", "gzip, chunked", "chunked, chunked", "\"chunked\"", ""} {
		all = append(all, framed("the coding "+coding, 501, "0\r\n\r\n"+hidden, "Transfer-Encoding: "+coding))
	}
	all = append(all,
		framed("two codings", 501, "0\r\n\r\n"+hidden, "Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
		framed("a coding after a vertical tab", 400, "0\r\n\r\n"+hidden, "Transfer-Encoding: \x0bchunked"))
	for name, body := range map[string]string{
		"no number": "zz\r\n{}", "negative": "-2\r\n{}", "huge": "ffffffffffffffffff\r\n{}", "too short": "1\r\n{}",
		"ended by a bare LF": "2\n{}", "prefixed": "0x2\r\n{}", "spaced": " 2\r\n{}", "extended by a bare LF": "2;a\nb\r\n{}",
	} {
		all = append(all, framed("a chunk size that is "+name, 400, body+"\r\n0\r\n\r\n"+hidden, "Transfer-Encoding: chunked"))
	}
	inBody := func(name string, want int, body string, lines ...string) attack {
		lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)))
		return attack{name: name, sent: request11("POST /currency/add", lines...) + body, want: []int{want}}
	}
	return append(all,
		// The coding takes precedence over the length (RFC 9112, 6.3), so the rest is part of the chunk.
		attack{name: "a length beside chunks", sent: request11("POST /currency/add", bearer(f.write), "Content-Length: 4", "Transfer-Encoding: chunked") +
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(hidden), hidden), want: []int{400}},
		inBody("a request in a body without a token", 401, hidden),
		inBody("a request in a body of plain text", 415, hidden, bearer(f.write), "Content-Type: text/plain"),
		inBody("a request in a body that is no JSON", 400, hidden, bearer(f.write)),
		inBody("a request in a body of a foreign page", 403, hidden, bearer(f.write), "Sec-Fetch-Site: cross-site"),
		inBody("a request after a MiB", 413, strings.Repeat(" ", 1<<20)+hidden, bearer(f.write)),
		attack{name: "a request in a body of GET", sent: request11("GET /trade/list", bearer(f.read), fmt.Sprintf("Content-Length: %d", len(hidden))) + hidden, want: []int{200}},
		attack{name: "a request in a body that is not waited for", sent: request11("POST /currency/add", "Expect: 100-continue", fmt.Sprintf("Content-Length: %d", len(hidden))) + hidden, want: []int{401}, closes: true},
		attack{name: "a request after an upgrade", sent: request11("GET /trade/list", "Connection: Upgrade", "Upgrade: h2c") + request11("GET /currency/list"), want: []int{401, 401}},
	)
}

// requestLines returns malformed request lines, and those of other protocols.
func requestLines(f *attackedServer) []attack {
	var all []attack
	for _, line := range []string{
		"GET /trade/list", "GET  /trade/list HTTP/1.1", "GET /trade/list /x HTTP/1.1", "GET\t/trade/list\tHTTP/1.1", " GET /trade/list HTTP/1.1",
		"G\x00T /trade/list HTTP/1.1", "GET /trade/\x00list HTTP/1.1", "GET trade/list HTTP/1.1", "GET /trade/list HTTP/1.1 ", "GET /trade/list http/1.1",
		"GET /%zz HTTP/1.1", "\x16\x03\x01\x02",
	} {
		all = append(all, attack{name: fmt.Sprintf("the line %q", line), sent: line + "\r\n" + fields("Host: localhost", bearer(f.read)), want: []int{400}, closes: true})
	}
	const later = "GET /trade/list HTTP/9.9"
	return append(all,
		attack{name: later, sent: later + "\r\n" + fields("Host: localhost", bearer(f.read)), want: []int{505}, closes: true},
		attack{name: "a method in lower case", sent: request11("get /trade/list", bearer(f.read)), want: []int{405}},
		attack{name: "the preface of HTTP/2", sent: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", want: []int{404}, closes: true},
	)
}

// paths returns spellings of a path that could avoid the check for a token or for its scope.
func paths(f *attackedServer) []attack {
	var all []attack
	for _, path := range []string{
		"/openapi.yaml/../api/v1/journal", "/health/..%2fapi/v1/journal", "/health/%2e%2e/api/v1/journal", "/health//../api/v1/journal", "/api/%2fv1/journal",
		"/api/v1/journal%2f/", "/api/v1/journal%2f%2f", "//evil.example/api/v1/journal", "/api/v1/journal%00", "/api/v1/journal;x", "/api/v1/./journal", "/API/V1/JOURNAL", "/api\\v1\\journal",
		"/api/v1/journal%20", "/api/v1/journal%253f", "/api/v1/journal.json", "/health/api/v1/journal", "/api/v1/trades/1/../../journal", "*",
	} {
		all = append(all, attack{name: "the path " + path, sent: request11("GET " + path), want: []int{404}})
	}
	for _, path := range []string{
		"/api/v1/journal", "/api/v1/journal/", "/api/v1/journal?", "/api/v1/journal/?x=/health", "/api%2fv1/journal", "/api/v1/%6aournal", "/api/v1/journal%2f",
		"//api/v1/journal", "/api//v1/journal", "/api/v1/journal//", "///api///v1///%6aournal///",
	} {
		all = append(all,
			attack{name: "without a token " + path, sent: request11("GET " + path), want: []int{401}},
			attack{name: "HEAD without a token " + path, sent: request11("HEAD " + path), want: []int{401}})
	}
	for _, path := range []string{"/api/v1/backups", "/api/v1/backups/", "/api/v1%2fbackups", "/api/v1/%62ackups", "//api//v1//backups//"} {
		all = append(all, attack{name: "with too small a scope " + path, sent: request11("POST "+path, bearer(f.write), "Content-Length: 0"), want: []int{403}})
	}
	return append(all,
		attack{name: "a target in full", sent: request11("GET http://localhost/api/v1/journal"), want: []int{401}},
		attack{name: "a path in a header", sent: request11("GET /nowhere", "X-Original-URL: /api/v1/journal", "X-Rewrite-URL: /api/v1/journal"), want: []int{404}},
		attack{name: "an id with a path", sent: request11("DELETE /api/v1/trades/1%2f..%2f..%2fbackups", bearer(f.write)), want: []int{404}},
		attack{name: "an id that is SQL", sent: request11("DELETE /api/v1/trades/1%20OR%201=1", bearer(f.write)), want: []int{400}},
	)
}

// oversize returns requests that are larger, longer or nested deeper than the limits.
func oversize(f *attackedServer) []attack {
	chunk := "10000\r\n" + strings.Repeat(" ", 1<<16) + "\r\n"
	body := func(name string, want int, body string) attack {
		return attack{name: name, sent: jsonRequest("POST", "/currency/add", body, bearer(f.write)), want: []int{want}}
	}
	all := []attack{
		body("1 MiB and a byte", 413, evil+strings.Repeat(" ", 1<<20+1-len(evil))),
		body("a number of 10 MB", 413, `{"code":`+strings.Repeat("9", 10_000_000)+`}`),
		body("100 levels", 400, `{"code":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`),
		body("500,000 levels without an end", 400, strings.Repeat(`[`, 500_000)),
		body("a field 100,000 times", 400, "{"+strings.Repeat(`"a":1,`, 100_000)+`"a":1}`),
		body("two values", 400, evil+evil),
		{name: "a body without an end", sent: request11("POST /currency/add", bearer(f.write), "Transfer-Encoding: chunked") + strings.Repeat(chunk, 192), want: []int{413}, closes: true},
		{name: "a body without an end nor a token", sent: request11("POST /currency/add", "Transfer-Encoding: chunked") + strings.Repeat(chunk, 192), want: []int{401}, closes: true},
		{name: "17 KiB in a header", sent: request11("GET /health", "X-A: "+strings.Repeat("a", 17<<10)), want: []int{431}, closes: true},
		{name: "17 KiB in a token", sent: request11("GET /trade/list", bearer(strings.Repeat("a", 17<<10))), want: []int{431}, closes: true},
		{name: "10,000 headers", sent: request11("GET /health", strings.TrimSpace(strings.Repeat("X-A: a\r\n", 10_000))), want: []int{431}, closes: true},
		{name: "a path of 17 KiB", sent: request11("GET /" + strings.Repeat("a", 17<<10)), want: []int{431}, closes: true},
		{name: "a path of 8 KiB", sent: request11("GET /" + strings.Repeat("a", 8<<10)), want: []int{404}},
		{name: "a query of 17 KiB", sent: request11("GET /trade/list?" + strings.Repeat("a", 17<<10)), want: []int{431}, closes: true},
		{name: "a query of many parameters", sent: request11("GET /api/v1/trades?"+strings.Repeat("limit=1&", 1000), bearer(f.read)), want: []int{400}},
		{name: "a key of 3,000 characters", sent: jsonRequest("POST", "/currency/add", evil, bearer(f.write), "Idempotency-Key: "+strings.Repeat("k", 3000)), want: []int{400}},
		{name: "ids of zero with huge exponents", sent: request11("DELETE /api/v1/departments/delete?id=0"+strings.Repeat("&id=0e9999999999", 700), bearer(f.write)), want: []int{404}},
		{name: "a page without an end", sent: request11("GET /api/v1/trades?limit=99999999999999999999", bearer(f.read)), want: []int{400}},
	}
	for name, number := range map[string]string{
		"1e999999999": "1e999999999", "-1e999999999": "-1e999999999", "1e-999999999": "1e-999999999", "a million digits": strings.Repeat("9", 1_000_000), "NaN": `"NaN"`, "Infinity": `"Infinity"`,
	} {
		const line = `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":2,"currency":"USD","amount":`
		all = append(all,
			attack{name: "the amount " + name, sent: jsonRequest("POST", "/api/v1/actuals/ingest", line+number+`}`, bearer(f.ingest)), want: []int{400}},
			attack{name: "the id " + name, sent: jsonRequest("DELETE", "/api/v1/budgets/delete", `{"id":`+number+`}`, bearer(f.write)), want: []int{400}})
	}
	return all
}

// The times within which a header and a body must arrive.
const (
	headerTime = 5 * time.Second
	bodyTime   = 15 * time.Second
)

// slow returns attacks that keep a connection open by sending a little at a time.
func slow(f *attackedServer) []attack {
	const line = "POST /currency/add"
	return []attack{
		{name: "headers sent slowly", sent: "GET /health HTTP/1.1\r\nHost: localhost\r\n", repeated: "X-A: a\r\n", within: headerTime},
		{name: "headers sent slowly after a request", sent: request11("GET /") + "GET /health HTTP/1.1\r\n", repeated: "X-A: a\r\n", want: []int{200}, within: headerTime},
		{name: "a body sent slowly", sent: request11(line, bearer(f.write), "Content-Length: 100000"), repeated: " ", want: []int{408}, closes: true, within: bodyTime},
		{name: "a body sent slowly without a token", sent: request11(line, "Content-Length: 100000"), repeated: " ", want: []int{401}, closes: true, within: bodyTime},
		{name: "a body sent slowly with the longest length", sent: request11(line, bearer(f.write), "Content-Length: 9223372036854775807"), repeated: " ", want: []int{408}, closes: true, within: bodyTime},
		{name: "chunks sent slowly", sent: request11(line, bearer(f.write), "Transfer-Encoding: chunked"), repeated: "1\r\n \r\n", want: []int{408}, closes: true, within: bodyTime},
		{name: "a body sent slowly where none is read", sent: request11("GET /trade/list", bearer(f.read), "Content-Length: 100000"), repeated: " ", want: []int{200}, closes: true, within: bodyTime},
		{name: "a sign-in sent slowly", sent: request11("POST /api/v1/session", "Content-Length: 1000"), repeated: " ", want: []int{408}, closes: true, within: bodyTime, signsIn: true},
	}
}

// tokens returns requests with bad tokens, and with good tokens in wrong places.
func tokens(f *attackedServer) []attack {
	list := func(name string, lines ...string) attack {
		return attack{name: name, sent: request11("GET /trade/list", lines...), want: []int{401}}
	}
	return []attack{
		list("no token"),
		list("an empty token", "Authorization: Bearer "),
		list("a wrong token", bearer("daybook_"+strings.Repeat("A", 43))),
		list("a token without its end", bearer(f.admin[:len(f.admin)-1])),
		list("a token and more", bearer(f.admin+"A")),
		list("a token without its prefix", bearer(strings.TrimPrefix(f.admin, "daybook_"))),
		list("a token of another prefix", bearer(strings.Replace(f.admin, "daybook_", "daybook-", 1))),
		list("a token in upper case", bearer(strings.ToUpper(f.admin))),
		list("SQL for a token", bearer("' OR 1=1 --")),
		list("two headers", bearer(f.read), bearer(f.read)),
		list("a good token after a wrong one", bearer("x"), bearer(f.read)),
		list("two tokens in a header", bearer("x, Bearer "+f.read)),
		list("a token by Basic", "Authorization: Basic "+f.read),
		list("a token without a scheme", "Authorization: "+f.read),
		list("a token in another header", "X-Api-Key: "+f.read, "Proxy-Authorization: Bearer "+f.read),
		list("a token as cookie", cookie(f.read)),
		list("a session as token", bearer(f.session)),
		list("a wrong token beside a good session", bearer("x"), cookie(f.session)),
		list("a revoked token", bearer(f.revoked)),
		list("an expired token", bearer(f.expired)),
		list("a session of a revoked token", cookie(f.revokedSession)),
		list("a session that was signed out", cookie(f.closedSession)),
		list("a wrong session", cookie("daybook_session_"+strings.Repeat("A", 43))),
		{name: "a token in the query", sent: request11("GET /trade/list?access_token=" + f.read + "&token=" + f.read), want: []int{401}},
		{name: "a token in the body", sent: jsonRequest("POST", "/currency/add", `{"code":"EVIL","token":"`+f.admin+`"}`), want: []int{401}},
		{name: "a token in the form", sent: request11("POST /trade/list", "Content-Type: application/x-www-form-urlencoded", fmt.Sprintf("Content-Length: %d", 13+len(f.read))) + "access_token=" + f.read, want: []int{401}},
		{name: "a token in a trailer", sent: request11("POST /trade/list", "Transfer-Encoding: chunked", "Trailer: Authorization") + "0\r\n" + bearer(f.read) + "\r\n\r\n", want: []int{401}},
		{name: "a token in the target", sent: request11("GET http://x:" + f.read + "@localhost/trade/list"), want: []int{401}},
		{name: "a write with a revoked token", sent: jsonRequest("POST", "/currency/add", evil, bearer(f.revoked)), want: []int{401}},
		{name: "a write in a session of a revoked token", sent: jsonRequest("POST", "/currency/add", evil, cookie(f.revokedSession)), want: []int{401}},
		{name: "a backup with an expired token", sent: request11("POST /api/v1/backups", bearer(f.expired), "Content-Length: 0"), want: []int{401}},
		{name: "headers that name this machine as the client", sent: request11("GET /trade/list", "X-Forwarded-For: 127.0.0.1", "X-Real-IP: ::1", "Forwarded: for=127.0.0.1"), want: []int{401}},
		{name: "a token that is a list", sent: jsonRequest("POST", "/api/v1/session", `{"token":["`+f.read+`"]}`), want: []int{400}, signsIn: true},
	}
}

// scopes returns requests with good tokens whose scope does not allow them.
func scopes(f *attackedServer) []attack {
	const actual = `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":3,"amount":1,"currency":"USD"}`
	beyond := func(who, token, line, body string) attack {
		method, path, _ := strings.Cut(line, " ")
		return attack{name: who + " wants " + line, sent: jsonRequest(method, path, body, token), want: []int{403}}
	}
	return []attack{
		beyond("read", bearer(f.read), "POST /currency/add", evil),
		beyond("read", bearer(f.read), "POST /api/v1/actuals/ingest", actual),
		beyond("read", bearer(f.read), "DELETE /api/v1/trades/1", ""),
		beyond("read", bearer(f.read), "PUT /api/v1/budgets/update/1", `{"amount":1}`),
		beyond("read", bearer(f.read), "POST /api/v1/backups", ""),
		beyond("ingest", bearer(f.ingest), "GET /trade/list", ""),
		beyond("ingest", bearer(f.ingest), "HEAD /api/v1/actuals", ""),
		beyond("ingest", bearer(f.ingest), "GET /api/v1/journal", ""),
		beyond("ingest", bearer(f.ingest), "DELETE /api/v1/actuals/1", ""),
		beyond("ingest", bearer(f.ingest), "POST /currency/add", evil),
		beyond("ingest", bearer(f.ingest), "POST /api/v1/backups", ""),
		beyond("write", bearer(f.write), "POST /api/v1/backups", ""),
		beyond("a session of write", cookie(f.session), "POST /api/v1/backups", ""),
	}
}

// signInAttacks returns guesses of tokens, to be sent one after another. The sixth guess is refused with
// 429, whatever client address its headers name. A good token must still sign in.
func signInAttacks(f *attackedServer) []attack {
	try := func(name, token string, want int, lines ...string) attack {
		return attack{name: name, sent: jsonRequest("POST", "/api/v1/session", `{"token":"`+token+`"}`, lines...), want: []int{want}, signsIn: true}
	}
	return []attack{
		try("the first guess", "daybook_"+strings.Repeat("A", 43), 401),
		try("signing in with a revoked token", f.revoked, 401),
		try("signing in with an expired token", f.expired, 401, "X-Forwarded-For: 192.0.2.1"),
		try("signing in with a session", f.session, 401, "X-Real-IP: 192.0.2.2"),
		try("the fifth guess", f.admin[:len(f.admin)-1], 401, "Forwarded: for=192.0.2.3"),
		try("the sixth guess", "daybook_"+strings.Repeat("B", 43), 429),
		try("a revoked token after too many guesses", f.revoked, 429),
		try("too many guesses, with headers that name another client", f.expired, 429, "X-Forwarded-For: 192.0.2.4", "X-Real-IP: 192.0.2.4", "Forwarded: for=192.0.2.4"),
	}
}
