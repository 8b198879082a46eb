package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/routers/gorillamux"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// TestHealthDegrades: while the database file is gone, /health answers with 503 and the same fields.
// When the file is back, it answers with 200.
func TestHealthDegrades(t *testing.T) {
	s := serve(t)
	router, err := gorillamux.NewRouter(publishedContract(t))
	if err != nil {
		t.Fatal(err)
	}
	check := func(want int, status, database string) {
		t.Helper()
		for _, target := range []string{"/health", "/api/v1/health"} {
			r := request{method: http.MethodGet, target: target}
			got := s.do(t, r)
			health := read[struct {
				Status   string
				Database struct{ Status string }
			}](t, string(got.body))
			if got.status != want || health.Status != status || health.Database.Status != database {
				t.Errorf("%s: got %d %s, want %d %s and %s", target, got.status, got.body, want, status, database)
			}
			if err := conforms(t.Context(), router, exchange{r, got}); err != nil {
				t.Errorf("%s: %s: %v", target, got.body, err)
			}
		}
	}
	check(http.StatusOK, "ok", "ok")
	if err := os.Rename(s.path, s.path+".away"); err != nil {
		t.Fatal(err)
	}
	check(http.StatusServiceUnavailable, "degraded", "unreachable")
	if err := os.Rename(s.path+".away", s.path); err != nil {
		t.Fatal(err)
	}
	check(http.StatusOK, "ok", "ok")
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	check(http.StatusServiceUnavailable, "degraded", "unreachable")
}

// TestWritesWhileShuttingDown: a write during shutdown gets an error that says that nothing was stored,
// so that a retry is safe.
func TestWritesWhileShuttingDown(t *testing.T) {
	s := serve(t)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	for target, body := range map[string]string{
		"/currency/add":             `{"code":"EUR"}`,
		"/trade/add":                `{"symbol":"A","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`,
		"/api/v1/department/create": `{"code":"SALES","name":"Sales"}`,
		"/api/v1/actuals/ingest":    `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":1,"currency":"USD"}`,
	} {
		got := s.do(t, request{method: http.MethodPost, target: target, body: []byte(body)})
		want := `{"error":"the server is shutting down; nothing was stored","code":"unavailable"}`
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" || string(got.body) != want {
			t.Errorf("%s: got %d %v %s, want 503, Retry-After and %s", target, got.status, got.header, got.body, want)
		}
	}
}

// TestOutcomeUnknown: if the disk fails during a commit, the write may be stored or not. The error has a
// code of its own for that.
func TestOutcomeUnknown(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Book = trading.NewBook(failingStore{s.store})
	s.listen(t, api.New(config))
	got := s.do(t, request{
		method: http.MethodPost, target: "/trade/add",
		body: []byte(`{"symbol":"A","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`),
	})
	want := `{"error":"stored or not","code":"outcome_unknown"}`
	if got.status != http.StatusServiceUnavailable || string(got.body) != want {
		t.Errorf("got %d %s, want 503 %s", got.status, got.body, want)
	}
}

// failingStore is a store whose disk fails while it commits trades.
type failingStore struct{ *sqlite.Store }

func (failingStore) AddTrades(context.Context, []trading.Trade) ([]trading.Trade, error) {
	return nil, fault.New(fault.OutcomeUnknown, "stored or not")
}

// TestDefectsStayInTheLog: after a defect the client gets only an id. The log has the cause with the
// same id.
func TestDefectsStayInTheLog(t *testing.T) {
	const secret = "the cause is at row 7"
	for name, trades := range map[string]func(func(trading.Trade, error) bool){
		"error": func(yield func(trading.Trade, error) bool) { yield(trading.Trade{}, errors.New(secret)) },
		"panic": func(func(trading.Trade, error) bool) { panic(secret) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.serveTrades(t, trades)
			got := s.do(t, request{method: http.MethodGet, target: "/trade/list"})
			id := got.header.Get("X-Request-Id")
			if got.status != http.StatusInternalServerError || id == "" || bytes.Contains(got.body, []byte(secret)) {
				t.Errorf("got %d %v %s, want 500 with an X-Request-Id and without the cause", got.status, got.header, got.body)
			}
			if !json.Valid(got.body) || got.header.Get("Content-Type") != "application/json" {
				t.Errorf("got %v %s, want JSON", got.header, got.body)
			}
			if log := s.log.String(); !strings.Contains(log, id) || !strings.Contains(log, secret) {
				t.Errorf("got the log %s, want the id %s and the cause in it", log, id)
			}
		})
	}
}

// TestHostsThatAreAllowed: the server answers to the names in its configuration and to the names of this
// machine. It answers to any name without a dot only if the configuration allows that.
func TestHostsThatAreAllowed(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, short := range []bool{false, true} {
		withoutDot := http.StatusMisdirectedRequest
		if short {
			withoutDot = http.StatusOK
		}
		s := open(t)
		config := s.config()
		config.Known, config.ShortHosts = gate.Know(gate.Names{AllowHosts: []string{"Books.Example", "ledger"}}), short
		s.listen(t, api.New(config))
		for host, want := range map[string]int{
			"books.example":              http.StatusOK,
			"BOOKS.example:8080":         http.StatusOK,
			"ledger:8080":                http.StatusOK,
			own:                          http.StatusOK,
			own + ".":                    http.StatusOK,
			own + ".local":               http.StatusOK,
			"localhost":                  http.StatusOK,
			"a.localhost":                http.StatusOK,
			"[fe80::1%25eth0]:8080":      http.StatusOK,
			"intranet":                   withoutDot,
			"INTRANET.:9":                withoutDot,
			"2130706433":                 withoutDot, // no browser sends this for 127.0.0.1
			"sub.books.example":          http.StatusMisdirectedRequest,
			"ledger.example":             http.StatusMisdirectedRequest,
			"other.example":              http.StatusMisdirectedRequest,
			"localhost:80.other.example": http.StatusMisdirectedRequest,
		} {
			r := request{method: http.MethodGet, target: "/currency/list", header: http.Header{"Host": {host}}}
			if got := s.do(t, r); got.status != want {
				t.Errorf("%s, short names allowed %t: got %d %s, want %d", host, short, got.status, got.body, want)
			}
		}
	}
}

// TestRefusalsDoNotFillTheLog: a client sends the same requests again and again while the database is
// closed. The first refusals are logged, and then only few.
func TestRefusalsDoNotFillTheLog(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Ending = nil // so that /ready reads the database
	s.listen(t, api.New(config))
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	lines := func() int { return bytes.Count(s.log.Bytes(), []byte("\n")) }
	for i := range 100 {
		for n, r := range []request{
			{method: http.MethodPost, target: "/currency/add", body: []byte(`{"code":"EUR"}`)},
			{method: http.MethodGet, target: "/health"},
			{method: http.MethodGet, target: "/ready"},
		} {
			if got := s.do(t, r); got.status != http.StatusServiceUnavailable {
				t.Fatalf("%s: got %d %s, want 503", r.target, got.status, got.body)
			}
			if i == 0 && lines() != n+1 {
				t.Fatalf("%s: got %d lines, want %d\n%s", r.target, lines(), n+1, s.log)
			}
		}
	}
	if most := 11 + int(time.Since(began)/(6*time.Second)); lines() > most {
		t.Errorf("got %d lines, want at most %d", lines(), most)
	}
}
