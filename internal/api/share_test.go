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

// TestNoTokenHoldsAllRoomForAnswers: the large answers of one token use all the room. For an answer of
// another token the server cuts one of them off. It cuts off none of the other token for one more answer
// of the first.
func TestNoTokenHoldsAllRoomForAnswers(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			s, w, first, second := serveTwo(t, 2<<20) // enough for some answers
			s.record(t, 1_000)
			var untaken []*line
			for {
				l := asks(t, w, path, first)
				if !waits(l) {
					l.wants(t, path, manyAnswers)
					break
				}
				if untaken = append(untaken, l); len(untaken) > 20 {
					t.Fatalf("%s: got room for %d answers, want for at most 20", path, len(untaken))
				}
			}
			if len(untaken) < 3 {
				t.Fatalf("%s: got room for %d answers, want for at least 3", path, len(untaken))
			}
			slow := asks(t, w, path, second)
			if !waits(slow) {
				slow.wants(t, path+" of the other token", "200 ")
			}
			if readAll(untaken[0]) == nil {
				t.Errorf("%s: got the whole answer that waited longest, want it cut off", path)
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

// TestABodyMakesNoRoomForATokenThatHoldsMore: a body that pauses is not ended for a token that holds
// more room than its own token. It is ended for a token that holds less.
func TestABodyMakesNoRoomForATokenThatHoldsMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w, first, second := serveTwo(t, 240<<10) // enough for three such bodies, not for four
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

// TestTwoLargeAnswersDoNotEndEachOther: there is room for one large answer. A second one, of another
// token, is refused with Retry-After, and the first is not cut off.
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
