package sqlite

import (
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/fault"
)

// checkWhole compares a whole list of actuals, as an export reads it, with what is stored: once where records may wait
// for their turn, and once where none may, so that SQLite sorts.
func checkWhole(t *testing.T, s *Store, f budget.ActualFilter, want []budget.Actual) {
	t.Helper()
	for _, held := range []int{mostHeld, 0} {
		got := []budget.Actual{}
		err := s.consistent(t.Context(), func(c *scanner) error {
			for a, err := range wholePage(c, actualPage(f), held, rows.Actual) {
				if err != nil {
					return err
				}
				got = append(got, a)
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%+v, of which at most %d wait: got %v, %v, want %v", f, held, got, err, want)
		}
	}
}

// TestRecordsAreYieldedInTheOrderOfTheirPlaces: whatever the order of the places, each record has its turn, and waiting
// says how many were held.
func TestRecordsAreYieldedInTheOrderOfTheirPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		places  []int32
		waiting int
	}{
		{nil, 0},
		{[]int32{0, 1, 2, 3}, 0},
		{[]int32{1, 2, 3, 0}, 1},
		{[]int32{3, 0, 1, 2}, 3},
		{[]int32{3, 2, 1, 0}, 3},
		{[]int32{1, 0, 3, 2}, 1},
	} {
		if got := waiting(c.places); got != c.waiting {
			t.Errorf("%v: %d wait, want %d", c.places, got, c.waiting)
		}
	}
	for range 200 {
		places := []int32{}
		for _, place := range random.Perm(random.IntN(40)) {
			places = append(places, int32(place))
		}
		var got []int32
		for place, err := range inOrder(numbered(int32(len(places)), nil), places) {
			if got = append(got, place); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, places) {
			t.Fatalf("got %v, want %v", got, places)
		}
	}
}

// numbered yields the numbers below n, and then calls end, if it is not nil.
func numbered(n int32, end func() error) iter.Seq2[int32, error] {
	return func(yield func(int32, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if end != nil {
			yield(0, end())
		}
	}
}

// TestAListIsReadAhead: all of it comes in its order, also beyond a part, until the loop ends. An error of the list is the
// last that comes, and so is a panic.
func TestAListIsReadAhead(t *testing.T) {
	wrong := errors.New("wrong")
	for _, n := range []int32{0, 1, readAhead - 1, readAhead, 3*readAhead + 1} {
		for _, end := range []func() error{nil, func() error { return wrong }, func() error { panic("a defect") }} {
			got, last := int32(0), error(nil)
			for i, err := range ahead(numbered(n, end), readAhead) {
				if last != nil || err == nil && i != got {
					t.Fatalf("%d records: got %d after %d, %v", n, i, got, last)
				}
				if last = err; err == nil {
					got++
				}
			}
			if got != n || (last != nil) != (end != nil) || last != nil && !errors.Is(last, wrong) && fault.KindOf(last) != fault.Internal {
				t.Errorf("got %d records and %v, want %d", got, last, n)
			}
		}
	}
	ended := false
	list := func(yield func(int32, error) bool) {
		defer func() { ended = true }()
		for i := int32(0); ; i++ {
			if !yield(i, nil) {
				return
			}
		}
	}
	for i, err := range ahead(list, readAhead) {
		if err != nil || i == 2*readAhead {
			break
		}
	}
	if !ended {
		t.Error("the loop has ended, and the list is still read")
	}
}
