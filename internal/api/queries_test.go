package api_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// wrongRequest is a request without a body, and the error response that it must get.
type wrongRequest struct {
	method, target string
	status         int
	code           string
}

func (r wrongRequest) check(t *testing.T, s *server) {
	t.Helper()
	got := s.do(t, request{method: r.method, target: r.target})
	var body struct{ Code string }
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != r.status || body.Code != r.code {
		t.Errorf("%s %s: got %d %s, want %d %s", r.method, r.target, got.status, got.body, r.status, r.code)
	}
}

// TestAmbiguousQueriesAreRefused: a query that could be read as another request than the one meant is
// refused. A part that cannot be parsed is not ignored, and two identifiers are a conflict wherever they
// are sent.
func TestAmbiguousQueriesAreRefused(t *testing.T) {
	s := serve(t)
	s.create(t, "/api/v1/department/create", `{"code":"SALES","name":"Sales"}`)
	s.create(t, "/api/v1/department/create", `{"code":"OPS","name":"Operations"}`)
	for _, r := range []wrongRequest{
		{http.MethodGet, "/api/v1/variance?year=2025&period=1&dept=100%", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/variance?year=2025&period=1&dept=R%26D;A", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/variance/alerts?year=2025&period=1&threshold=50%", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/trades?symbol=100%&limit=1", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/department/?code=SALES&code=OPS", http.StatusConflict, "conflicting_identifiers"},
		{http.MethodDelete, "/api/v1/departments/delete?id=1&id=2", http.StatusConflict, "conflicting_identifiers"},
		{http.MethodDelete, "/api/v1/departments/delete/1?id=2;x", http.StatusBadRequest, "validation_failed"},
	} {
		r.check(t, s)
	}
}

// TestAPlaceHasOneSpelling: the place where a page of positions ends is refused in another spelling. As a
// control, it is accepted as it was given.
func TestAPlaceHasOneSpelling(t *testing.T) {
	s := serve(t)
	s.record(t, 10)
	place := read[struct{ Next string }](t, s.get(t, "/api/v1/positions?limit=1")).Next
	s.get(t, "/api/v1/positions?limit=1&after="+place)
	for _, spelling := range []string{place + "%0A", base64.RawURLEncoding.EncodeToString([]byte("ACME\nUSD\n+0")), base64.RawURLEncoding.EncodeToString([]byte("ACME\nUSD\n00"))} {
		wrongRequest{http.MethodGet, "/api/v1/positions?limit=1&after=" + spelling, http.StatusBadRequest, "validation_failed"}.check(t, s)
	}
}

// TestAddressesThatAreNotUTF8: an address that is not UTF-8 gets an error in valid JSON, even if the
// error repeats a part of it.
func TestAddressesThatAreNotUTF8(t *testing.T) {
	s := serve(t)
	for _, r := range []wrongRequest{
		{http.MethodGet, "/%BC", http.StatusNotFound, "not_found"},
		{http.MethodGet, "/api/v1/trades?type=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/trades?symbol=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/trades?symbol=A&symbol=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/variance?year=%FF&period=%FF&version=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/variance?year=2025&period=1&dept=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/budgets?limit=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodGet, "/api/v1/department/?code=%FF", http.StatusBadRequest, "validation_failed"},
		{http.MethodDelete, "/api/v1/trades/%FF", http.StatusBadRequest, "validation_failed"},
	} {
		r.check(t, s)
	}
}

// TestTradesOfTheLastDay: the trades of the last allowed day can be listed with from and to, as those of
// any other day.
func TestTradesOfTheLastDay(t *testing.T) {
	s := serve(t)
	s.create(t, "/trade/add", `{"symbol":"ACME","currency_code":"USD","shares":1,"product":0,"type":true,"price":1,"date":"2200-12-31T23:59:59Z"}`)
	if got := s.get(t, "/api/v1/trades?from=2200-12-31&to=2200-12-31"); !strings.Contains(got, "2200-12-31T23:59:59Z") {
		t.Errorf("got %s, want the trade of the last day", got)
	}
	for _, query := range []string{"from=2201-01-01", "to=2201-01-02"} {
		wrongRequest{http.MethodGet, "/api/v1/trades?" + query, http.StatusBadRequest, "validation_failed"}.check(t, s)
	}
}
