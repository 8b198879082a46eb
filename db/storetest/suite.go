// Package storetest is the contract of a store as a test suite: every sentence of the comments on
// trading.Store, budget.Store, access.Store, journal.Store and package idempotency, checked on
// an open store.
//
// It must not know an engine. An implementation calls Run from its own tests.
package storetest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// Store is all that the program needs of a database.
type Store interface {
	trading.Store
	budget.Store
	access.Store
	journal.Store

	// Atomically does work in one transaction: what it stores by its context is stored
	// whole, or not at all. Its error is that of work, or of the first part that failed.
	Atomically(ctx context.Context, work func(ctx context.Context) error) error
}

// Run checks the contract on the stores that open returns. Each must be new and empty, must read
// the time from now, and is closed by open's own cleanup.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) Store) {
	var passed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	pass := func(d time.Duration) { passed.Add(int64(d)) }
	for _, chapter := range []struct {
		name    string
		clauses []clause
	}{
		{"Empty", empty()},
		{"Currencies", currencies()},
		{"Companies", companies()},
		{"Revenues", revenues()},
		{"Trades", trades()},
		{"Positions", positions()},
		{"Departments", departments()},
		{"Accounts", accounts()},
		{"Lines", lines()},
		{"Actuals", actuals()},
		{"Postings", postings()},
		{"Tallies", tallies()},
		{"Usage", usage()},
		{"Coverage", coverage()},
		{"OverviewData", overviewData()},
		{"Tokens", tokens()},
		{"Sessions", sessions()},
		{"Journal", journals()},
		{"Keys", append(keys(), expiringKeys(pass)...)},
		{"Sequences", sequences()},
		{"Writers", writers()},
		{"Whole", whole()},
	} {
		t.Run(chapter.name, func(t *testing.T) {
			for _, c := range chapter.clauses {
				t.Run(c.says, func(t *testing.T) { c.check(t, open(t, now)) })
			}
		})
	}
}

// clause is one sentence of the contract and the check that it holds.
type clause struct {
	says  string
	check func(t *testing.T, s Store)
}

// crowd is how many writers work at once where a clause is about that.
const crowd = 32

// must returns the value of a call that may not fail.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("got error %v (kind %q), want none", err, fault.KindOf(err))
		}
		return v
	}
}

// same compares what is there with what should be; an empty slice is as good as none.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(money.Sum{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refused returns the error of a call that must fail with a kind and, where any are
// named, exactly these fields at fault.
func refused[T any](_ T, err error) func(t *testing.T, kind fault.Kind, fields ...string) *fault.Error {
	return func(t *testing.T, kind fault.Kind, fields ...string) *fault.Error {
		t.Helper()
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != kind {
			t.Fatalf("got error %v (kind %q), want kind %q", err, fault.KindOf(err), kind)
		}
		if strings.TrimSpace(e.Message) == "" {
			t.Errorf("got an error of kind %q without a sentence", kind)
		}
		if len(fields) > 0 {
			got := make([]string, len(e.Details))
			for i, d := range e.Details {
				got[i] = d.Field
			}
			slices.Sort(got)
			slices.Sort(fields)
			same(t, "fields at fault", got, fields)
		}
		return e
	}
}

// taken is refused with AlreadyExists and the id of the record in the way.
func taken[T any, ID ~int64](t *testing.T, id ID) func(T, error) {
	return func(v T, err error) {
		t.Helper()
		e := refused(v, err)(t, fault.AlreadyExists)
		if e.ExistingID != int64(id) {
			t.Errorf("got existing id %d, want %d", e.ExistingID, id)
		}
	}
}

// all reads a sequence that may not fail.
func all[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	got := []T{}
	for v, err := range seq {
		if err != nil {
			t.Fatalf("after %d records: got error %v, want none", len(got), err)
		}
		got = append(got, v)
	}
	return got
}

// rising complains unless the ids begin at 1 or above and rise strictly.
func rising[T any](t *testing.T, records []T, id func(T) int64) {
	t.Helper()
	last := int64(0)
	for i, r := range records {
		if id(r) <= last {
			t.Fatalf("record %d: got id %d after %d, want rising ids from 1", i, id(r), last)
		}
		last = id(r)
	}
}

// inCrowd calls do with 0 to n-1 from as many goroutines as crowd and waits.
// do may call t.Error, not t.Fatal.
func inCrowd(n int, do func(i int)) {
	var group sync.WaitGroup
	for worker := range crowd {
		group.Go(func() {
			for i := worker; i < n; i += crowd {
				do(i)
			}
		})
	}
	group.Wait()
}
