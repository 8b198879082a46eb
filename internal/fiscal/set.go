package fiscal

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// Set is some of the periods of a fiscal year.
type Set uint16

// WholeYear is every period.
const WholeYear Set = 1<<Periods - 1

// Before is every period before one.
func Before(p Period) Set { return WholeYear >> uint(Periods+1-p) }

// With returns the set with one more period. A number that is not a period, as in a damaged file, is in
// no set.
func (s Set) With(p Period) Set { return s | 1<<uint(p-1)&WholeYear }

// Has reports whether a period is in the set.
func (s Set) Has(p Period) bool { return s&Set(0).With(p) != 0 }

// Less returns the set without the periods of another.
func (s Set) Less(o Set) Set { return s &^ o }

// Len is the number of periods.
func (s Set) Len() int { return bits.OnesCount16(uint16(s)) }

// Last is the last period, or 0 if there is none.
func (s Set) Last() Period { return Period(bits.Len16(uint16(s))) }

// All yields the periods in their order.
func (s Set) All() iter.Seq[Period] {
	return func(yield func(Period) bool) {
		for p := Period(1); p <= Periods; p++ {
			if s.Has(p) && !yield(p) {
				return
			}
		}
	}
}

// String prints periods like "period 3" or "periods 1 to 3, 5".
func (s Set) String() string {
	var runs []string
	for p := range s.All() {
		if p > 1 && s.Has(p-1) {
			continue
		}
		last := p
		for s.Has(last + 1) {
			last++
		}
		run := fmt.Sprintf("%d to %d", p, last)
		switch last - p {
		case 0:
			run = fmt.Sprint(p)
		case 1:
			run = fmt.Sprintf("%d, %d", p, last)
		}
		runs = append(runs, run)
	}
	noun := "periods"
	if s.Len() == 1 {
		noun = "period"
	}
	return noun + " " + strings.Join(runs, ", ")
}
