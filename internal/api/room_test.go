package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"daybook/internal/api"
	"daybook/internal/wiretest"
)

const (
	manyBodies  = `503 {"error":"too many large bodies arrive at once; try again","code":"unavailable"}`
	manyAnswers = `503 {"error":"the large answers that clients are still reading fill the memory for answers; read them, or try again","code":"unavailable"}`
)

// serveWithRoom starts a server in a bubble. All large bodies of a client together, and all its large answers, may
// hold most bytes. In these tests that memory is called room.
func serveWithRoom(t *testing.T, most int64) *wiretest.Wire {
	t.Helper()
	s, w := open(t), wiretest.New()
	config := s.config()
	config.MostHeld = most
	serveHandlerOn(t, w, api.New(config))
	return w
}

// upload is a request for a currency whose body arrives in parts.
type upload struct {
	*line
	body string
	sent int
}

// newUpload begins a request for a currency with a body of that size.
func newUpload(t *testing.T, w *wiretest.Wire, code string, size int) *upload {
	t.Helper()
	u := &upload{line: lineOn(t, w), body: currencyOf(code, size)}
	u.begin(t, "POST /currency/add", fmt.Sprint("Content-Length: ", size))
	return u
}

// currencyOf returns a body of that size with a currency.
func currencyOf(code string, size int) string {
	const frame = `{"code":"","x":""}`
	return fmt.Sprintf(`{"code":%q,"x":%q}`, code, strings.Repeat("a", size-len(frame)-len(code)))
}

// send sends the next bytes, and returns when the server waits for more, or reads no more.
func (u *upload) send(t *testing.T, bytes int) {
	t.Helper()
	next := u.body[u.sent : u.sent+bytes]
	u.sent += bytes
	go func() { _, _ = io.WriteString(u, next) }() // the server may read no more
	synctest.Wait()
}

// wants reads an answer, whose status and body must begin with want.
func (l *line) wants(t *testing.T, name, want string) answer {
	t.Helper()
	got := l.answer(t)
	if text := fmt.Sprintf("%d %s", got.status, got.body); !strings.HasPrefix(text, want) {
		t.Errorf("%s: got %s, want %s", name, text, want)
	}
	return got
}

// TestNoRoomForABody: a large body is refused when there is no room for it. Small bodies are accepted.
func TestNoRoomForABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWithRoom(t, 64<<10)
		for i := range 3 {
			large := newUpload(t, w, "LARGE", 100_000)
			large.send(t, 100_000)
			if got := large.wants(t, "a body larger than the room", manyBodies); got.header.Get("Retry-After") != "1" {
				t.Errorf("got Retry-After %q, want 1", got.header.Get("Retry-After"))
			}
			code := fmt.Sprintf("SMALL%d", i)
			small := newUpload(t, w, code, 16<<10)
			small.send(t, 16<<10)
			small.wants(t, "a small body", "201 ")
		}
	})
}

// TestBodiesCountAsTheyArrive: only the bytes of a body that have arrived need room, not its
// Content-Length.
func TestBodiesCountAsTheyArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWithRoom(t, 300<<10)
		var declared []*upload
		for range 50 {
			u := newUpload(t, w, "DECLARED", 1<<20)
			u.send(t, 1_000)
			declared = append(declared, u)
		}
		whole := newUpload(t, w, "WHOLE", 100_000)
		whole.send(t, 100_000)
		whole.wants(t, "a body that has arrived", "201 ")
		for _, u := range declared {
			u.wants(t, "a body that does not come", slowBody)
		}
	})
}

// TestTheBytesOfABodyAreReleased: the room of a body is free again, however the body ends. Otherwise
// there would be no room for the last body.
func TestTheBytesOfABodyAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWithRoom(t, 300<<10)
		for i := range 5 {
			whole := newUpload(t, w, fmt.Sprint("WHOLE", i), 100_000)
			whole.send(t, 100_000)
			whole.wants(t, "a whole body", "201 ")
			wrong := newUpload(t, w, "", 100_000)
			wrong.send(t, 100_000)
			wrong.wants(t, "a body without a code", "400 ")
			slow := newUpload(t, w, "SLOW", 100_000)
			slow.send(t, 90_000)
			slow.wants(t, "a slow body", slowBody)
			broken := newUpload(t, w, "BROKEN", 100_000)
			broken.send(t, 90_000)
			if err := broken.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		last := newUpload(t, w, "LAST", 120_000)
		last.send(t, 120_000)
		last.wants(t, "the last body", "201 ")
	})
}

