package budget

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMergeVisitsEachPlaceOnce: every element of either side is visited once, in order, beside
// the equal element of the other side.
func TestMergeVisitsEachPlaceOnce(t *testing.T) {
	side := rapid.Custom(func(t *rapid.T) []int {
		s := rapid.SliceOfDistinct(rapid.IntRange(0, 20), rapid.ID).Draw(t, "side")
		slices.Sort(s)
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		budgeted, actual := side.Draw(t, "budgeted"), side.Draw(t, "actual")
		var places, fromBudgeted, fromActual []int
		merge(budgeted, actual, func(a, b *int) int { return cmp.Compare(*a, *b) }, func(b, a *int) {
			if b != nil && a != nil && *a != *b {
				t.Errorf("got %d visited with %d, want equal elements", *b, *a)
			}
			if b != nil {
				fromBudgeted = append(fromBudgeted, *b)
			}
			if a != nil {
				fromActual = append(fromActual, *a)
			}
			places = append(places, *either(b, a))
		})
		want := slices.Concat(budgeted, actual)
		slices.Sort(want)
		want = slices.Compact(want)
		if !slices.Equal(places, want) || !slices.Equal(fromBudgeted, budgeted) || !slices.Equal(fromActual, actual) {
			t.Errorf("got %v visited, with budgeted %v and actual %v, want %v, %v and %v", places, fromBudgeted, fromActual, want, budgeted, actual)
		}
	})
}
