package api_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"daybook/internal/api"
)

// decoders are the operations that read a body.
var decoders = []struct{ method, path string }{
	{http.MethodPost, "/currency/add"},
	{http.MethodPost, "/company/add"},
	{http.MethodPost, "/company/revenue/add"},
	{http.MethodPost, "/trade/add"},
	{http.MethodPost, "/trade/list"},
	{http.MethodPost, "/positions/list"},
	{http.MethodDelete, "/api/v1/trades/1"},
	{http.MethodPost, "/api/v1/department/create"},
	{http.MethodGet, "/api/v1/department/"},
	{http.MethodPost, "/api/v1/department/activity"},
	{http.MethodDelete, "/api/v1/departments/delete"},
	{http.MethodDelete, "/api/v1/departments/delete/1"},
	{http.MethodPatch, "/api/v1/departments/1"},
	{http.MethodPost, "/api/v1/gl-accounts"},
	{http.MethodPatch, "/api/v1/accounts/1"},
	{http.MethodDelete, "/api/v1/gl-accounts/delete"},
	{http.MethodDelete, "/api/v1/gl-accounts/delete/1"},
	{http.MethodPost, "/api/v1/budget/create"},
	{http.MethodPut, "/api/v1/budgets/update"},
	{http.MethodPut, "/api/v1/budgets/update/1"},
	{http.MethodDelete, "/api/v1/budgets/delete"},
	{http.MethodDelete, "/api/v1/budgets/delete/1"},
	{http.MethodPost, "/api/v1/actuals/ingest"},
	{http.MethodDelete, "/api/v1/actuals/1"},
}

// bodies are good and bad bodies. Each is sent to every operation.
var bodies = []string{
	``,
	`{}`,
	`[]`,
	`null`,
	`{"code":"EUR","name":"Euro"}`,
	`{"name":"Northwind","shares_outstanding":1,"price":41.25,"currency_id":1}`,
	`{"company_id":1,"category":"Services","amount":1,"fiscal_year":2025,"currency_code":"EUR"}`,
	`{"symbol":"ACME","currency_code":"USD","shares":100,"product":0,"type":true,"price":95,"date":"2025-01-02T10:00:00+02:00"}`,
	`{"Symbol":"ACME","CurrencyCode":"USD","Shares":"9223372036854775807","Product":4,"Type":false,"Price":"0.00000001","Date":"2025-01-02"}`,
	`{"code":"SALES","name":"Sales","cost_center":"CC","active":false}`,
	`[{"code":"SALES","active":true}]`,
	`{"code":"4000","description":"Revenue","type":"revenue","favour_high":true}`,
	`{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"version":"original","amount":-0.0001,"currency":"USD","notes":"n"}`,
	`[{"department_id":"1","gl_account_id":1.0,"fiscal_year":2025e0,"fiscal_period":"12","amount":"1e2","currency":"usd","source":"ERP"}]`,
	`{"code":"4000","description":"Sales","active":true,"was":{"code":"SALES","type":"opex"}}`,
	`{"name":"Sales","was":[]}`,
	`{"id":"1"}`,
	`[{"id":1}]`,
	`{"id":1e400,"amount":1e-400,"price":-1e99999999999999999999}`,
	`{"id":1,"id":2}`,
	"{\"code\":\"\xff\"}",
	`{"code":"\ud800"}`,
	`{"a":{"b":[{"c":[[[[]]]]}]}} {}`,
	`{"code":"` + strings.Repeat("a", 4001) + `"}`,
	strings.Repeat(`[`, 11_000),
	`{"x":` + strings.Repeat(`{"x":`, 11_000),
}

// FuzzBody sends a body to an operation that reads one.
func FuzzBody(f *testing.F) {
	for operation := range decoders {
		for _, body := range bodies {
			f.Add(uint8(operation), "", []byte(body))
		}
		f.Add(uint8(operation), "application/x-www-form-urlencoded", []byte(`a=b`))
		f.Add(uint8(operation), "text/plain; charset=\"", []byte(`{}`))
	}
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, operation uint8, label string, body []byte) {
		to := decoders[int(operation)%len(decoders)]
		survives(t, handler, request{
			method: to.method, target: to.path, header: http.Header{"Content-Type": {label}}, body: body,
		})
	})
}

// queried are the operations that read a query or a path parameter.
var queried = []struct{ method, path string }{
	{http.MethodGet, "/api/v1/variance"},
	{http.MethodGet, "/api/v1/variance/alerts"},
	{http.MethodGet, "/company/revenue/categories"},
	{http.MethodGet, "/company/revenue/list"},
	{http.MethodGet, "/api/v1/trades"},
	{http.MethodGet, "/api/v1/budgets"},
	{http.MethodGet, "/api/v1/actuals"},
	{http.MethodGet, "/api/v1/department/"},
	{http.MethodDelete, "/api/v1/departments/delete"},
	{http.MethodDelete, "/api/v1/gl-accounts/delete"},
	{http.MethodDelete, "/api/v1/budgets/delete"},
	{http.MethodPut, "/api/v1/budgets/update"},
}

