package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/trading"
	"daybook/internal/wiretest"
)

// notebook is a journal of which a test says how far it is.
type notebook struct {
	*sqlite.Store

	mu     sync.Mutex
	head   journal.Seq
	failed error
	looks  int
	asked  []string // which entries it was asked about
}

func (n *notebook) JournalHead(context.Context) (journal.Head, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looks++
	return headOf(n.head), n.failed
}

func (n *notebook) JournalEntities(_ context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, fmt.Sprintf("%d-%d", after, through))
	return []journal.Entity{journal.Trades, journal.Actuals}, nil
}

func (n *notebook) set(head journal.Seq, failed error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.head, n.failed = head, failed
}

// looked is how often the head was read since it was asked last.
func (n *notebook) looked() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	looks := n.looks
	n.looks = 0
	return looks
}

// broadcast is a server in a bubble whose streams of events go on.
type broadcast struct {
	guarded
	notes  *notebook
	wire   *wiretest.Wire
	ending chan struct{}
}

// startBroadcast starts a server over a notebook; with tokens, it asks for them.
func startBroadcast(t *testing.T, tokens bool) *broadcast {
	t.Helper()
	s := open(t)
	b := &broadcast{guarded: guarded{server: s}, notes: &notebook{Store: s.store, head: 7}, wire: wiretest.New(), ending: make(chan struct{})}
	config := s.config()
	config.Journal, config.Ending, config.RequireToken = b.notes, b.ending, tokens
	config.TrustedProxies = proxies(t, "unix")
	b.keys = config.Authenticator
	serveHandlerOn(t, b.wire, api.New(config))
	return b
}

// listen asks for events and returns what follows the headers of a 200.
func (b *broadcast) listen(t *testing.T, headers ...string) *stream {
	t.Helper()
	l := lineOn(t, b.wire)
	headers = slices.DeleteFunc(slices.Clone(headers), func(h string) bool { return h == "" })
	request := "GET /api/v1/events HTTP/1.1\r\nHost: " + publishedHost + "\r\n" + strings.Join(append(headers, "", ""), "\r\n")
	if _, err := io.WriteString(l, request); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(l.answers, nil) //nolint:bodyclose // with its connection
	if err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "text/event-stream" || got.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d %q, want a stream that nobody keeps", got.StatusCode, got.Header)
	}
	return &stream{l, bufio.NewReader(got.Body)}
}

// stream is the events that come over a connection.
type stream struct {
	*line
	events *bufio.Reader
}

// next waits for what comes next, an event or a comment, "" at the end.
func (s *stream) next(t *testing.T) string {
	t.Helper()
	var event strings.Builder
	for {
		text, err := s.events.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF) && event.Len() == 0:
			return ""
		case err != nil:
			t.Fatalf("after %q: %v", event.String(), err)
		case text == "\n":
			return strings.TrimSuffix(event.String(), "\n")
		}
		event.WriteString(text)
	}
}

func (s *stream) want(t *testing.T, event string) {
	t.Helper()
	if got := s.next(t); got != event {
		t.Errorf("got %q, want %q", got, event)
	}
}

// told is an event as it is sent, of a notebook.
func told(seq journal.Seq, entities string) string { return toldAt(headOf(seq), entities) }

func toldAt(head journal.Head, entities string) string {
	return fmt.Sprintf("id: %d\nevent: changed\ndata: {\"seq\":%[1]d,\"hash\":%q,\"entities\":[%s]}", head.Seq, head.Hash, entities)
}

// headOf is the end of a notebook's chain after an entry.
func headOf(seq journal.Seq) journal.Head {
	return journal.Head{Seq: seq, Hash: journal.Hash{byte(seq)}}
}

const everyEntity = `"abandoned_heads","actuals","budget_lines","companies","currencies","departments","gl_accounts","revenues","tokens","trades"`

