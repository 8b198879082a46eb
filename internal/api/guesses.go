package api

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often a client may sign in with a token that is none: five times at once, then
// every twelve seconds.
const (
	guessBurst = 5
	guessEvery = 12 * time.Second
)

// mostGuessers is how many clients are remembered; beyond it, those that have not
// guessed lately are forgotten.
const mostGuessers = 10_000

// guesses counts wrong tokens by client. A right one costs nothing in the end.
type guesses struct {
	now func() time.Time

	mu      sync.Mutex
	clients map[string]*rate.Limiter
}

func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, clients: map[string]*rate.Limiter{}}
}

// try takes one guess from what the client has left. It gives it back by right, which
// is called when the token was no guess; wait is how long the client must wait when
// nothing is left.
func (g *guesses) try(client string) (right func(), wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.clients) >= mostGuessers {
		g.forget()
	}
	limiter := g.clients[client]
	if limiter == nil {
		limiter = rate.NewLimiter(rate.Every(guessEvery), guessBurst)
		g.clients[client] = limiter
	}
	now := g.now()
	guess := limiter.ReserveN(now, 1)
	if wait = guess.DelayFrom(now); wait > 0 {
		guess.CancelAt(now)
		return nil, wait
	}
	return func() { guess.CancelAt(now) }, 0
}

// forget removes the clients whose guesses are long ago, and if there are none of
// those, all: a table that grew without end would be the better attack.
func (g *guesses) forget() {
	now := g.now()
	for client, limiter := range g.clients {
		if limiter.TokensAt(now) >= guessBurst {
			delete(g.clients, client)
		}
	}
	if len(g.clients) >= mostGuessers {
		clear(g.clients)
	}
}
