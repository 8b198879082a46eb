package soak_test

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// mostUnderAttack is what the process may take, whatever it is sent.
const mostUnderAttack = 400 << 20

// TestMemory: whatever clients send, and whatever they do not take, the process stays
// small, and honest clients are answered.
func TestMemory(t *testing.T) {
	db := newFile(t)
	fillSummary(t, db)
	all := onslaughts()
	server := serve(t, db)
	rounds, asked := times(1, 20), 0
	outcomes := map[string]int{}
	for range rounds {
		asked += withstandAll(t, server, all, outcomes)
	}
	memory, control := "not measured here", []string{"not measured here"}
	if runtime.GOOS == "linux" {
		peak := peakMemory(t, server)
		memory, control = mebibytes(peak), nil
		if peak >= mostUnderAttack {
			t.Errorf("got %s of memory, want less than %s", memory, mebibytes(mostUnderAttack))
		}
	}
	if err := server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	if runtime.GOOS == "linux" {
		for _, o := range []onslaught{all[0], all[3]} {
			control = append(control, o.name+" "+mebibytes(unbounded(t, db, o)))
		}
	}
	var names, said []string
	for _, o := range all {
		names = append(names, fmt.Sprintf("%d %s", o.clients, o.name))
	}
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		said = append(said, fmt.Sprintf("%d %s", outcomes[outcome], outcome))
	}
	figure{
		strings.Join(names, ", "), fmt.Sprintf("%d rounds: memory under %s, honest clients answered", rounds, mebibytes(mostUnderAttack)),
		fmt.Sprintf("memory %s, %d honest requests answered; of the others %s", memory, asked, strings.Join(said, ", ")),
		"without the bounds: " + strings.Join(control, ", "),
	}.report(t)
}

// fillSummary makes a database whose summary takes 10 MB: its descriptions are as long as
// may be.
func fillSummary(t *testing.T, db string) {
	t.Helper()
	const departments, accounts = 30, 30
	server := serve(t, db)
	description := strings.Repeat("\u20ac", 4_000) // three bytes each
	for i := range departments {
		server.send(t, http.MethodPost, "/api/v1/department/create", fmt.Sprintf(`{"code":"D%d","name":"Department"}`, i), http.StatusCreated)
	}
	for i := range accounts {
		server.send(t, http.MethodPost, "/api/v1/gl-accounts", fmt.Sprintf(`{"code":"A%d","type":"opex","description":%q}`, i, description), http.StatusCreated)
	}
	var posting sync.WaitGroup
	for department := range departments {
		posting.Go(func() {
			for account := range accounts {
				body := fmt.Sprintf(`{"department_id":%d,"gl_account_id":%d,"fiscal_year":2026,"fiscal_period":1,"amount":1,"currency":"EUR"}`, department+1, account+1)
				got, err := server.do(t.Context(), http.MethodPost, "/api/v1/actuals/ingest", body, "")
				if err != nil || got.status != http.StatusOK {
					t.Errorf("got %d %s, %v", got.status, got.body, err)
				}
			}
		})
	}
	posting.Wait()
	if got := len(server.get(t, summary)); got < 10_000_000 {
		t.Fatalf("got a summary of %d bytes, want 10 MB", got)
	}
	server.http.CloseIdleConnections()
	if err := server.stop(t); err != nil {
		t.Fatal(err)
	}
}

// withstandAll lets all onslaughts come at once, and honest clients work until all have
// come, and a large answer was taken. It returns how many honest requests were answered,
// and adds up what the others were told.
func withstandAll(t *testing.T, server *process, all []onslaught, outcomes map[string]int) (asked int) {
	t.Helper()
	var storms []*storm
	for _, o := range all {
		storms = append(storms, rage(t, server, o))
	}
	honest := newClient(server.base)
	defer honest.http.CloseIdleConnections()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		for _, r := range honestly {
			got, err := honest.do(t.Context(), r.method, r.target, r.body, "")
			for r.large && err == nil && got.header.Get("Retry-After") != "" && time.Now().Before(deadline) {
				got, err = honest.do(t.Context(), r.method, r.target, r.body, "") // the room is full until others were cut, a second later
			}
			if err != nil || got.status != http.StatusOK {
				t.Fatalf("%s %s: got %d %s, %v, want 200", r.method, r.target, got.status, got.body, err)
			}
			asked++
		}
		large, err := honest.do(t.Context(), http.MethodGet, summary, "", "")
		if err == nil && large.status == http.StatusOK && !slices.ContainsFunc(storms, (*storm).rages) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a large answer: got %d, %v, for as long as is waited", large.status, err)
		}
	}
	for _, s := range storms {
		s.end()
		for outcome, n := range s.outcomes {
			outcomes[s.name+": "+outcome] += n
		}
	}
	return asked
}

// honestly is what honest clients ask. They are told to come again where an answer of
// more than 64 KiB finds no room, and only there.
var honestly = []struct {
	method, target, body string
	large                bool // the answer
}{
	{method: http.MethodPost, target: "/api/v1/actuals/ingest", body: `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":1,"currency":"EUR"}`},
	{method: http.MethodGet, target: "/api/v1/variance/trend?year=2026&dept=D1", large: true},
	{method: http.MethodGet, target: "/currency/list"},
	{method: http.MethodGet, target: "/health"},
}
