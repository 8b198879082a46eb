package fiscal_test

import (
	"fmt"
	"math"
	"testing"

	"daybook/internal/fiscal"
)

func TestNewYear(t *testing.T) {
	for n, want := range map[int64]bool{
		1900: true, 2025: true, 9999: true,
		1899: false, 10000: false, 0: false, -2025: false, math.MinInt64: false, math.MaxInt64: false, 1<<32 + 2025: false,
	} {
		got, err := fiscal.NewYear(n)
		holds(t, n, int64(got), err, want, "must be 1900 to 9999")
	}
}

func TestNewPeriod(t *testing.T) {
	for n := range int64(20) {
		got, err := fiscal.NewPeriod(n)
		holds(t, n, int64(got), err, n >= 1 && n <= 12, "must be 1 to 12")
	}
	for _, n := range []int64{-1, math.MinInt64, math.MaxInt64, 1<<32 + 6} {
		got, err := fiscal.NewPeriod(n)
		holds(t, n, int64(got), err, false, "must be 1 to 12")
	}
}

func holds(t *testing.T, n, got int64, err error, good bool, sentence string) {
	t.Helper()
	switch {
	case good && (err != nil || got != n):
		t.Errorf("%d: got %d, %v, want it unchanged", n, got, err)
	case !good && (err == nil || err.Error() != fmt.Sprintf("%s, got %d", sentence, n)):
		t.Errorf("%d: got %d, %v, want that it %s", n, got, err, sentence)
	}
}
