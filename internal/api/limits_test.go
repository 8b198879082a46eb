package api_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/routers/gorillamux"

	"daybook/internal/api"
	"daybook/internal/wiretest"
)

// patience is how long a test waits for an answer. Only a broken server takes longer.
const patience = 5 * time.Minute

// bodyTime is how long a body may take by default. After a body that did not arrive in time, net/http
// keeps the connection open for linger, so that the client can read the answer.
const (
	bodyTime = 15 * time.Second
	linger   = 500 * time.Millisecond
)

// serveOnWire starts a server in a bubble, with no other limits than those on bodies.
func serveOnWire(t *testing.T) (*server, *wiretest.Wire) {
	t.Helper()
	s, w := open(t), wiretest.New()
	serveHandlerOn(t, w, api.New(s.config()))
	return s, w
}

func serveHandlerOn(t *testing.T, w *wiretest.Wire, h http.Handler) {
	t.Helper()
	web := &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)} //nolint:gosec // internal/server limits the time of headers
	ended := make(chan error)
	go func() { ended <- web.Serve(w) }()
	t.Cleanup(func() {
		if err := web.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		time.Sleep(time.Second) // in the bubble: net/http keeps connections with an unread body open for a while
	})
}

// line is a connection to which a test writes byte by byte.
type line struct {
	net.Conn
	answers *bufio.Reader
}

func lineOn(t *testing.T, w *wiretest.Wire) *line {
	t.Helper()
	c, err := w.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	if err := c.SetDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return &line{c, bufio.NewReader(c)}
}

// begin sends the headers of a request. framing is the header that says how long the body is.
func (l *line) begin(t *testing.T, request, framing string) {
	t.Helper()
	if _, err := fmt.Fprintf(l, "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n", request, publishedHost, framing); err != nil {
		t.Fatal(err)
	}
}

// sendSlowly sends a text byte by byte until that fails.
func (l *line) sendSlowly(text string, pause time.Duration) {
	for _, b := range []byte(text) {
		if _, err := l.Write([]byte{b}); err != nil {
			return // the server has closed the connection, or the test has ended
		}
		time.Sleep(pause)
	}
}

func (l *line) answer(t *testing.T) answer {
	t.Helper()
	got, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	header := got.Header
	if got.Close {
		header.Set("Connection", "close")
	}
	return answer{got.StatusCode, header, body}
}

// closed fails the test unless the server closes the connection.
func (l *line) closed(t *testing.T) {
	t.Helper()
	if _, err := l.answers.ReadByte(); err == nil {
		t.Error("got more than the answer, want the connection closed")
	} else if ne, is := errors.AsType[net.Error](err); is && ne.Timeout() {
		t.Error("got the connection kept open, want it closed")
	}
}

const slowBody = `408 {"error":"the body did not arrive in time; send it without pauses","code":"request_timeout"}`

// TestSlowBody: a body that arrives byte by byte is refused after bodyTime, and nothing of it is stored.
func TestSlowBody(t *testing.T) {
	router, err := gorillamux.NewRouter(publishedContract(t))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s, w := serveOnWire(t)
		const whole = `{"code":"EUR","name":"Euro"}`
		for _, c := range []struct{ framing, sent string }{
			{fmt.Sprintf("Content-Length: %d", len(whole)+10_000), whole + strings.Repeat(" ", 10_000)},
			{"Content-Length: 40", whole},
			{"Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n", len(whole), whole)},
			{"Transfer-Encoding: chunked", "1000\r\n" + whole + strings.Repeat(" ", 10_000)},
		} {
			l := lineOn(t, w)
			l.begin(t, "POST /currency/add", c.framing)
			began := time.Now()
			var sending sync.WaitGroup
			sending.Go(func() { l.sendSlowly(c.sent, 100*time.Millisecond) })
			got := l.answer(t)
			if took := time.Since(began); took != bodyTime {
				t.Errorf("%s: answered after %s, want %s", c.framing, took, bodyTime)
			}
			if text := fmt.Sprintf("%d %s", got.status, got.body); text != slowBody || got.header.Get("Connection") != "close" {
				t.Errorf("%s: got %s, Connection %q, want %s and close", c.framing, text, got.header.Get("Connection"), slowBody)
			}
			r := request{method: http.MethodPost, target: "/currency/add"}
			if err := conforms(t.Context(), router, exchange{r, got}); err != nil {
				t.Error(err)
			}
			l.closed(t)
			sending.Wait()
		}
		for c, err := range s.store.Currencies(t.Context()) {
			t.Errorf("got %v, %v stored, want nothing", c, err)
		}
	})
}

// TestBodyTimeIsOfTheBody: the time for the body stops when the body has arrived. It does not include
// the time between two requests.
func TestBodyTimeIsOfTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := serveOnWire(t)
		l := lineOn(t, w)
		for i := range 3 {
			body := fmt.Sprintf(`{"code":"EU%d"}`, i)
			l.begin(t, "POST /currency/add", fmt.Sprint("Content-Length: ", len(body)))
			l.sendSlowly(body, time.Second)
			if got := l.answer(t); got.status != http.StatusCreated {
				t.Fatalf("got %d %s, want 201", got.status, got.body)
			}
			time.Sleep(bodyTime)
		}
	})
}