// TestEvents: who listens is told where the journal is, that it moves within a second and
// at most once in one, and nothing but that the stream is alive while it does not.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		s := b.listen(t)
		s.want(t, told(7, ""))
		began := time.Now()
		b.notes.set(9, nil)
		s.want(t, told(9, `"actuals","trades"`))
		if took := time.Since(began); took > time.Second {
			t.Errorf("told after %s, want a second at most", took)
		}
		for head := journal.Seq(10); head < 20; head++ {
			b.notes.set(head, nil)
			time.Sleep(100 * time.Millisecond)
		}
		s.want(t, told(19, `"actuals","trades"`))
		b.notes.set(50_000, nil) // too many to look at
		s.want(t, told(50_000, everyEntity))
		b.notes.set(60_000, fault.New(fault.Unavailable, "the disk does not answer"))
		s.want(t, ":")
		if since := time.Since(began); since%(15*time.Second) != 0 {
			t.Errorf("a sign of life after %s, want every 15 s", since)
		}
		b.notes.set(50_001, nil)
		s.want(t, told(50_001, `"actuals","trades"`))
		if got, want := fmt.Sprint(b.notes.asked), "[7-9 9-19 50000-50001]"; got != want {
			t.Errorf("the entries that were looked at: got %s, want %s", got, want)
		}
	})
}

// TestTheJournalIsLookedAtForWhoListens: once a second for all together, and not at all
// while nobody does.
func TestTheJournalIsLookedAtForWhoListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		time.Sleep(time.Minute)
		if got := b.notes.looked(); got != 0 {
			t.Errorf("nobody listens: got %d looks, want 0", got)
		}
		first, second := b.listen(t), b.listen(t)
		b.notes.looked()
		first.want(t, told(7, ""))
		second.want(t, told(7, ""))
		time.Sleep(10*time.Second + time.Millisecond)
		if got := b.notes.looked(); got != 10 {
			t.Errorf("two listen for 10 s: got %d looks, want 10", got)
		}
		for i, s := range []*stream{first, second} {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			b.notes.looked()
			time.Sleep(10 * time.Second)
			if got, want := b.notes.looked(), 10*(1-i); got != want {
				t.Errorf("%d listen for 10 s: got %d looks, want %d", 1-i, got, want)
			}
		}
		third := b.listen(t)
		third.want(t, told(7, ""))
		b.notes.set(8, nil)
		third.want(t, told(8, `"actuals","trades"`))
	})
}

// TestABrowserThatComesAgain: is told what changed since the event that it had.
func TestABrowserThatComesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		for last, want := range map[string]string{
			"3": `"actuals","trades"`, "0": `"actuals","trades"`, "": "", "x": "", "-1": everyEntity,
			"8": everyEntity, // of another database
		} {
			b.listen(t, "Last-Event-ID: "+last).want(t, told(7, want))
		}
	})
}

// TestASubscriberThatJoinsAfterAChangeIsToldOnce: another subscriber is told of the change later.
func TestASubscriberThatJoinsAfterAChangeIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		first := b.listen(t)
		first.want(t, told(7, ""))
		b.notes.set(8, nil)
		second := b.listen(t)
		second.want(t, told(8, ""))
		first.want(t, told(8, `"actuals","trades"`))
		b.notes.set(9, nil)
		second.want(t, told(9, `"actuals","trades"`))
	})
}

// TestASlowListenerIsToldOnce: of all that it has missed.
func TestASlowListenerIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		s := b.listen(t)
		time.Sleep(time.Second / 2)
		for head := journal.Seq(8); head < 18; head++ {
			b.notes.set(head, nil)
			time.Sleep(time.Second)
		}
		s.want(t, told(7, ""))
		s.want(t, told(8, `"actuals","trades"`)) // it was on its way: the wire holds nothing
		s.want(t, told(17, `"actuals","trades"`))
		if got := len(b.notes.asked); got != 10 {
			t.Errorf("got %d looks at entries, want 10", got)
		}
	})
}