// TestAnAnswerThatIsNotTakenHoldsNoRoomForBodies: the room of a body is free when its answer is sent, and not when the
// client has taken the answer.
func TestAnAnswerThatIsNotTakenHoldsNoRoomForBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWithRoom(t, 68<<10) // enough for one such body, not for two
		var lines []*line
		for i := range 3 {
			body := fmt.Sprintf(`{"code":"A%d","type":"opex","description":"`, i) + strings.Repeat(`\u00e4`, 4000) + `"}`
			l := lineOn(t, w)
			l.begin(t, "POST /api/v1/gl-accounts", fmt.Sprint("Content-Length: ", len(body)))
			if _, err := io.WriteString(l, body); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // the answer is longer than the buffers of net/http
			lines = append(lines, l)
		}
		for i, l := range lines {
			l.wants(t, fmt.Sprint("body ", i), "201 ")
		}
	})
}

// TestTheTextOfAnErrorIsShort: an error repeats only the beginning of what a client sent, and not each of a
// thousand faults.
func TestTheTextOfAnErrorIsShort(t *testing.T) {
	s := serve(t)
	name := strings.Repeat("ä", 250_000)
	for _, c := range []struct{ method, target, body string }{
		{http.MethodPost, "/currency/add", fmt.Sprintf(`{"code":%q}`, name)},
		{http.MethodDelete, "/api/v1/departments/delete?" + strings.Repeat("id=a&", 2000), ""},
	} {
		if got := s.send(t, c.method, c.target, c.body, http.StatusBadRequest); len(got) > 20_000 {
			t.Errorf("%s: got %d bytes, want a short text", c.method, len(got))
		}
	}
}

// TestTooLargeABody: a body of 1 MiB is accepted, and one with a byte more is refused.
func TestTooLargeABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWithRoom(t, 0)
		for size, want := range map[int]string{1 << 20: "201 ", 1<<20 + 1: `413 {"error":"the body is larger than 1048576 bytes","code":"payload_too_large"}`} {
			u := newUpload(t, w, "EUR", size)
			u.send(t, size)
			u.wants(t, fmt.Sprint(size, " bytes"), want)
		}
	})
}

// largeAnswers are targets whose answers have more than 64 KiB: a page and a list.
var largeAnswers = []string{"/api/v1/trades?limit=1000", "/trade/list"}

// waits reports whether a client gets an answer of 200, so that the server waits for the client to read
// it. Otherwise it gets an error.
func waits(l *line) bool {
	head, err := l.answers.Peek(len("HTTP/1.1 200"))
	return err == nil && string(head) == "HTTP/1.1 200"
}

// TestTheErrorOfATooLargeResponseAsksForNoRetry: a response that is larger than the room of a client is refused
// even by an idle server. So its error has no Retry-After, and says what to request instead.
func TestTheErrorOfATooLargeResponseAsksForNoRetry(t *testing.T) {
	s := open(t)
	config := s.config()
	config.MostHeld = 1 << 20
	s.listen(t, api.New(config))
	description := strings.Repeat("\U0001F4D2", 4000) // 16,000 bytes
	for i := range 70 {
		s.create(t, "/api/v1/gl-accounts", object(t, map[string]any{"code": fmt.Sprint(i), "type": "opex", "description": description}))
	}
	got := s.do(t, request{method: http.MethodGet, target: "/api/v1/accounts?limit=1000"})
	const want = `{"error":"the answer would be larger than 1 MiB; ask for less by a filter or a smaller limit","code":"validation_failed"}`
	if got.status != http.StatusBadRequest || string(got.body) != want || got.header.Get("Retry-After") != "" {
		t.Errorf("got %d %.200s and Retry-After %q, want 400 %s and none", got.status, got.body, got.header.Get("Retry-After"), want)
	}
	if got := s.do(t, request{method: http.MethodGet, target: "/api/v1/accounts?limit=60"}); got.status != http.StatusOK || len(got.body) < 60*16_000 {
		t.Errorf("as a control, 60 of them: got %d with %d bytes, want 200 with all", got.status, len(got.body))
	}
}
