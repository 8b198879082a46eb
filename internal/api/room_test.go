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

// serveWithRoom starts a server in a bubble, whose large bodies, and whose large answers,
// may hold some bytes.
func serveWithRoom(t *testing.T, most int64) (*server, *wiretest.Wire) {
	t.Helper()
	s, w := open(t), wiretest.New()
	config := s.config()
	config.MostHeld = most
	serveHandlerOn(t, w, api.New(config))
	return s, w
}

// upload is a currency that arrives with a large body.
type upload struct {
	*line
	body string
	sent int
}

// newUpload begins a request for a currency whose body has some bytes.
func newUpload(t *testing.T, w *wiretest.Wire, code string, size int) *upload {
	t.Helper()
	u := &upload{line: lineOn(t, w), body: currencyOf(code, size)}
	u.begin(t, "POST /currency/add", fmt.Sprint("Content-Length: ", size))
	return u
}

// currencyOf is a currency in a body of some bytes.
func currencyOf(code string, size int) string {
	const frame = `{"code":"","x":""}`
	return fmt.Sprintf(`{"code":%q,"x":%q}`, code, strings.Repeat("a", size-len(frame)-len(code)))
}

// send sends the next bytes, and returns when the server waits for more, or takes no more.
func (u *upload) send(t *testing.T, bytes int) {
	t.Helper()
	next := u.body[u.sent : u.sent+bytes]
	u.sent += bytes
	go func() { _, _ = io.WriteString(u, next) }() // the server may take no more
	synctest.Wait()
}

// wants complains when the answer is another.
func (l *line) wants(t *testing.T, name, want string) answer {
	t.Helper()
	got := l.answer(t)
	if text := fmt.Sprintf("%d %s", got.status, got.body); !strings.HasPrefix(text, want) {
		t.Errorf("%s: got %s, want %s", name, text, want)
	}
	return got
}

// TestTheBodyThatPausesMakesRoom: when there is no room for a large body, the one that
// has waited longest for its next byte is ended, and only that one.
func TestTheBodyThatPausesMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := serveWithRoom(t, 192<<10) // of two such bodies, not of three
		first, second := newUpload(t, w, "FIRST", 80_000), newUpload(t, w, "SECOND", 80_000)
		small := newUpload(t, w, "SMALL", 16<<10) // is outside the room
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
			t.Errorf("got it ended after %s with Connection %q, want at once and close", took, got.header.Get("Connection"))
		}
		first.closed(t)
		second.send(t, 10_000)
		second.wants(t, "the other body", "201 ")
		small.send(t, 384)
		small.wants(t, "a small body", "201 ")
		stored := 0
		for c, err := range s.store.Currencies(t.Context()) {
			if err != nil || c.Code == "FIRST" {
				t.Errorf("got %v, %v stored", c, err)
			}
			stored++
		}
		if stored != 3 {
			t.Errorf("got %d stored, want 3", stored)
		}
	})
}

// TestNoRoomForABody: a large body for which there is no room, and that no other waits
// for its client to make, is refused; small ones are not.
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

// TestBodiesCountAsTheyArrive, and not as they are declared.
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

// TestTheBytesOfABodyAreReleased however a body ends. Otherwise the last body would get no bytes.
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

// TestTooLargeABody is refused with its first byte beyond 1 MiB.
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

// TestABodyOfHTTP2MakesRoom: of a stream as of a connection.
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
		_ = write.Close() // nobody reads it any more
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

// serveHTTP2 starts a server in a bubble that a client speaks HTTP/2 to.
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
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 16 << 10} // of an answer that is not read
	return client, "https://example.com"
}

// largeAnswers are answers of more than 64 KiB: a page, and a list.
var largeAnswers = []string{"/api/v1/trades?limit=1000", "/trade/list"}

// ask asks for an answer, and takes none of it.
func ask(t *testing.T, w *wiretest.Wire, path string) *line {
	t.Helper()
	l := lineOn(t, w)
	if _, err := fmt.Fprintf(l, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, publishedHost); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return l
}

// TestAnswersThatAreNotTakenMakeRoom: when there is no room for a large answer, it is
// refused; but one that was not taken for a second is cut for it. Small ones are answered.
func TestAnswersThatAreNotTakenMakeRoom(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			s, w := serveWithRoom(t, 1<<20) // of some answers
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
					t.Fatalf("%s: there is room for more than %d answers", path, len(untaken)-1)
				}
			}
			if len(untaken) < 2 {
				t.Fatalf("%s: got room for %d answers, want for two at least", path, len(untaken))
			}
			ask(t, w, "/currency/list").wants(t, "a small answer", "200 []")
			time.Sleep(time.Second)
			if got := ask(t, w, path).wants(t, path, "200 "); len(got.body) < 100_000 {
				t.Errorf("%s: got an answer of %d bytes, want all", path, len(got.body))
			}
			if readAll(untaken[0]) == nil {
				t.Errorf("%s: the answer that waited longest is whole, want it cut", path)
			}
			for _, l := range untaken[1:] {
				l.wants(t, path, "200 ")
			}
		})
	}
}

// waits reports whether the server has the head of an answer for a client, and then
// waits for it to take more: an error response is short and comes at once.
func waits(l *line) bool {
	head, err := l.answers.Peek(len("HTTP/1.1 200"))
	return err == nil && string(head) == "HTTP/1.1 200"
}

// readAll reads a whole answer, or fails where it was cut.
func readAll(l *line) error {
	got, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, got.Body)
	return errors.Join(err, got.Body.Close())
}

// TestReadersOfHTTP2MakeRoom: of a stream as of a connection.
func TestReadersOfHTTP2MakeRoom(t *testing.T) {
	for _, path := range largeAnswers {
		synctest.Test(t, func(t *testing.T) {
			client, url := serveHTTP2(t, 576<<10) // of one list, or of two pages
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
				t.Errorf("%s: the answer that waited is whole with %d bytes, want it cut", path, len(body))
			}
		})
	}
}

// begun is an answer whose body may not have arrived.
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

// TestTheErrorOfATooLargeResponseAsksForNoRetry: an idle server refuses it too, so the error says what
// to do in place of a retry.
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
		t.Errorf("the control, 60 of them: got %d with %d bytes, want 200 with all", got.status, len(got.body))
	}
}
