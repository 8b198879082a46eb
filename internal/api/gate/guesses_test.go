package gate

import (
	"fmt"
	"testing"
	"time"
)

// TestGuessesAreLimitedByClient: a client that made its guesses must wait. Other clients need not.
func TestGuessesAreLimitedByClient(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	for i := range guessBurst {
		if wait := g.wrong("a"); wait != 0 {
			t.Fatalf("guess %d: got a wait of %s, want none", i+1, wait)
		}
	}
	for range 2 { // a refused guess does not make the wait longer
		if wait := g.wrong("a"); wait != guessEvery {
			t.Errorf("after %d wrong ones: got a wait of %s, want %s", guessBurst, wait, guessEvery)
		}
	}
	if wait := g.wrong("b"); wait != 0 {
		t.Errorf("another client: got a wait of %s, want none", wait)
	}
	now = now.Add(guessEvery)
	if wait := g.wrong("a"); wait != 0 {
		t.Errorf("after the wait: got a wait of %s, want none", wait)
	}
}

// TestGuessersAreForgotten: the server forgets a client only when many others have guessed since. A
// client that goes on guessing is not forgotten.
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
			t.Fatalf("after %d others: got no wait for a client that goes on guessing, want one", i+1)
		}
	}
	if g.recent["late"] != nil || g.older["late"] != nil {
		t.Error("got a client remembered that guessed once, long ago, want it forgotten")
	}
}
