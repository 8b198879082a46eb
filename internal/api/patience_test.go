package api_test

import (
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/api"
	"daybook/internal/wiretest"
)

// TestABodyHasLessTimeWhereManyAreConnected: the time for a body is shortened by config.Patience, which
// the server lowers when it has many connections.
func TestABodyHasLessTimeWhereManyAreConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		config := s.config()
		config.Patience = func(whole time.Duration) time.Duration { return whole / 5 }
		serveHandlerOn(t, w, api.New(config))
		for _, asked := range []string{"POST /currency/add", "POST /api/v1/session", "GET /health", "POST /nowhere"} {
			l := lineOn(t, w)
			began := time.Now()
			l.begin(t, asked, "Content-Length: 100")
			l.answer(t)
			l.closed(t)
			if took, most := time.Since(began), bodyTime/5+linger; took > most {
				t.Errorf("%s: got the connection open for %s, want at most %s", asked, took, most)
			}
		}
	})
}
