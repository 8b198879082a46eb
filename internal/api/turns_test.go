package api

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// TestClientsTakeTurns: each of them, also one that comes when all places are taken and
// others have many requests that came before.
func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		places := newTurns(2)
		var order []string
		leaves := make(chan func(), 100)
		ask := func(of string) {
			go func() {
				leave, err := places.take(t.Context(), of, 10)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, of) // one at a time
				leaves <- leave
			}()
			synctest.Wait()
		}
		for range 3 {
			for _, of := range []string{"a", "b", "c"} {
				ask(of)
			}
		}
		ask("d")
		for range 10 {
			leave := <-leaves
			leave()
			leave() // again is nothing
			synctest.Wait()
		}
		if want := []string{"a", "b", "c", "d", "a", "b", "c", "a", "b", "c"}; !slices.Equal(order, want) {
			t.Errorf("got the turns %v, want %v", order, want)
		}
		if len(places.clients) != 0 || len(places.waiting) != 0 || places.free != 2 {
			t.Errorf("at the end: got %d clients, %d who wait and %d free, want 0, 0 and 2", len(places.clients), len(places.waiting), places.free)
		}
	})
}

// TestAWaitThatIsGivenUp leaves the place to others.
func TestAWaitThatIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		places := newTurns(1)
		leave, err := places.take(t.Context(), "a", 10)
		if err != nil {
			t.Fatal(err)
		}
		waiting, giveUp := context.WithCancel(t.Context())
		given := make(chan error)
		go func() {
			_, err := places.take(waiting, "b", 10)
			given <- err
		}()
		synctest.Wait()
		giveUp()
		if err := <-given; err == nil {
			t.Error("got a place after the wait was given up")
		}
		leave()
		leave, err = places.take(t.Context(), "c", 10)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		if len(places.clients) != 0 || places.free != 1 {
			t.Errorf("at the end: got %d clients and %d free, want 0 and 1", len(places.clients), places.free)
		}
	})
}
