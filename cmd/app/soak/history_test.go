package soak_test

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// access is a read or a write of one register. A register is the amount of an actual or of a budget
// line.
type access struct {
	register string
	write    bool
	value    string // the value written
}

// oneByOne is the model of registers that are accessed one after the other: a read answers the value
// that was written last, "" before the first write.
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

// history is the list of accesses that clients made, with their times.
type history struct {
	began time.Time
	mu    sync.Mutex
	done  []porcupine.Operation
}

// forever is the return time of a write that was never answered. It can take effect at any later
// time.
const forever = int64(1) << 62

func newHistory() *history { return &history{began: time.Now()} }

func (h *history) now() int64 { return int64(time.Since(h.began)) }

// add adds an access that began at the time called and returns now.
func (h *history) add(called int64, a access, found string) {
	h.addUntil(called, h.now(), a, found)
}

func (h *history) addUntil(called, returned int64, a access, found string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = append(h.done, porcupine.Operation{Input: a, Output: found, Call: called, Return: returned})
}

// check reports whether the history is linearizable.
func check(done []porcupine.Operation) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(oneByOne, done, patience)
}

// withStaleRead returns the history with one more read at its end, which answers a value that was
// overwritten. It returns false if no value of the register was overwritten.
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