// TestStreamsEndWithTheServer: at once, so that they do not hold it up.
func TestStreamsEndWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		s := b.listen(t)
		s.want(t, told(7, ""))
		began := time.Now()
		close(b.ending)
		s.want(t, "")
		if took := time.Since(began); took != 0 {
			t.Errorf("ended after %s, want at once", took)
		}
	})
}

// TestAStreamEndsWithItsToken: nobody is told of changes who may not know, and within 15
// seconds the stream is over.
func TestAStreamEndsWithItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, true)
		for _, change := range []bool{false, true} {
			secret, token, err := b.keys.Create(t.Context(), "feed", access.Read, 0)
			if err != nil {
				t.Fatal(err)
			}
			b.notes.set(7, nil)
			s := b.listen(t, "Authorization: Bearer "+string(secret))
			s.want(t, told(7, ""))
			if _, err := b.keys.Revoke(t.Context(), token.ID); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if change {
				b.notes.set(8, nil)
			}
			s.want(t, "")
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("ended after %s, want 15 s at most", took)
			}
		}
	})
}

// refused asks for events and wants no stream, but a status in JSON, and to be told when to
// come again.
func (b *broadcast) refused(t *testing.T, status int, headers ...string) {
	t.Helper()
	l := lineOn(t, b.wire)
	headers = slices.DeleteFunc(append(headers, "Accept: text/event-stream"), func(h string) bool { return h == "" })
	l.begin(t, "GET /api/v1/events", strings.Join(headers, "\r\n"))
	got := l.answer(t)
	if got.status != status || got.header.Get("Content-Type") != "application/json" || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %q %s, want %d in JSON", got.status, got.header, got.body, status)
	}
}

const (
	mostListeners = 256
	mostOfOne     = 64
)

// TestListenersAreBounded: over all who listen, one more is told to come again.
func TestListenersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		client := func(n int) string { return fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", n/mostOfOne) }
		streams := make([]*stream, mostListeners)
		for i := range streams {
			streams[i] = b.listen(t, client(i))
			streams[i].want(t, told(7, ""))
		}
		b.refused(t, http.StatusServiceUnavailable, client(mostListeners))
		if err := streams[0].Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		b.listen(t, client(mostListeners)).want(t, told(7, ""))
	})
}

// TestOneListenerHoldsAQuarter: whoever listens with one token, or where none is asked for
// from one address, leaves places to others.
func TestOneListenerHoldsAQuarter(t *testing.T) {
	forwarded := func(address string) string { return "X-Forwarded-For: " + address }
	for name, c := range map[string]struct {
		tokens      bool
		one, others []string
	}{
		"this machine": {one: []string{"", forwarded("127.0.0.1"), forwarded("::1")}, others: []string{forwarded("192.0.2.1")}},
		"IPv4":         {one: []string{forwarded("192.0.2.1")}, others: []string{"", forwarded("192.0.2.2")}},
		"IPv6":         {one: []string{forwarded("2001:db8:1:2::1"), forwarded("2001:db8:1:2:3::4")}, others: []string{forwarded("2001:db8:1:3::1")}},
		"a token":      {tokens: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := startBroadcast(t, c.tokens)
				if c.tokens {
					first, other := b.bearer(t), b.bearer(t)
					session := "Cookie: " + b.signIn(t, strings.TrimPrefix(first, "Authorization: Bearer "))
					c.one, c.others = []string{first, first + "\r\n" + forwarded("192.0.2.1"), session}, []string{other}
				}
				streams := make([]*stream, mostOfOne)
				for i := range streams {
					streams[i] = b.listen(t, c.one[i%len(c.one)])
					streams[i].want(t, told(7, ""))
				}
				for _, one := range c.one {
					b.refused(t, http.StatusTooManyRequests, one)
				}
				for _, other := range c.others {
					b.listen(t, other).want(t, told(7, ""))
				}
				if err := streams[0].Close(); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				b.listen(t, c.one[0]).want(t, told(7, ""))
				b.refused(t, http.StatusTooManyRequests, c.one[0])
			})
		})
	}
}

