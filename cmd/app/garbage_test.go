package main

import "testing"

// TestGarbagePercent: a small heap is collected as Go would, a large one sooner, and
// none without end.
func TestGarbagePercent(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 100, 8 << 20: 100, 24 << 20: 100, 30 << 20: 80, 48 << 20: 50, 120 << 20: 20, 1 << 30: 10, 1 << 40: 10,
	} {
		if got := garbagePercent(live, 100); got != want {
			t.Errorf("%d MiB in use: got %d, want %d", live>>20, got, want)
		}
	}
	if got, want := garbagePercent(30<<20, 50), 50; got != want {
		t.Errorf("where GOGC asks for less: got %d, want %d", got, want)
	}
}
