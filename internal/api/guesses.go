package api

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often a client may sign in with a wrong token: five times at once, then every
// twelve seconds.
const (
	guessBurst = 5
	guessEvery = 12 * time.Second
)

// mostGuessers is how many clients are remembered. Beyond it, those that have not guessed
// lately are forgotten.
const mostGuessers = 10_000

// guesses counts wrong tokens by client. Right ones are not counted.
type guesses struct {
	now func() time.Time

	mu            sync.Mutex
	recent, older map[string]*rate.Limiter // each of half of those that are remembered
}

func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, recent: map[string]*rate.Limiter{}}
}

// wrong counts a wrong token of a client. It returns how long the client must wait where it
// has guessed too often; that guess is not counted.
func (g *guesses) wrong(client string) (wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	guess := g.of(client).ReserveN(now, 1)
	if wait = guess.DelayFrom(now); wait > 0 {
		guess.CancelAt(now)
	}
	return wait
}

// of returns the limiter of a client, which is remembered until half as many others as
// mostGuessers have guessed since. That costs the same however many there are.
func (g *guesses) of(client string) *rate.Limiter {
	limiter := g.recent[client]
	if limiter != nil {
		return limiter
	}
	if limiter = g.older[client]; limiter == nil {
		limiter = rate.NewLimiter(rate.Every(guessEvery), guessBurst)
	}
	if len(g.recent) == mostGuessers/2 {
		g.recent, g.older = map[string]*rate.Limiter{}, g.recent
	}
	g.recent[client] = limiter
	return limiter
}
