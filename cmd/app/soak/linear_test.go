package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
)

// TestLinearizable: clients read and write actuals and budget lines while the process is killed and
// started again. The history is linearizable: it looks as if the accesses happened one after the
// other, each at some moment between its request and its answer.
func TestLinearizable(t *testing.T) {
	rounds := times(4, 200)
	db := newFile(t)
	server := serve(t, db)
	server.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"D","name":"Department"}`, http.StatusCreated)
	accesses, unknown, caught := 0, 0, 0
	for round := range rounds {
		account := decoded[struct{ ID int64 }](t, server.send(t, http.MethodPost, "/api/v1/gl-accounts",
			fmt.Sprintf(`{"code":"R%d","type":"opex"}`, round), http.StatusCreated)).ID
		r := newRegisters(t, server.client, account)
		r.race(t, server.client, func() { server.kill() })
		server = serve(t, db)
		r.race(t, server.client, nil)
		if got := check(r.done); got != porcupine.Ok {
			t.Fatalf("round %d: got %s, want a linearizable history", round, got)
		}
		accesses += len(r.done)
		for _, o := range r.done {
			if o.Return == forever {
				unknown++
			}
		}
		caught += catchesStaleReads(t, r)
	}
	if err := server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	figure{
		"linearizability across kill -9", fmt.Sprintf("%d histories, all linearizable", rounds),
		fmt.Sprintf("%d histories of %d accesses, %d of unknown outcome, all linearizable", rounds, accesses, unknown),
		fmt.Sprintf("%d histories with a stale read: all refused", caught),
	}.report(t)
}

// catchesStaleReads is the control: the same history with one stale read of a register must not be
// linearizable.
func catchesStaleReads(t *testing.T, r *registers) (caught int) {
	t.Helper()
	for _, register := range r.names() {
		stale, is := withStaleRead(r.done, register)
		if !is {
			continue
		}
		if got := check(stale); got != porcupine.Illegal {
			t.Errorf("with a stale read of %s: got %s, want %s", register, got, porcupine.Illegal)
		}
		caught++
	}
	if caught == 0 {
		t.Error("got no register that was written twice, want one for the control")
	}
	return caught
}

// registers are two actuals and two budget lines of one account.
type registers struct {
	*history
	account int64
	serial  atomic.Int64
}

func newRegisters(t *testing.T, c *client, account int64) *registers {
	t.Helper()
	r := &registers{history: newHistory(), account: account}
	for _, period := range periods {
		called := r.now()
		c.send(t, http.MethodPost, "/api/v1/budget/create", r.posting(period, "0"), http.StatusCreated)
		r.add(called, access{register: "budget " + period, write: true, value: "0"}, "")
	}
	return r
}

var periods = []string{"1", "2"}

func (r *registers) names() (names []string) {
	for _, period := range periods {
		names = append(names, "actual "+period, "budget "+period)
	}
	return names
}

// race lets clients read and write at random until each has made its share of accesses, or the server
// stops answering. Unless kill is nil, race calls it at a random access on the way.
func (r *registers) race(t *testing.T, c *client, kill func()) {
	t.Helper()
	const share = 30
	var accesses atomic.Int64
	fatal := int64(-1) // the number of the access at which the server is killed
	if kill != nil {
		fatal = 20 + rand.Int64N(share*writers/2)
	}
	var racing sync.WaitGroup
	for range writers {
		racing.Go(func() {
			for range share {
				if accesses.Add(1) == fatal {
					racing.Go(kill)
				}
				period := periods[rand.IntN(len(periods))]
				if !r.access(t, c, period) {
					return
				}
			}
		})
	}
	racing.Wait()
}

// access reads or writes one register of a period. It reports whether the server answers.
func (r *registers) access(t *testing.T, c *client, period string) bool {
	key := fmt.Sprintf("?department_id=1&gl_account_id=%d&fiscal_year=2026&fiscal_period=%s", r.account, period)
	switch rand.IntN(4) {
	case 0:
		return r.write(t, c, "actual "+period, http.MethodPost, "/api/v1/actuals/ingest", period)
	case 1:
		return r.write(t, c, "budget "+period, http.MethodPut, "/api/v1/budgets/update", period)
	case 2:
		return r.read(t.Context(), c, "actual "+period, "/api/v1/actuals"+key)
	}
	return r.read(t.Context(), c, "budget "+period, "/api/v1/budgets"+key)
}

// posting is the body that writes a register.
func (r *registers) posting(period, amount string) string {
	return fmt.Sprintf(`{"department_id":1,"gl_account_id":%d,"fiscal_year":2026,"fiscal_period":%s,"amount":%s,"currency":"EUR"}`,
		r.account, period, amount)
}

// write writes a value that was never written before. A write without an answer may take effect at
// any later time. A write that is refused as unavailable must have no effect.
func (r *registers) write(t *testing.T, c *client, register, method, target, period string) bool {
	value := strconv.FormatInt(r.serial.Add(1), 10)
	a := access{register: register, write: true, value: value}
	called := r.now()
	got, err := c.do(t.Context(), method, target, r.posting(period, value), "")
	switch {
	case err != nil || got.code() == "outcome_unknown":
		r.addUntil(called, forever, a, "")
		return false
	case got.status == http.StatusOK:
		r.add(called, a, "")
	case got.code() != "unavailable":
		t.Errorf("%s %s: got %d %s, want 200, or that it is unavailable", method, target, got.status, got.body)
	}
	return true
}

// read reads a register, from a list with at most one row.
func (r *registers) read(ctx context.Context, c *client, register, target string) bool {
	called := r.now()
	got, err := c.do(ctx, http.MethodGet, target, "", "")
	if err != nil || got.status != http.StatusOK {
		return false
	}
	var found page[struct{ Amount json.Number }]
	if json.Unmarshal(got.body, &found) != nil {
		return false
	}
	value := ""
	if len(found.Items) > 0 {
		value = found.Items[0].Amount.String()
	}
	r.add(called, access{register: register}, value)
	return true
}
