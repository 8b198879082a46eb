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

// TestModel walks at random over the whole interface and over a model of it in memory,
// and compares every answer and every journal entry byte by byte.
func TestModel(t *testing.T) {
	goal := int64(times(2_000, 1_000_000))
	set(t, "rapid.steps", "200")
	set(t, "rapid.checks", strconv.Itoa(times(12, 500)))
	set(t, "rapid.nofailfile", "true") // the seed that is printed is enough
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

// set sets a flag of rapid's for this test.
func set(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) }) // it was a value before
}

// noticesStaleAnswers is the control: a server that answers one list in twenty as it
// answered it before must not pass for the model.
func noticesStaleAnswers(t *testing.T) string {
	t.Helper()
	set(t, "rapid.checks", "20")
	set(t, "rapid.shrinktime", "0s")
	verdict := &judged{T: t}
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
		t.Error("a server that answers stale lists passed for the model")
	}
	return "one list in 20 answered as before: refused"
}

// stale is a server that answers every twentieth list as the last time.
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

// judged is a test that may fail without failing the one around it.
type judged struct {
	*testing.T
	failed atomic.Bool
}

func (j *judged) Fail()                 { j.failed.Store(true) }
func (j *judged) FailNow()              { j.failed.Store(true); runtime.Goexit() }
func (j *judged) Failed() bool          { return j.failed.Load() }
func (j *judged) Error(...any)          { j.Fail() }
func (j *judged) Errorf(string, ...any) { j.Fail() }
func (j *judged) Fatal(...any)          { j.FailNow() }
func (j *judged) Fatalf(string, ...any) { j.FailNow() }
func (j *judged) Log(...any)            {}
func (j *judged) Logf(string, ...any)   {}
