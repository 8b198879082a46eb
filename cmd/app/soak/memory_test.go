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

// mostUnderAttack is how much memory the process may use under the overloads.
const mostUnderAttack = 400 << 20

// TestMemory: clients send large bodies or do not read large answers. The memory of the process stays
// under its bound, and honest clients are answered.
func TestMemory(t *testing.T) {
	db := newFile(t)
	fillSummary(t, db)
	all := overloads()
	server := serve(t, db)
	rounds, asked := times(1, 20), 0
	outcomes := map[string]int{}
	for range rounds {
		asked += runOverloads(t, server, all, outcomes)
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
		for _, o := range []overload{all[0], all[3]} {
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
		fmt.Sprintf("memory %s, %d honest requests answered; the overloads got %s", memory, asked, strings.Join(said, ", ")),
		"without the bounds: " + strings.Join(control, ", "),
	}.report(t)
}

// fillSummary makes a database whose summary report has 10 MB, with the longest allowed descriptions.
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
					t.Errorf("got %d %s, %v, want 200", got.status, got.body, err)
				}
			}
		})
	}
	posting.Wait()
	if got := len(server.get(t, summary)); got < 10_000_000 {
		t.Fatalf("got a summary of %d bytes, want at least 10 MB", got)
	}
	server.http.CloseIdleConnections()
	if err := server.stop(t); err != nil {
		t.Fatal(err)
	}
}

// runOverloads starts all overloads at once. It sends honest requests until every client of the
// overloads has sent its request and one large answer was read. It returns how many honest requests
// were answered, and counts in outcomes what the clients of the overloads got.
func runOverloads(t *testing.T, server *process, all []overload, outcomes map[string]int) (asked int) {
	t.Helper()
	var running []*runningOverload
	for _, o := range all {
		running = append(running, startOverload(t, server, o))
	}
	honest := newClient(server.base)
	defer honest.http.CloseIdleConnections()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		for _, r := range honestRequests {
			got, err := honest.do(t.Context(), r.method, r.target, r.body, "")
			// The overloads hold this client's share of the memory for large answers until the server cuts
			// them, half a minute later.
			for r.large && err == nil && got.header.Get("Retry-After") != "" && time.Now().Before(deadline) {
				got, err = honest.do(t.Context(), r.method, r.target, r.body, "")
			}
			if err != nil || got.status != http.StatusOK {
				t.Fatalf("%s %s: got %d %s, %v, want 200", r.method, r.target, got.status, got.body, err)
			}
			asked++
		}
		large, err := honest.do(t.Context(), http.MethodGet, summary, "", "")
		if err == nil && large.status == http.StatusOK && !slices.ContainsFunc(running, (*runningOverload).sending) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after %s: got %d, %v for the large answer, want 200 and every overload sent", patience, large.status, err)
		}
	}
	for _, s := range running {
		s.end()
		for outcome, n := range s.outcomes {
			outcomes[s.name+": "+outcome] += n
		}
	}
	return asked
}

// honestRequests are the requests of honest clients. The server may answer only the large one with
// Retry-After: it does so when there is no memory left for an answer of more than 64 KiB.
var honestRequests = []struct {
	method, target, body string
	large                bool // whether the answer has more than 64 KiB
}{
	{method: http.MethodPost, target: "/api/v1/actuals/ingest", body: `{"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":1,"currency":"EUR"}`},
	{method: http.MethodGet, target: "/api/v1/variance/trend?year=2026&dept=D1", large: true},
	{method: http.MethodGet, target: "/currency/list"},
	{method: http.MethodGet, target: "/health"},
}
