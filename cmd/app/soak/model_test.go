package soak_test

import (
	"flag"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// TestModel sends random requests to the server and to a model of it in memory. It compares every
// answer and every journal entry byte by byte.
func TestModel(t *testing.T) {
	goal := int64(times(2_000, 1_000_000))
	set(t, "rapid.steps", "200")
	set(t, "rapid.checks", strconv.Itoa(times(12, 500)))
	set(t, "rapid.nofailfile", "true") // rapid prints the seed, which is enough to repeat a failure
	var steps, walks int64
	for steps < goal && !t.Failed() {
		rapid.Check(t, func(rt *rapid.T) {
			w := newWorld(t, rt, nil)
			defer w.close()
			rt.Repeat(w.actions())
			w.verify(rt)
			steps += w.steps
			walks++
		})
	}
	figure{
		"model of the whole interface", fmt.Sprintf("%d steps, every answer and journal entry as the model says", goal),
		fmt.Sprintf("%d steps in %d walks, every one", steps, walks),
		noticesStaleAnswers(t),
	}.report(t)
}

// set sets a flag of rapid until the test ends.
func set(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) }) // it was a value before
}

// noticesStaleAnswers is the control: a server gives an old answer for one list in twenty. The
// comparison with the model must find that.
func noticesStaleAnswers(t *testing.T) string {
	t.Helper()
	set(t, "rapid.checks", "20")
	set(t, "rapid.shrinktime", "0s")
	verdict := &mayFail{T: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		rapid.Check(verdict, func(rt *rapid.T) {
			w := newWorld(t, rt, stale)
			defer w.close()
			rt.Repeat(w.actions())
		})
	}()
	<-done
	if !verdict.failed.Load() {
		t.Error("a server that answers stale lists: got no difference from the model, want one")
	}
	return "one list in 20 answered as before: refused"
}

// stale wraps a server. It answers every twentieth list with the answer that the same request got
// before.
func stale(next http.Handler) http.Handler {
	last, lists := map[string]answer{}, 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := r.URL.RequestURI()
		if r.Method != http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		lists++
		before, known := last[target]
		fresh := handled(next, r)
		last[target] = fresh
		if known && lists%20 == 0 {
			fresh = before
		}
		w.WriteHeader(fresh.status)
		_, _ = w.Write(fresh.body)
	})
}

// mayFail is a test whose failure is only recorded; the test that uses it does not fail.
type mayFail struct {
	*testing.T
	failed atomic.Bool
}

func (j *mayFail) Fail()                 { j.failed.Store(true) }
func (j *mayFail) FailNow()              { j.failed.Store(true); runtime.Goexit() }
func (j *mayFail) Failed() bool          { return j.failed.Load() }
func (j *mayFail) Error(...any)          { j.Fail() }
func (j *mayFail) Errorf(string, ...any) { j.Fail() }
func (j *mayFail) Fatal(...any)          { j.FailNow() }
func (j *mayFail) Fatalf(string, ...any) { j.FailNow() }
func (j *mayFail) Log(...any)            {}
func (j *mayFail) Logf(string, ...any)   {}
