package api_test

import (
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/text"
	"daybook/internal/wiretest"
)

// serveTwo starts a server in a bubble whose large bodies, and whose large answers, may hold
// some bytes. It returns the headers of two tokens.
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

// asks asks for an answer with headers of its own, and takes none of it.
func asks(t *testing.T, w *wiretest.Wire, path, headers string) *line {
	t.Helper()
	l := lineOn(t, w)
	l.begin(t, "GET "+path, headers)
	synctest.Wait()
	return l
}

// TestNoTokenHoldsAllRoomForAnswers: where the large answers of one token leave no room, one
// of them is cut for another token, and none of that token's for one more of the first.
func TestNoTokenHoldsAllRoomForAnswers(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			s, w, first, second := serveTwo(t, 2<<20) // of some answers
			s.record(t, 1_000)
			var untaken []*line
			for {
				l := asks(t, w, path, first)
				if !waits(l) {
					l.wants(t, path, manyAnswers)
					break
				}
				if untaken = append(untaken, l); len(untaken) > 20 {
					t.Fatalf("%s: there is room for more than %d answers", path, len(untaken)-1)
				}
			}
			if len(untaken) < 3 {
				t.Fatalf("%s: got room for %d answers, want for three at least", path, len(untaken))
			}
			slow := asks(t, w, path, second)
			if !waits(slow) {
				slow.wants(t, path+" of the other token", "200 ")
			}
			if readAll(untaken[0]) == nil {
				t.Errorf("%s: the answer that waited longest is whole, want it cut", path)
			}
			asks(t, w, path, first).wants(t, path+" once more", manyAnswers)
			untaken[1].wants(t, path, "200 ")
			time.Sleep(time.Second)
			for range 2 * len(untaken) {
				if l := asks(t, w, path, first); !waits(l) {
					l.wants(t, path, manyAnswers)
				}
			}
			slow.wants(t, path+" of the token that holds less", "200 ")
		})
	}
}

// TestABodyMakesNoRoomForATokenThatHoldsMore, however long it pauses. It does for one that
// holds less.
func TestABodyMakesNoRoomForATokenThatHoldsMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w, first, second := serveTwo(t, 240<<10) // of three such bodies, not of four
		begin := func(code, headers string) *upload {
			u := &upload{line: lineOn(t, w), body: currencyOf(code, 80_000)}
			u.begin(t, "POST /currency/add", "Content-Length: 80000\r\n"+headers)
			u.send(t, 70_000)
			time.Sleep(time.Second)
			return u
		}
		paused := begin("PAUSED", second)
		oldest, other := begin("OLDEST", first), begin("OTHER", first)
		last := begin("LAST", first)
		oldest.wants(t, "the body of the token that holds more, which has waited longest", pausedBody)
		own := begin("OWN", second)
		other.wants(t, "the next of them", pausedBody)
		for _, u := range []*upload{paused, last, own} {
			u.send(t, 10_000)
			u.wants(t, "a body that was not ended", "201 ")
		}
	})
}

// TestTwoLargeAnswersDoNotEndEachOther: where there is room for one, the other token is told to
// try again, and the first answer is whole.
func TestTwoLargeAnswersDoNotEndEachOther(t *testing.T) {
	const path = "/api/v1/trades?limit=1000"
	synctest.Test(t, func(t *testing.T) {
		s, w, first, second := serveTwo(t, 320<<10)
		s.record(t, 1_000)
		begun := asks(t, w, path, first)
		asks(t, w, path, second).wants(t, path+" beside another", manyAnswers)
		begun.wants(t, path, "200 ")
		asks(t, w, path, second).wants(t, path+" after it", "200 ")
	})
}
