package api_test

import (
	"testing"
	"testing/synctest"

	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/text"
	"daybook/internal/wiretest"
)

// serveTwo is like serveWithRoom. It also returns the headers of two tokens.
func serveTwo(t *testing.T, most int64) (s *server, w *wiretest.Wire, first, second string) {
	t.Helper()
	s, w = open(t), wiretest.New()
	config := s.config()
	config.MostHeld, config.RequireToken = most, true
	serveHandlerOn(t, w, api.New(config))
	bearer := func(name text.Name) string {
		secret, _, err := config.Authenticator.Create(t.Context(), name, access.Write, 0)
		if err != nil {
			t.Fatal(err)
		}
		return "Authorization: Bearer " + string(secret)
	}
	return s, w, bearer("first"), bearer("second")
}

// asks sends a request with more headers, and reads nothing of the answer.
func asks(t *testing.T, w *wiretest.Wire, path, headers string) *line {
	t.Helper()
	l := lineOn(t, w)
	l.begin(t, "GET "+path, headers)
	synctest.Wait()
	return l
}

// TestOneTokenLeavesRoomForAnswers: the large answers of one token that are not read fill its share of the
// memory. One more of it is refused with Retry-After; an answer of another token, and a small one, are not. None
// that has begun is cut, however long its client does not read.
func TestOneTokenLeavesRoomForAnswers(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			s, w, first, second := serveTwo(t, 1<<20) // enough for some answers
			s.record(t, 1_000)
			var untaken []*line
			for {
				l := asks(t, w, path, first)
				if !waits(l) {
					if got := l.wants(t, path, manyAnswers); got.header.Get("Retry-After") != "1" {
						t.Errorf("%s: got Retry-After %q, want 1", path, got.header.Get("Retry-After"))
					}
					break
				}
				if untaken = append(untaken, l); len(untaken) > 10 {
					t.Fatalf("%s: got room for %d answers, want for at most 10", path, len(untaken))
				}
			}
			if len(untaken) < 2 {
				t.Fatalf("%s: got room for %d answers, want for at least 2", path, len(untaken))
			}
			asks(t, w, "/currency/list", first).wants(t, "a small answer", "200 []")
			asks(t, w, path, second).wants(t, path+" of the other token", "200 ")
			for _, l := range untaken {
				if got := l.wants(t, path, "200 "); len(got.body) < 100_000 {
					t.Errorf("%s: got an answer of %d bytes, want all", path, len(got.body))
				}
			}
			asks(t, w, path, first).wants(t, path+" once there is room", "200 ")
		})
	}
}

// TestOneTokenLeavesRoomForBodies: the bodies of one token that pause fill its share of the memory. One more of it
// is refused; a body of another token is not. Those that paused are stored when they go on.
func TestOneTokenLeavesRoomForBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w, first, second := serveTwo(t, 600<<10) // enough for two such bodies, not for three
		begin := func(code, headers string) *upload {
			u := &upload{line: lineOn(t, w), body: currencyOf(code, 80_000)}
			u.begin(t, "POST /currency/add", "Content-Length: 80000\r\n"+headers)
			u.send(t, 70_000)
			return u
		}
		paused := []*upload{begin("A", first), begin("B", first)}
		if got := begin("C", first).wants(t, "one more", manyBodies); got.header.Get("Retry-After") != "1" {
			t.Errorf("got Retry-After %q, want 1", got.header.Get("Retry-After"))
		}
		paused = append(paused, begin("D", second))
		for _, u := range paused {
			u.send(t, 10_000)
			u.wants(t, "a body that paused", "201 ")
		}
		last := begin("E", first)
		last.send(t, 10_000)
		last.wants(t, "a body once there is room", "201 ")
	})
}
