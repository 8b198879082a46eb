package soak_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
)

// writer is a client that writes the values 1, 2, 3 and so on, each once. In turn it ingests its
// actual, updates its budget line, and adds a trade of that many shares. It notes what the server
// acknowledged, and compares that with what is stored.
type writer struct {
	department   int64
	account      int64
	symbol       string
	optimistic   bool // counts a write as acknowledged when it is sent
	retries      bool // repeats a write that was not answered
	serial       int64
	acknowledged int
	cut          *valueWrite // the write that was not answered
	actual, line promise
	trades       promises
}

// valueWrite is one write of a value.
type valueWrite struct {
	value                     int64
	method, target, body, key string
}

// posting is the body of the client's actual, and of its budget line.
func (s *writer) posting(amount int64) string {
	return fmt.Sprintf(`{"department_id":%d,"gl_account_id":%d,"fiscal_year":2026,"fiscal_period":1,"amount":%d,"currency":"EUR"}`,
		s.department, s.account, amount)
}

// next returns the next write. Its value decides what it writes to.
func (s *writer) next() valueWrite {
	s.serial++
	w := valueWrite{value: s.serial, key: fmt.Sprintf("%s-%d", s.symbol, s.serial)}
	switch w.value % 3 {
	case 0:
		w.method, w.target, w.body = http.MethodPost, "/api/v1/actuals/ingest", s.posting(w.value)
	case 1:
		w.method, w.target, w.body = http.MethodPut, "/api/v1/budgets/update", s.posting(w.value)
	default:
		w.method, w.target = http.MethodPost, "/trade/add"
		w.body = fmt.Sprintf(`{"symbol":%q,"currency_code":"EUR","shares":%d,"product":0,"type":true,"price":1.5}`, s.symbol, w.value)
	}
	return w
}

// writeUntilCut writes until a write is not answered.
func (s *writer) writeUntilCut(ctx context.Context, c *client) {
	for s.write(ctx, c, s.next()) {
	}
}

// write sends a write and notes the answer. It reports whether the answer says for sure that the
// write was stored or refused.
func (s *writer) write(ctx context.Context, c *client, w valueWrite) bool {
	_, err := s.send(ctx, c, w)
	return err == nil && s.cut == nil
}

// try sends the next write. It fails the test if no answer comes.
func (s *writer) try(t *testing.T, c *client) answer {
	t.Helper()
	got, err := s.send(t.Context(), c, s.next())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s *writer) send(ctx context.Context, c *client, w valueWrite) (answer, error) {
	s.pending(w)
	if s.optimistic {
		s.keep(w)
	}
	s.cut = &w
	got, err := c.do(ctx, w.method, w.target, w.body, w.key)
	if err != nil || got.code() == "outcome_unknown" {
		return got, err
	}
	s.cut = nil
	if got.status < 300 {
		s.acknowledged++
		s.keep(w)
	} else if !s.optimistic {
		s.forget(w)
	}
	return got, nil
}

func (s *writer) pending(w valueWrite) {
	switch w.value % 3 {
	case 0:
		s.actual.pending = w.value
	case 1:
		s.line.pending = w.value
	default:
		s.trades.pending = w.value
	}
}

func (s *writer) keep(w valueWrite) {
	switch w.value % 3 {
	case 0:
		s.actual = promise{kept: w.value}
	case 1:
		s.line = promise{kept: w.value}
	default:
		s.trades.keep(w.value)
	}
}

// forget notes that a write was refused, so that its value must not be stored.
func (s *writer) forget(w valueWrite) {
	switch w.value % 3 {
	case 0:
		s.actual.pending = 0
	case 1:
		s.line.pending = 0
	default:
		s.trades.pending = 0
	}
}

// settle reads what is stored and returns how it differs from what was acknowledged. The stored
// values are what the next call compares with.
func (s *writer) settle(t *testing.T, c *client) (wrong []string) {
	t.Helper()
	key := fmt.Sprintf("department_id=%d&gl_account_id=%d&fiscal_year=2026&fiscal_period=1", s.department, s.account)
	if complaint := s.actual.settle("actual of "+s.symbol, amountIn(t, c, "/api/v1/actuals?"+key)); complaint != "" {
		wrong = append(wrong, complaint)
	}
	if complaint := s.line.settle("budget of "+s.symbol, amountIn(t, c, "/api/v1/budgets?"+key)); complaint != "" {
		wrong = append(wrong, complaint)
	}
	var found []int64
	var sum int64
	for _, trade := range all[struct{ Shares int64 }](t, c, "/api/v1/trades?symbol="+s.symbol) {
		found = append(found, trade.Shares)
		sum += trade.Shares
	}
	wrong = append(wrong, s.trades.settle("trades of "+s.symbol, found)...)
	if held := sharesHeld(t, c, s.symbol); held != sum {
		wrong = append(wrong, fmt.Sprintf("position of %s: found %d shares, its trades add up to %d", s.symbol, held, sum))
	}
	return wrong
}

// amountIn returns the amount of the only posting of a list, 0 for an empty list.
func amountIn(t *testing.T, c *client, target string) int64 {
	t.Helper()
	postings := all[struct{ Amount int64 }](t, c, target)
	switch len(postings) {
	case 0:
		return 0
	case 1:
		return postings[0].Amount
	}
	t.Fatalf("%s: got %d postings of one key, want at most 1", target, len(postings))
	return 0
}

// sharesHeld returns the shares of the position in a symbol.
func sharesHeld(t *testing.T, c *client, symbol string) (shares int64) {
	t.Helper()
	for _, p := range decoded[[]struct {
		Symbol string
		Shares int64
	}](t, c.get(t, "/positions/list")) {
		if p.Symbol == symbol {
			shares += p.Shares
		}
	}
	return shares
}
