package soak_test

import (
	"fmt"
	"slices"
)

// promise is what a client knows of one record that only it writes.
type promise struct {
	kept    int64 // the last value that was acknowledged, 0 for none
	pending int64 // the value whose answer has not come, 0 for none
}

// settle takes a value that was found as the one that is kept, and says what is wrong
// with it, "" when nothing is.
func (p *promise) settle(of string, found int64) (wrong string) {
	if found != p.kept && (p.pending == 0 || found != p.pending) {
		wrong = fmt.Sprintf("%s: found %d, want the acknowledged %d, or %d whose answer has not come", of, found, p.kept, p.pending)
	}
	*p = promise{kept: found}
	return wrong
}

// promises is what a client knows of a list that only it adds to, each value once.
type promises struct {
	kept    []int64
	pending int64
}

// keep notes that a value is acknowledged; that of a repeated write may be already.
func (p *promises) keep(v int64) {
	if !slices.Contains(p.kept, v) {
		p.kept = append(p.kept, v)
	}
	p.pending = 0
}

// settle takes a list that was found as the one that is kept, and says what is wrong
// with it.
func (p *promises) settle(of string, found []int64) (wrong []string) {
	counts := map[int64]int{}
	for _, v := range found {
		counts[v]++
	}
	for _, v := range p.kept {
		if counts[v] != 1 {
			wrong = append(wrong, fmt.Sprintf("%s: found the acknowledged %d %d times", of, v, counts[v]))
		}
		delete(counts, v)
	}
	for v, n := range counts {
		if v != p.pending || n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s: found %d %d times, acknowledged never; %d is pending", of, v, n, p.pending))
		}
	}
	*p = promises{kept: found}
	return wrong
}
