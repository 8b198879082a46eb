package soak_test

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// access is a read or a write of one register: the amount of an actual or of a budget
// line.
type access struct {
	register string
	write    bool
	value    string // that is written
}

// oneByOne is what registers do that are accessed one by one: a read answers what was
// written last, "" before that.
var oneByOne = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		parts := map[string][]porcupine.Operation{}
		for _, o := range history {
			register := o.Input.(access).register
			parts[register] = append(parts[register], o)
		}
		var split [][]porcupine.Operation
		for _, part := range parts {
			split = append(split, part)
		}
		return split
	},
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		if a := input.(access); a.write {
			return true, a.value
		}
		return output == state, state
	},
}

// history is what clients did, and when.
type history struct {
	began time.Time
	mu    sync.Mutex
	done  []porcupine.Operation
}

// forever is when a write returns whose answer never came: it may still happen.
const forever = int64(1) << 62

func newHistory() *history { return &history{began: time.Now()} }

func (h *history) now() int64 { return int64(time.Since(h.began)) }

// add adds an access that was called at a time and has returned now.
func (h *history) add(called int64, a access, found string) {
	h.addUntil(called, h.now(), a, found)
}

func (h *history) addUntil(called, returned int64, a access, found string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = append(h.done, porcupine.Operation{Input: a, Output: found, Call: called, Return: returned})
}

// check reports whether the history is one of registers that are accessed one by one.
func check(done []porcupine.Operation) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(oneByOne, done, patience)
}

// withStaleRead returns the history and one more read, after all others, which answers
// a value that another has replaced. False: no value of the register was replaced.
func withStaleRead(done []porcupine.Operation, register string) ([]porcupine.Operation, bool) {
	var writes []porcupine.Operation
	var last int64
	for _, o := range done {
		if o.Return == forever {
			continue
		}
		last = max(last, o.Return)
		if a := o.Input.(access); a.write && a.register == register {
			writes = append(writes, o)
		}
	}
	slices.SortFunc(writes, func(a, b porcupine.Operation) int { return cmp.Compare(a.Return, b.Return) })
	if len(writes) < 2 {
		return nil, false
	}
	first, final := writes[0], writes[len(writes)-1]
	stale := porcupine.Operation{
		Input: access{register: register}, Output: first.Input.(access).value, Call: last + 1, Return: last + 2,
	}
	return append(slices.Clone(done), stale), first.Return < final.Call
}
