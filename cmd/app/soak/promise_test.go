package soak_test

import (
	"fmt"
	"slices"
)

// promise is what a client knows about one record that only this client writes.
type promise struct {
	kept    int64 // the last value that was acknowledged, 0 for none
	pending int64 // the value of a write that was not answered, 0 for none
}

// settle compares the stored value with what the client knows, and returns what is wrong, "" when
// nothing is. From then on the stored value counts as acknowledged.
func (p *promise) settle(of string, found int64) (wrong string) {
	if found != p.kept && (p.pending == 0 || found != p.pending) {
		wrong = fmt.Sprintf("%s: got %d, want %d, which was acknowledged, or %d, which was not answered", of, found, p.kept, p.pending)
	}
	*p = promise{kept: found}
	return wrong
}

// promises is what a client knows about a list to which only this client adds, each value once.
type promises struct {
	kept    []int64
	pending int64
}

// keep notes that a value is acknowledged. The value of a repeated write may be noted already.
func (p *promises) keep(v int64) {
	if !slices.Contains(p.kept, v) {
		p.kept = append(p.kept, v)
	}
	p.pending = 0
}

// settle compares the stored list with what the client knows, and returns what is wrong. From then on
// the stored list counts as acknowledged.
func (p *promises) settle(of string, found []int64) (wrong []string) {
	counts := map[int64]int{}
	for _, v := range found {
		counts[v]++
	}
	for _, v := range p.kept {
		if counts[v] != 1 {
			wrong = append(wrong, fmt.Sprintf("%s: got %d %d times, want once, because it was acknowledged", of, v, counts[v]))
		}
		delete(counts, v)
	}
	for v, n := range counts {
		if v != p.pending || n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s: got %d %d times, want only acknowledged values, and at most once %d, which was not answered", of, v, n, p.pending))
		}
	}
	*p = promises{kept: found}
	return wrong
}
