package gate_test

import (
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// grow grows a reservation and returns whether it could.
func grow(t *testing.T, r *gate.Reservation, n int) bool {
	t.Helper()
	err := r.Grow(n)
	if err != nil && fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want an error of the kind Unavailable", err)
	}
	return err == nil
}

// TestAClientThatHoldsMostMakesRoom: when nothing is left and nobody waits for its client, the newest request of the
// client that holds most is stopped, and the newcomer gets its bytes when it is gone. One that can be ended only while
// it waits goes on, and a client never stops its own requests.
func TestAClientThatHoldsMostMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := gate.NewBytes(100, time.Second, "full")
		never := func() { t.Error("got a wait ended, want none") }
		var stopped []int
		var many []*gate.Reservation
		for i := range 3 {
			r := b.Reserve("many", never, func() { stopped = append(stopped, i) })
			many = append(many, r)
			if !grow(t, r, 25) {
				t.Fatal("got no room for the first client, want some")
			}
		}
		body := b.Reserve("many", never, nil)
		if !grow(t, body, 25) || grow(t, b.Reserve("many", never, never), 1) {
			t.Fatal("got another room than 100")
		}
		few := b.Reserve("few", never, func() { t.Error("got the newcomer stopped, want it served") })
		done := make(chan bool)
		go func() { done <- grow(t, few, 20) }()
		synctest.Wait()
		if len(stopped) != 1 || stopped[0] != 2 {
			t.Fatalf("got %v stopped, want only the newest", stopped)
		}
		if grow(t, many[2], 1) || many[2].BeginWait() || !many[2].Ended() {
			t.Error("got the stopped request going on, want it ended when it needs more or sends")
		}
		many[2].Release()
		if !<-done {
			t.Error("got no room for the newcomer, want what the stopped request held")
		}
		if grow(t, few, 40) {
			t.Error("got room for a client that would hold more than the other, want none")
		}
	})
}

// TestTheClientThatHoldsMostIsFoundAmongAll: a client whose requests do not wait at this instant, but can be ended, makes
// room if it holds more than a client whose request waits. As a control, the request that waits makes room once its
// client holds more.
func TestTheClientThatHoldsMostIsFoundAmongAll(t *testing.T) {
	for _, c := range []struct {
		flood, waits int // bytes of each of two requests
		stopped      bool
	}{{40, 10, true}, {10, 40, false}} {
		synctest.Test(t, func(t *testing.T) {
			b := gate.NewBytes(100, time.Second, "full")
			var ended, stopped int
			var all []*gate.Reservation
			for range 2 {
				flood := b.Reserve("flood", func() { ended++ }, func() { stopped++ })
				waits := b.Reserve("waits", func() { ended++ }, nil)
				if !grow(t, flood, c.flood) || !grow(t, waits, c.waits) || !waits.BeginWait() {
					t.Fatal("got no room for the first requests, want some")
				}
				all = append(all, flood, waits)
			}
			done := make(chan bool)
			go func() { done <- grow(t, b.Reserve("newcomer", nil, nil), 5) }()
			synctest.Wait()
			if wantStopped := map[bool]int{true: 1}[c.stopped]; stopped != wantStopped || ended != 1-wantStopped {
				t.Errorf("%+v: got %d stopped and %d waits ended, want one request of who holds most", c, stopped, ended)
			}
			for _, r := range all {
				r.Release()
			}
			if !<-done {
				t.Errorf("%+v: got no room for the newcomer", c)
			}
		})
	}
}
