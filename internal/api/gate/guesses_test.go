package gate

import (
	"fmt"
	"testing"
	"time"
)

func TestGuessesAreLimitedByClient(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	for i := range guessBurst {
		if wait := g.wrong("a"); wait != 0 {
			t.Fatalf("guess %d: got a wait of %s, want none", i+1, wait)
		}
	}
	for range 2 { // trying in vain costs nothing
		if wait := g.wrong("a"); wait != guessEvery {
			t.Errorf("after %d wrong ones: got a wait of %s, want %s", guessBurst, wait, guessEvery)
		}
	}
	if wait := g.wrong("b"); wait != 0 {
		t.Errorf("another client: got a wait of %s, want none", wait)
	}
	now = now.Add(guessEvery)
	if wait := g.wrong("a"); wait != 0 {
		t.Errorf("after that time: got a wait of %s, want none", wait)
	}
}

// TestGuessersAreForgotten when many others have guessed since, and only then.
func TestGuessersAreForgotten(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	g.wrong("late")
	for range guessBurst {
		g.wrong("steady")
	}
	for i := range mostGuessers * 3 {
		g.wrong(fmt.Sprint(i))
		if got := len(g.recent) + len(g.older); got > mostGuessers {
			t.Fatalf("got %d clients remembered, want at most %d", got, mostGuessers)
		}
		if i%(mostGuessers/4) == 0 && g.wrong("steady") == 0 {
			t.Fatalf("after %d others: a client that goes on guessing is forgotten", i+1)
		}
	}
	if g.recent["late"] != nil || g.older["late"] != nil {
		t.Error("a client that guessed once, long ago, is still remembered")
	}
}
