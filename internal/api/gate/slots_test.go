package gate

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
)

// turns are the clients in the order in which they got a slot, and the functions that release the slots.
type turns struct {
	t        *testing.T
	slots    *Slots
	order    []string
	releases chan func()
}

// ask asks for a slot, and returns when the client has it or waits.
func (c *turns) ask(client string) {
	go func() {
		release, err := c.slots.Acquire(c.t.Context(), client, 10)
		if err != nil {
			c.t.Error(err)
			return
		}
		c.order = append(c.order, client) // one at a time
		c.releases <- release
	}()
	synctest.Wait()
}

// TestClientsTakeTurns: all slots are taken, and other clients have many requests waiting. A client that
// comes later still gets a slot in the next round.
func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := NewSlots(2)
		turns := turns{t: t, slots: slots, releases: make(chan func(), 100)}
		for range 3 {
			for _, client := range []string{"a", "b", "c"} {
				turns.ask(client)
			}
		}
		turns.ask("d")
		for range 10 {
			release := <-turns.releases
			release()
			release() // the second call does nothing
			synctest.Wait()
		}
		if want := []string{"a", "b", "c", "d", "a", "b", "c", "a", "b", "c"}; !slices.Equal(turns.order, want) {
			t.Errorf("got the turns %v, want %v", turns.order, want)
		}
		if len(slots.clients) != 0 || len(slots.waiting) != 0 || slots.free != 2 {
			t.Errorf("at the end: got %d clients, %d waiters and %d free slots, want 0, 0 and 2", len(slots.clients), len(slots.waiting), slots.free)
		}
	})
}

// TestARequestThatWaitsIsNotOvertaken: clients that ask again as soon as they are served, one request at a
// time, take turns with a client whose second request waits.
func TestARequestThatWaitsIsNotOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := NewSlots(1)
		turns := turns{t: t, slots: slots, releases: make(chan func(), 100)}
		for _, client := range []string{"b", "a", "a", "c"} {
			turns.ask(client)
		}
		for range 6 {
			served := turns.order[len(turns.order)-1]
			(<-turns.releases)()
			synctest.Wait()
			if served != "a" {
				turns.ask(served)
			}
		}
		if want := []string{"b", "a", "c", "b", "a", "c", "b"}; !slices.Equal(turns.order, want) {
			t.Errorf("got the turns %v, want %v", turns.order, want)
		}
		for len(turns.releases) > 0 || len(slots.waiting) > 0 {
			(<-turns.releases)()
			synctest.Wait()
		}
		if len(slots.clients) != 0 {
			t.Errorf("at the end: got %d clients, want none", len(slots.clients))
		}
	})
}

// TestManyClientsAreForgotten: while somebody waits, no more than a fixed number of clients is
// remembered.
func TestManyClientsAreForgotten(t *testing.T) {
	s := NewSlots(1)
	s.waiting = []*waiter{{}} // somebody waits
	for i := range 2 * mostRemembered {
		s.clients[strconv.Itoa(i)] = &holder{}
		s.forget()
	}
	if len(s.clients) >= mostRemembered {
		t.Errorf("got %d clients, want fewer than %d", len(s.clients), mostRemembered)
	}
}

// TestAWaitThatIsGivenUp: a request that stops waiting gets no slot, and the slot goes to others.
func TestAWaitThatIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := NewSlots(1)
		release, err := slots.Acquire(t.Context(), "a", 10)
		if err != nil {
			t.Fatal(err)
		}
		waiting, giveUp := context.WithCancel(t.Context())
		given := make(chan error)
		go func() {
			_, err := slots.Acquire(waiting, "b", 10)
			given <- err
		}()
		synctest.Wait()
		giveUp()
		if err := <-given; err == nil {
			t.Error("got a slot after the wait was given up")
		}
		release()
		release, err = slots.Acquire(t.Context(), "c", 10)
		if err != nil {
			t.Fatal(err)
		}
		release()
		if len(slots.clients) != 0 || slots.free != 1 {
			t.Errorf("at the end: got %d clients and %d free slots, want 0 and 1", len(slots.clients), slots.free)
		}
	})
}
