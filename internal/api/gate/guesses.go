package gate

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often a client may sign in with a wrong token: five times at once, then every twelve
// seconds.
const (
	guessBurst = 5
	guessEvery = 12 * time.Second
)

// mostGuessers is how many clients are remembered. Beyond it, clients that have not guessed
// lately are forgotten.
const mostGuessers = 10_000

// guesses limits wrong tokens by client. It does not count right ones.
type guesses struct {
	now func() time.Time

	mu            sync.Mutex
	recent, older map[string]*rate.Limiter // each at most half of the clients
}

func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, recent: map[string]*rate.Limiter{}}
}

// wrong counts a wrong token of a client. It returns how long the client must wait if it has
// guessed too often; then the guess is not counted.
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

// of returns the limiter of a client. It is remembered until half of mostGuessers other clients
// have guessed since. Its cost does not depend on the number of clients.
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
