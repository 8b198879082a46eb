package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/api"
	"daybook/internal/wiretest"
)

const (
	pausedBody  = `408 {"error":"the body paused while others needed its memory; send it without pauses","code":"request_timeout"}`
	manyBodies  = `503 {"error":"too many large bodies arrive at once; try again","code":"unavailable"}`
	manyAnswers = `503 {"error":"the large answers that clients are still reading fill the memory for answers; try again","code":"unavailable"}`
)

// serveWithRoom starts a server in a bubble. All large bodies together, and all large answers together,
// may hold most bytes. In these tests that memory is called room.
func serveWithRoom(t *testing.T, most int64) (*server, *wiretest.Wire) {
	t.Helper()
	s, w := open(t), wiretest.New()
	config := s.config()
	config.MostHeld = most
	serveHandlerOn(t, w, api.New(config))
	return s, w
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

// TestTheBodyThatPausesMakesRoom: when there is no room for a large body, the server ends the body that
// has waited longest for its next byte, and no other.
func TestTheBodyThatPausesMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := serveWithRoom(t, 192<<10) // enough for two such bodies, not for three
		first, second := newUpload(t, w, "FIRST", 80_000), newUpload(t, w, "SECOND", 80_000)
		small := newUpload(t, w, "SMALL", 16<<10) // too small to count
		small.send(t, 16_000)
		first.send(t, 70_000)
		second.send(t, 60_000)
		second.send(t, 10_000)
		began := time.Now()
		third := newUpload(t, w, "THIRD", 80_000)
		third.send(t, 80_000)
		third.wants(t, "the third body", "201 ")
		got := first.wants(t, "the body that has waited longest", pausedBody)
		if took := time.Since(began); took != 0 || got.header.Get("Connection") != "close" {
			t.Errorf("got the body ended after %s with Connection %q, want at once and close", took, got.header.Get("Connection"))
		}
		first.closed(t)
		second.send(t, 10_000)
		second.wants(t, "the other body", "201 ")
		small.send(t, 384)
		small.wants(t, "a small body", "201 ")
		stored := 0
		for c, err := range s.store.Currencies(t.Context()) {
			if err != nil || c.Code == "FIRST" {
				t.Errorf("got %v, %v stored, want no FIRST", c, err)
			}
			stored++
		}
		if stored != 3 {
			t.Errorf("got %d stored, want 3", stored)
		}
	})
}

// TestNoRoomForABody: a large body is refused when there is no room for it and no other body that the
// server could end. Small bodies are accepted.
func TestNoRoomForABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := serveWithRoom(t, 64<<10)
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
		_, w := serveWithRoom(t, 192<<10)
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
		_, w := serveWithRoom(t, 160<<10)
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
		_, w := serveWithRoom(t, 64<<10) // enough for one such body, not for two
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
		{http.MethodPost, "/currency/add", fmt.Sprintf(`{%q:1,%q:2}`, name, name)},
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
		_, w := serveWithRoom(t, 0)
		for size, want := range map[int]string{1 << 20: "201 ", 1<<20 + 1: `413 {"error":"the body is larger than 1048576 bytes","code":"payload_too_large"}`} {
			u := newUpload(t, w, "EUR", size)
			u.send(t, size)
			u.wants(t, fmt.Sprint(size, " bytes"), want)
		}
	})
}

// TestABodyOfHTTP2MakesRoom: TestTheBodyThatPausesMakesRoom for streams of HTTP/2.
func TestABodyOfHTTP2MakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, url := serveHTTP2(t, 160<<10)
		paused, write := io.Pipe()
		first := make(chan string)
		go func() { first <- post(t, client, url, paused) }()
		go func() { _, _ = io.WriteString(write, currencyOf("FIRST", 100_000)[:90_000]) }()
		synctest.Wait()
		if got := post(t, client, url, strings.NewReader(currencyOf("SECOND", 100_000))); !strings.HasPrefix(got, "201 ") {
			t.Errorf("the second body: got %s, want 201", got)
		}
		if got := <-first; got != pausedBody {
			t.Errorf("the body that pauses: got %s, want %s", got, pausedBody)
		}
		_ = write.Close() // ends the goroutine that writes to it
	})
}

// post sends a currency, and returns the status and the body of the answer.
func post(t *testing.T, client *http.Client, url string, body io.Reader) string {
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/currency/add", body)
	if err != nil {
		t.Error(err)
		return ""
	}
	q.Host = publishedHost
	q.Header.Set("Content-Type", "application/json")
	response, err := client.Do(q)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.ProtoMajor != 2 {
		return fmt.Sprint(response.Proto, " ", err)
	}
	return fmt.Sprintf("%d %s", response.StatusCode, got)
}

