package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// TestManyClientsWriteAtOnce: 64 clients make every kind of write at once, and half of their writes
// conflict with those of others. Each write is answered, and the lists have exactly the records of the
// answers.
func TestManyClientsWriteAtOnce(t *testing.T) {
	const clients, trades = 64, 5
	s := serve(t)
	s.create(t, "/api/v1/department/create", `{"code":"COMMON","name":"Common"}`)
	s.create(t, "/api/v1/gl-accounts", `{"code":"COMMON","type":"opex"}`)

	created := tally{ids: map[string][]int64{}}
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			pair := client / 2
			created.send(t, s, http.MethodPost, "/currency/add", fmt.Sprintf(`{"code":"CUR%d"}`, pair))
			created.send(t, s, http.MethodPost, "/api/v1/department/create", fmt.Sprintf(`{"code":"D%d","name":"D"}`, pair))
			created.send(t, s, http.MethodPost, "/api/v1/gl-accounts", fmt.Sprintf(`{"code":"A%d","type":"cogs"}`, pair))
			created.send(t, s, http.MethodPost, "/company/add", `{"name":"Company"}`)
			for i := range trades {
				id := created.send(t, s, http.MethodPost, "/trade/add", fmt.Sprintf(
					`{"symbol":"S%d","currency_code":"USD","shares":%d,"product":0,"type":true,"price":%d}`, client%4, i+1, i+1))
				if i == 0 {
					created.send(t, s, http.MethodDelete, fmt.Sprintf("/api/v1/trades/%d", id), "")
				}
			}
			key := `"department_id":1,"gl_account_id":1,"fiscal_year":2025,"currency":"USD"`
			created.send(t, s, http.MethodPost, "/api/v1/budget/create", fmt.Sprintf(`{%s,"fiscal_period":%d,"amount":1}`, key, client%12+1))
			created.send(t, s, http.MethodPut, "/api/v1/budgets/update", fmt.Sprintf(`{%s,"fiscal_period":%d,"amount":2}`, key, client%12+1))
			created.send(t, s, http.MethodPost, "/api/v1/actuals/ingest", fmt.Sprintf(`{%s,"fiscal_period":1,"amount":%d}`, key, client))
			created.send(t, s, http.MethodPost, "/api/v1/department/activity", `{"code":"COMMON","active":false}`)
		})
	}
	group.Wait()

	for target, want := range map[string]int{
		"/currency/add": clients / 2, "/api/v1/department/create": clients / 2, "/api/v1/gl-accounts": clients / 2,
		"/company/add": clients, "/trade/add": clients * trades, "/api/v1/budget/create": 12,
	} {
		ids := created.ids[target]
		slices.Sort(ids)
		if len(slices.Compact(ids)) != want {
			t.Errorf("%s: got the ids %v, want %d different ones", target, created.ids[target], want)
		}
	}
	for target, want := range map[string]int{
		"/currency/list": clients / 2, "/api/v1/department/list": clients/2 + 1, "/api/v1/gl-accounts": clients/2 + 1,
		"/company/list": clients, "/trade/list": clients * (trades - 1),
	} {
		if got := len(read[[]any](t, s.get(t, target))); got != want {
			t.Errorf("%s: got %d records, want %d", target, got, want)
		}
	}
	wantPositions(t, s)
	for target, want := range map[string]int{"/api/v1/budgets?limit=1000": 12, "/api/v1/actuals?limit=1000": 1} {
		if got := read[struct{ Items []any }](t, s.get(t, target)); len(got.Items) != want {
			t.Errorf("%s: got %d records, want %d", target, len(got.Items), want)
		}
	}
}

// wantPositions checks the positions of four instruments. In each, 16 clients bought 2, 3, 4 and 5
// shares at prices of the same numbers, and each client voided its first trade.
func wantPositions(t *testing.T, s *server) {
	t.Helper()
	positions := read[[]struct {
		Symbol string
		Shares int64
		Price  json.Number
	}](t, s.get(t, "/positions/list"))
	if len(positions) != 4 {
		t.Errorf("got %d positions, want 4", len(positions))
	}
	for _, p := range positions {
		if p.Shares != 16*14 || p.Price != "3.85714286" { // 54 / 14
			t.Errorf("got %v, want 224 shares at 3.85714286", p)
		}
	}
}

// tally collects the ids in the answers to creates.
type tally struct {
	mu  sync.Mutex
	ids map[string][]int64
}

// send sends a request, and returns the id of the record in the answer. The only error allowed is a
// conflict with a request of another client.
func (c *tally) send(t *testing.T, s *server, method, target, body string) int64 {
	r := request{method: method, target: target}
	if body != "" {
		r.body = []byte(body)
	}
	got, err := s.try(t, r)
	var record struct{ ID int64 }
	if err == nil {
		err = json.Unmarshal(got.body, &record)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil || got.status >= 300 && got.status != http.StatusConflict:
		t.Errorf("%s %s %s: got %d %s, %v, want success or 409", method, target, body, got.status, got.body, err)
	case got.status == http.StatusCreated:
		c.ids[target] = append(c.ids[target], record.ID)
	}
	return record.ID
}
