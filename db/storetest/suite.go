// Package storetest tests what every store must do. The comments on trading.Store, budget.Store,
// access.Store, journal.Store and package idempotency say what that is. The suite checks it on an open
// store. It does not check durability, failures (Unavailable, OutcomeUnknown), or the limits
// access.MostSessions and idempotency.KeptBytes; a store needs tests of its own for these.
//
// To test a new store, call Run from its own tests. The suite is divided into chapters, one for each kind
// of record or each property of the whole store. A chapter is a list of clauses. A clause is a sentence
// that must be true, and the check of it; each clause gets a new, empty store.
//
// The package must not know any engine.
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
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// Store is everything that the program needs of a database.
type Store interface {
	trading.Store
	budget.Store
	access.Store
	journal.Store
	batch.Store
	mapping.Store

	// Atomically calls work and makes one transaction of everything that work stores with the context
	// that it gets: all of it is stored, or nothing. The error is that of work, or of the first call in
	// work that failed.
	Atomically(ctx context.Context, work func(ctx context.Context) error) error
}

// Run checks every clause on a store that open returns. Each time, open must return a new, empty store
// that takes the time from now. open must also close the store in a cleanup of the test.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) Store) {
	var passed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	advance := func(d time.Duration) { passed.Add(int64(d)) }
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
		{"Bulk", inBulk()},
		{"Postings", postings()},
		{"Tallies", tallies()},
		{"Usage", usage()},
		{"Coverage", coverage()},
		{"OverviewData", overviewData()},
		{"Tokens", tokens()},
		{"Sessions", sessions()},
		{"Journal", journals()},
		{"Undo", undos()},
		{"Batches", batches()},
		{"Keys", append(keys(), expiringKeys(advance)...)},
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

// clause is one sentence that must be true for every store, and the check that it is true.
type clause struct {
	says  string
	check func(t *testing.T, s Store)
}

// crowd is the number of goroutines that call a store at the same time, in the clauses about that.
const crowd = 32

// must returns the value of a call. The test fails if the call returned an error.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("got error %v (kind %q), want none", err, fault.KindOf(err))
		}
		return v
	}
}

// same fails the test unless got and want are equal. An empty slice equals nil. what names the values.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(money.Sum{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refused returns the error of a call. The test fails unless the error has the kind and a message. If
// fields are passed, the error must also have details for exactly these fields.
func refused[T any](_ T, err error) func(t *testing.T, kind fault.Kind, fields ...string) *fault.Error {
	return func(t *testing.T, kind fault.Kind, fields ...string) *fault.Error {
		t.Helper()
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != kind {
			t.Fatalf("got error %v (kind %q), want kind %q", err, fault.KindOf(err), kind)
		}
		if strings.TrimSpace(e.Message) == "" {
			t.Errorf("got an error of kind %q without a message, want one", kind)
		}
		if len(fields) > 0 {
			got := make([]string, len(e.Details))
			for i, d := range e.Details {
				got[i] = d.Field
			}
			slices.Sort(got)
			slices.Sort(fields)
			same(t, "fields that the error names", got, fields)
		}
		return e
	}
}

// refusedAsTaken fails the test unless a call was refused with AlreadyExists and the id of the record
// that exists already.
func refusedAsTaken[T any, ID ~int64](t *testing.T, id ID) func(T, error) {
	return func(v T, err error) {
		t.Helper()
		e := refused(v, err)(t, fault.AlreadyExists)
		if e.ExistingID != int64(id) {
			t.Errorf("got existing id %d, want %d", e.ExistingID, id)
		}
	}
}

// all reads a sequence to its end. The test fails if the sequence yields an error.
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

// checkRising fails the test unless every id is above 0 and above the id before it.
func checkRising[T any](t *testing.T, records []T, id func(T) int64) {
	t.Helper()
	last := int64(0)
	for i, r := range records {
		if id(r) <= last {
			t.Fatalf("record %d: got id %d after %d, want rising ids from 1", i, id(r), last)
		}
		last = id(r)
	}
}

// inCrowd calls do with each number from 0 to n-1, from as many goroutines as crowd says, and waits for
// all. do may call t.Error, but not t.Fatal.
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
