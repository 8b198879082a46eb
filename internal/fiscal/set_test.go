package fiscal_test

import (
	"math"
	"slices"
	"testing"

	"daybook/internal/fiscal"
)

// TestSet compares every set with a list of its periods.
func TestSet(t *testing.T) {
	for n := range 1 << fiscal.Periods {
		var want []fiscal.Period
		var s fiscal.Set
		for p := fiscal.Period(1); p <= fiscal.Periods; p++ {
			if n>>(p-1)&1 == 1 {
				want = append(want, p)
				s = s.With(p).With(p)
			}
			if got := s.Has(p); got != (n>>(p-1)&1 == 1) {
				t.Fatalf("%b: got %t of %d", n, got, p)
			}
		}
		last := fiscal.Period(0)
		if len(want) > 0 {
			last = want[len(want)-1]
		}
		if got := slices.Collect(s.All()); !slices.Equal(got, want) || s.Len() != len(want) || s.Last() != last {
			t.Fatalf("got %v, %d of them up to %d, want %v", got, s.Len(), s.Last(), want)
		}
		if got := s.Less(fiscal.WholeYear); got != 0 {
			t.Fatalf("got %v after all periods were removed, want none", slices.Collect(got.All()))
		}
		if got := fiscal.WholeYear.Less(s).Len(); got != fiscal.Periods-len(want) {
			t.Fatalf("got %d periods without %v", got, want)
		}
	}
	for range fiscal.WholeYear.All() {
		break // a loop may end early
	}
}

// TestBefore: Before returns the periods before a period.
func TestBefore(t *testing.T) {
	var want fiscal.Set
	for p := fiscal.Period(1); p <= fiscal.Periods; p++ {
		if got := fiscal.Before(p); got != want {
			t.Errorf("%d: got %v, want %v", p, slices.Collect(got.All()), slices.Collect(want.All()))
		}
		want = want.With(p)
	}
}

// TestWhatIsNoPeriodIsInNoSet: a number that is not a period cannot be added to a set.
func TestWhatIsNoPeriodIsInNoSet(t *testing.T) {
	for _, p := range []fiscal.Period{0, -1, 13, 16, 17, 300, math.MaxInt, math.MinInt} {
		if got := fiscal.Set(0).With(p); got != 0 || fiscal.WholeYear.Has(p) {
			t.Errorf("%d: got it in the set %v, want it in none", p, slices.Collect(got.All()))
		}
	}
}

// TestASetAsPeoplePrintIt: a set is printed with its consecutive periods as ranges.
func TestASetAsPeoplePrintIt(t *testing.T) {
	for want, periods := range map[string][]fiscal.Period{
		"period 3": {3}, "periods 3, 4": {3, 4}, "periods 1 to 3, 5": {1, 2, 3, 5}, "periods 1 to 12": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
	} {
		var s fiscal.Set
		for _, p := range periods {
			s = s.With(p)
		}
		if got := s.String(); got != want {
			t.Errorf("%v: got %q, want %q", periods, got, want)
		}
	}
}