// TestARefusedListenerReadsNothing of the journal, and one that could not be told where the
// journal is has no share of the listeners.
func TestARefusedListenerReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		b.notes.set(7, fault.New(fault.Unavailable, "the disk does not answer"))
		for range mostOfOne + 1 {
			b.refused(t, http.StatusServiceUnavailable, "Last-Event-ID: 3")
		}
		b.notes.set(7, nil)
		for range mostOfOne {
			b.listen(t)
		}
		b.notes.looked()
		b.refused(t, http.StatusTooManyRequests, "Last-Event-ID: 3")
		if looks, asked := b.notes.looked(), b.notes.asked; looks != 0 || len(asked) != 0 {
			t.Errorf("got the head read %d times and the entries %v, want nothing read", looks, asked)
		}
		b.listen(t, "X-Forwarded-For: 192.0.2.1", "Last-Event-ID: 3")
		if !slices.Equal(b.notes.asked, []string{"3-7"}) {
			t.Errorf("the control: got the entries %v read for a listener, want 3-7", b.notes.asked)
		}
	})
}

// bearer is the header of a new token that may read.
func (b *broadcast) bearer(t *testing.T) string {
	t.Helper()
	secret, _, err := b.keys.Create(t.Context(), "feed", access.Read, 0)
	if err != nil {
		t.Fatal(err)
	}
	return "Authorization: Bearer " + string(secret)
}

// signIn returns the cookie of a session.
func (b *broadcast) signIn(t *testing.T, token string) string {
	t.Helper()
	l := lineOn(t, b.wire)
	body := `{"token":"` + token + `"}`
	l.begin(t, "POST /api/v1/session", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
	cookie, _, _ := strings.Cut(l.answer(t).header.Get("Set-Cookie"), ";")
	return cookie
}

// TestEventsThatCannotBegin: the error response is one, as of every other path.
func TestEventsThatCannotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBroadcast(t, false)
		b.notes.set(7, fault.New(fault.Unavailable, "the disk does not answer"))
		l := lineOn(t, b.wire)
		l.begin(t, "GET /api/v1/events", "Accept: text/event-stream")
		if got := l.answer(t); got.status != http.StatusServiceUnavailable || string(got.body) != `{"error":"the disk does not answer","code":"unavailable"}` {
			t.Errorf("got %d %s, want 503", got.status, got.body)
		}
		l.begin(t, "HEAD /api/v1/events", "Accept: text/event-stream")
		got, err := http.ReadResponse(l.answers, &http.Request{Method: http.MethodHead})
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Body.Close(); err != nil || got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("HEAD: got %d %q, %v, want 200 and the type alone", got.StatusCode, got.Header, err)
		}
	})
}

// TestWhatAnotherProcessWritesIsHeard, through the file that both have open.
func TestWhatAnotherProcessWritesIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		config := s.config()
		config.Ending = nil
		serveHandlerOn(t, w, api.New(config))
		b := &broadcast{guarded: guarded{server: s}, wire: w}
		events := b.listen(t)
		events.want(t, told(0, ""))

		other, err := sqlite.Open(t.Context(), s.path, func() time.Time { return frozen })
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }() // what matters was written
		if _, err := other.AddCurrency(t.Context(), trading.Currency{Code: "EUR", Name: "Euro"}); err != nil {
			t.Fatal(err)
		}
		events.want(t, toldAt(headNow(t, other), `"currencies"`))
		if _, err := other.AddCompany(t.Context(), trading.Company{Name: "Northwind"}); err != nil {
			t.Fatal(err)
		}
		events.want(t, toldAt(headNow(t, other), `"companies"`))
	})
}

func headNow(t *testing.T, j journal.Store) journal.Head {
	t.Helper()
	head, err := j.JournalHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return head
}
