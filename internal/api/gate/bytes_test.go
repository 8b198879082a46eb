package gate_test

import (
	"testing"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// TestAClientHoldsItsShare: a client holds at most its share, and all together at most the bound. What is
// released can be held again.
func TestAClientHoldsItsShare(t *testing.T) {
	b := gate.NewBytes(100, 60, "full")
	grow := func(r *gate.Reservation, n int, want bool) {
		t.Helper()
		err := r.Grow(n)
		if (err == nil) != want || err != nil && fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%d more bytes: got %v, want them granted: %t, else Unavailable", n, err, want)
		}
	}
	first, second, other := b.Reserve("one"), b.Reserve("one"), b.Reserve("other")
	grow(first, 40, true)
	grow(second, 21, false)
	grow(second, 20, true)
	grow(other, 41, false)
	grow(other, 40, true)
	first.Shrink(10)
	grow(other, 10, true)
	grow(second, 1, false)
	other.Release()
	other.Release()
	grow(second, 10, true)
	if first.Held() != 30 || second.Held() != 30 || other.Held() != 0 {
		t.Errorf("got %d, %d and %d bytes held, want 30, 30 and 0", first.Held(), second.Held(), other.Held())
	}
}