// FuzzQuery sends a query to an operation that reads one.
func FuzzQuery(f *testing.F) {
	for operation := range queried {
		for _, query := range []string{
			"",
			"year=2025&period=1",
			"year=2025&period=1&dept=ALL&version=FORECAST3&currency=usd&threshold=0.5",
			"year=1e3&period=+1&dept=%00&threshold=-1",
			"year=2025&year=2026&period=%zz;x",
			"company_id=1",
			"company_id=9223372036854775808",
			"limit=1&after=1&symbol=ACME&product=0&type=true&from=2025-01-01&to=2025-01-02T00:00:00-12:00",
			"limit=1000&department_id=1&gl_account_id=1&fiscal_year=2025&fiscal_period=1&version=original",
			"limit=0&after=-1&from=x&type=2",
			"code=SALES&name=&cost_center=%ff",
			"id=1",
			"id=1.5&id=x",
			"type=%ff&%ff=1&%ff=2",
		} {
			f.Add(uint8(operation), query)
		}
	}
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, operation uint8, query string) {
		to := queried[int(operation)%len(queried)]
		survives(t, handler, request{method: to.method, target: to.path + "?" + query})
	})
}

// FuzzPath requests a fuzzed path, and a record with a fuzzed id.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"1", "0", "-1", "1.0", "x", "", "/", "1/", "1/2", "..", "%2f", "\x00", "9223372036854775808", "é", "\xbc"} {
		f.Add(path)
	}
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, path string) {
		survives(t, handler, request{method: http.MethodGet, target: "/" + path})
		for _, to := range []string{"trades", "actuals", "departments/delete", "gl-accounts/delete", "budgets/delete"} {
			survives(t, handler, request{method: http.MethodDelete, target: "/api/v1/" + to + "/" + path})
		}
		survives(t, handler, request{method: http.MethodPut, target: "/api/v1/budgets/update/" + path, body: []byte(`{"amount":1}`)})
	})
}

// fuzzed returns a handler with a database that has a record of each kind.
func fuzzed(f *testing.F) http.Handler {
	s := open(f)
	config := s.config()
	config.Log = slog.New(slog.DiscardHandler)
	handler := api.New(config)
	for _, create := range [][2]string{
		{"/currency/add", `{"code":"USD"}`},
		{"/company/add", `{"name":"Northwind"}`},
		{"/trade/add", `{"symbol":"ACME","currency_code":"USD","shares":100,"product":0,"type":true,"price":95}`},
		{"/api/v1/department/create", `{"code":"SALES","name":"Sales"}`},
		{"/api/v1/gl-accounts", `{"code":"4000","type":"revenue"}`},
		{"/api/v1/budget/create", `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":2,"amount":1,"currency":"USD"}`},
		{"/api/v1/actuals/ingest", `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":1,"currency":"USD"}`},
	} {
		got := survives(f, handler, request{method: http.MethodPost, target: create[0], body: []byte(create[1])})
		if got.status >= 300 {
			f.Fatalf("%s: got %d %s, want success", create[0], got.status, got.body)
		}
	}
	return handler
}

// survives sends a request without a network. The server must not panic or fail. The answer must be
// JSON, and an error must have a sentence.
func survives(t testing.TB, handler http.Handler, r request) answer {
	path, query, _ := strings.Cut(r.target, "?")
	q := httptest.NewRequestWithContext(t.Context(), r.method, "/", bytes.NewReader(r.body))
	q.URL = &url.URL{Path: path, RawQuery: query}
	q.Host = publishedHost
	if r.header != nil {
		q.Header = r.header
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, q)
	got := answer{w.Code, w.Header(), w.Body.Bytes()}
	if path := strings.TrimSuffix(path, "/"); got.status < 400 && (path == "" || isDocument(path)) {
		return got
	}
	var body struct{ Error *string }
	switch {
	case got.status >= 500:
		t.Errorf("%s %q %q: got %d %s, want a status below 500", r.method, r.target, r.body, got.status, got.body)
	case got.header.Get("Content-Type") != "application/json" || !json.Valid(got.body):
		t.Errorf("%s %q %q: got %d %q, want JSON", r.method, r.target, r.body, got.status, got.body)
	case got.status >= 400 && (json.Unmarshal(got.body, &body) != nil || body.Error == nil || *body.Error == ""):
		t.Errorf("%s %q %q: got %d %s, want an error with a sentence", r.method, r.target, r.body, got.status, got.body)
	}
	return got
}
