package api_test

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// storeless is a store that gives each record an id and stores nothing. So the benchmarks measure only
// the work of the interface: decoding, validation, encoding.
type storeless struct{ budget.Store }

func (storeless) IngestActuals(_ context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	actuals[0].ID = 1
	return actuals, nil
}

// thousand is a store with a thousand trades.
type thousand struct{ trading.Store }

func (thousand) Trades(context.Context) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		for n := range 1_000 {
			trade := trading.Trade{
				ID: trading.TradeID(n), Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 100,
				Side: trading.Buy, Price: money.Price(4_125_000_000 + n), Date: frozen.Add(time.Duration(n) * time.Second),
			}
			if !yield(trade, nil) {
				return
			}
		}
	}
}

// sink is a response writer that keeps only the status.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Flush()                      {}

func benchmark(b *testing.B, method, path, body string) {
	b.Helper()
	handler := api.New(api.Config{
		Book:   trading.NewBook(thousand{}),
		Ledger: budget.NewLedger(storeless{}, time.Now),
		Log:    slog.New(slog.DiscardHandler),
	})
	b.ReportAllocs()
	for b.Loop() {
		r, err := http.NewRequestWithContext(b.Context(), method, "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		s := sink{header: http.Header{}}
		handler.ServeHTTP(&s, r)
		if s.status != http.StatusOK {
			b.Fatalf("got status %d", s.status)
		}
	}
}

// BenchmarkIngestBody reads, checks and answers an actual.
func BenchmarkIngestBody(b *testing.B) {
	benchmark(b, http.MethodPost, "/api/v1/actuals/ingest",
		`{"department_id":12,"gl_account_id":34,"fiscal_year":2026,"fiscal_period":6,"amount":1234567.89,"currency":"EUR","source":"ERP"}`)
}

// BenchmarkTradeList encodes a thousand trades.
func BenchmarkTradeList(b *testing.B) { benchmark(b, http.MethodGet, "/trade/list", "") }
