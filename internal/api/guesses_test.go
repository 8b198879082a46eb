package api

import (
	"fmt"
	"testing"
	"time"
)

func TestGuessesAreLimitedByClient(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	for range 3 * guessBurst {
		right, wait := g.try("a")
		if wait != 0 {
			t.Fatalf("a right one: got a wait of %s, want none", wait)
		}
		now = now.Add(time.Millisecond)
		right()
	}
	for i := range guessBurst {
		if _, wait := g.try("a"); wait != 0 {
			t.Fatalf("guess %d: got a wait of %s, want none", i+1, wait)
		}
	}
	for range 2 { // trying in vain costs nothing
		if _, wait := g.try("a"); wait != guessEvery {
			t.Errorf("after %d wrong ones: got a wait of %s, want %s", guessBurst, wait, guessEvery)
		}
	}
	if _, wait := g.try("b"); wait != 0 {
		t.Errorf("another client: got a wait of %s, want none", wait)
	}
	now = now.Add(guessEvery)
	if _, wait := g.try("a"); wait != 0 {
		t.Errorf("after that time: got a wait of %s, want none", wait)
	}
}

func TestGuessersAreForgotten(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	g.try("late")
	now = now.Add(guessEvery * guessBurst)
	for i := range mostGuessers * 3 {
		g.try(fmt.Sprint(i))
		if len(g.clients) > mostGuessers {
			t.Fatalf("got %d clients remembered, want at most %d", len(g.clients), mostGuessers)
		}
	}
	if _, remembered := g.clients["late"]; remembered {
		t.Error("a client that guessed once, long ago, is still remembered")
	}
}