// serveHTTP2 starts a server in a bubble and a client that uses HTTP/2.
func serveHTTP2(t *testing.T, most int64) (client *http.Client, url string) {
	t.Helper()
	s, w := open(t), wiretest.New()
	s.record(t, 1_000)
	config := s.config()
	config.MostHeld = most
	web := httptest.NewUnstartedServer(api.New(config))
	if err := web.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	web.Listener = w
	web.EnableHTTP2 = true
	web.StartTLS()
	t.Cleanup(web.Close)
	client = web.Client()
	transport, _ := client.Transport.(*http.Transport)
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) { return w.Dial() }
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 16 << 10} // so that little of an unread answer is sent
	return client, "https://example.com"
}

// largeAnswers are targets whose answers have more than 64 KiB: a page and a list.
var largeAnswers = []string{"/api/v1/trades?limit=1000", "/trade/list"}

// ask sends a request, and reads nothing of the answer.
func ask(t *testing.T, w *wiretest.Wire, path string) *line {
	t.Helper()
	l := lineOn(t, w)
	if _, err := fmt.Fprintf(l, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, publishedHost); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return l
}

// TestAnswersThatAreNotTakenMakeRoom: when there is no room for a large answer, it is refused. But if
// the client of another answer has read nothing for a second, the server cuts that answer off instead.
// Small answers need no room.
func TestAnswersThatAreNotTakenMakeRoom(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			s, w := serveWithRoom(t, 1<<20) // enough for some answers
			s.record(t, 1_000)
			var untaken []*line
			for {
				l := ask(t, w, path)
				if !waits(l) {
					got := l.wants(t, path, manyAnswers)
					if got.header.Get("Retry-After") != "1" {
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
			ask(t, w, "/currency/list").wants(t, "a small answer", "200 []")
			time.Sleep(time.Second)
			if got := ask(t, w, path).wants(t, path, "200 "); len(got.body) < 100_000 {
				t.Errorf("%s: got an answer of %d bytes, want all", path, len(got.body))
			}
			if readAll(untaken[0]) == nil {
				t.Errorf("%s: got the whole answer that waited longest, want it cut off", path)
			}
			for _, l := range untaken[1:] {
				l.wants(t, path, "200 ")
			}
		})
	}
}

// waits reports whether a client gets an answer of 200, so that the server waits for the client to read
// it. Otherwise it gets an error.
func waits(l *line) bool {
	head, err := l.answers.Peek(len("HTTP/1.1 200"))
	return err == nil && string(head) == "HTTP/1.1 200"
}

// readAll reads an answer to its end. It returns an error if the answer was cut off.
func readAll(l *line) error {
	got, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, got.Body)
	return errors.Join(err, got.Body.Close())
}

// TestReadersOfHTTP2MakeRoom: TestAnswersThatAreNotTakenMakeRoom for streams of HTTP/2.
func TestReadersOfHTTP2MakeRoom(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			client, url := serveHTTP2(t, 576<<10) // enough for one list, or for two pages
			untaken := get(t, client, url+path)
			if path != "/trade/list" {
				get(t, client, url+path)
			}
			synctest.Wait()
			if refused := get(t, client, url+path); refused.status != http.StatusServiceUnavailable {
				t.Errorf("%s: got %d, want 503", path, refused.status)
			}
			time.Sleep(time.Second)
			var reading sync.WaitGroup
			reading.Go(func() {
				taken := get(t, client, url+path)
				if body, err := io.ReadAll(taken.body); err != nil || taken.status != http.StatusOK || len(body) < 100_000 {
					t.Errorf("%s: got %d with %d bytes, %v, want all", path, taken.status, len(body), err)
				}
			})
			reading.Wait()
			if body, err := io.ReadAll(untaken.body); err == nil {
				t.Errorf("%s: got the whole answer that waited, with %d bytes, want it cut off", path, len(body))
			}
		})
	}
}

// begun is an answer whose body may still be arriving.
type begun struct {
	status int
	body   io.Reader
}

func get(t *testing.T, client *http.Client, url string) begun {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	q.Host = publishedHost
	response, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return begun{response.StatusCode, response.Body}
}

// TestTheErrorOfATooLargeResponseAsksForNoRetry: a response that is larger than all the room is refused
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
	const want = `{"error":"the response would be larger than the 1 MiB that all responses may hold; ask for less by a filter or a smaller limit","code":"validation_failed"}`
	if got.status != http.StatusBadRequest || string(got.body) != want || got.header.Get("Retry-After") != "" {
		t.Errorf("got %d %.200s and Retry-After %q, want 400 %s and none", got.status, got.body, got.header.Get("Retry-After"), want)
	}
	if got := s.do(t, request{method: http.MethodGet, target: "/api/v1/accounts?limit=60"}); got.status != http.StatusOK || len(got.body) < 60*16_000 {
		t.Errorf("as a control, 60 of them: got %d with %d bytes, want 200 with all", got.status, len(got.body))
	}
}