// TestUnreadBody: a handler that reads no body answers although the body never comes to its end; the
// connection is then closed. A connection whose body arrived stays open for the next request.
func TestUnreadBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := serveOnWire(t)
		for _, r := range []string{"GET /currency/list", "POST /trade/list", "POST /positions/list", "GET /nowhere", "POST /nowhere"} {
			for _, framing := range []string{"Content-Length: 1000", "Content-Length: 1000000", "Transfer-Encoding: chunked", "Expect: 100-continue\r\nContent-Length: 1000"} {
				l := lineOn(t, w)
				l.begin(t, r, framing)
				var sending sync.WaitGroup
				sending.Go(func() { l.sendSlowly(`{`, 0) })
				began := time.Now()
				if got, want := l.answer(t).status, status(r); got != want {
					t.Errorf("%s, %s: got %d, want %d", r, framing, got, want)
				}
				l.closed(t)
				if took, most := time.Since(began), bodyTime+linger; took > most {
					t.Errorf("%s, %s: got the connection open for %s, want at most %s", r, framing, took, most)
				}
				sending.Wait()
			}
			l := lineOn(t, w)
			for range 2 {
				l.begin(t, r, "Content-Length: 2")
				l.sendSlowly(`{}`, 0)
				if got, want := l.answer(t).status, status(r); got != want {
					t.Errorf("%s with a body: got %d, want %d", r, got, want)
				}
			}
		}
	})
}

func status(request string) int {
	if strings.HasSuffix(request, "/nowhere") {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// TestBodyTimeByDefault: by default a body must arrive within 15 seconds.
func TestBodyTimeByDefault(t *testing.T) {
	w := &deadline{ResponseRecorder: httptest.NewRecorder()}
	q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+publishedHost+"/trade/list", strings.NewReader("{}"))
	began := time.Now()
	api.New(open(t).config()).ServeHTTP(w, q)
	if least, most := began.Add(15*time.Second), time.Now().Add(15*time.Second); w.reading.Before(least) || w.reading.After(most) {
		t.Errorf("got a deadline %s after the beginning, want 15 s", w.reading.Sub(began))
	}
}

// deadline is a response writer that records the read deadline.
type deadline struct {
	*httptest.ResponseRecorder
	reading time.Time
}

func (d *deadline) SetReadDeadline(t time.Time) error {
	d.reading = t
	return nil
}

// TestWritesBeyondThoseThatMayWait: while the writer is stopped, 1,024 writes of a client wait. One more
// is refused at once, and nothing of it is stored, so that a retry is safe.
func TestWritesBeyondThoseThatMayWait(t *testing.T) {
	const accepted, refused = 1024, 76
	var b barrier
	s := openAt(t, b.now)
	s.listen(t, api.New(s.config()))

	type outcome struct {
		code string
		answer
		err error
	}
	outcomes := make(chan outcome, accepted+refused)
	b.shut()
	open := sync.OnceFunc(b.open)
	defer open()
	for i := range accepted + refused {
		go func() {
			code := fmt.Sprintf("C%d", i)
			got, err := s.try(t, request{method: http.MethodPost, target: "/currency/add", body: []byte(`{"code":"` + code + `"}`)})
			outcomes <- outcome{code, got, err}
		}()
	}
	stored := map[string]bool{}
	for i := range accepted + refused {
		if i == refused {
			open() // all others were refused while the writer was stopped
		}
		got := <-outcomes
		if got.err != nil {
			t.Fatal(got.err)
		}
		stored[got.code] = got.status == http.StatusCreated
		const want = `503 1 {"error":"1024 writes of this client are waiting already; try again","code":"unavailable"}`
		if text := fmt.Sprintf("%d %s %s", got.status, got.header.Get("Retry-After"), got.body); i < refused && text != want {
			t.Fatalf("got %s, want %s", text, want)
		}
		if i >= refused && !stored[got.code] {
			t.Errorf("a write that waited: got %d %s, want 201", got.status, got.body)
		}
	}
	listed := read[[]struct{ Code string }](t, s.get(t, "/currency/list"))
	for _, c := range listed {
		if !stored[c.Code] {
			t.Errorf("got %s stored, want it not stored, because it was refused", c.Code)
		}
	}
	if got, want := len(listed), accepted; got != want {
		t.Errorf("got %d stored, want %d", got, want)
	}
}

// TestAnEmptyPathIsTheRoot: a request target with a host may have no path, which means "/" (RFC 9110,
// section 4.2.3).
func TestAnEmptyPathIsTheRoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := serveOnWire(t)
		for target, want := range map[string]int{"GET http://localhost": http.StatusOK, "GET http://localhost/": http.StatusOK, "GET http://localhost/nothing": http.StatusNotFound} {
			l := lineOn(t, w)
			l.begin(t, target, "Accept: text/html")
			if got := l.answer(t).status; got != want {
				t.Errorf("%s: got %d, want %d", target, got, want)
			}
		}
	})
}
