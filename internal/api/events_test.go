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

// fakeJournal is a journal whose head a test sets.
type fakeJournal struct {
	*sqlite.Store

	mu     sync.Mutex
	head   journal.Seq
	failed error
	reads  int
	ranges []string // the ranges of entries whose entities were read
}

func (n *fakeJournal) JournalHead(context.Context) (journal.Head, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reads++
	return headOf(n.head), n.failed
}

func (n *fakeJournal) JournalEntities(_ context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ranges = append(n.ranges, fmt.Sprintf("%d-%d", after, through))
	return []journal.Entity{journal.Trades, journal.Actuals}, nil
}

func (n *fakeJournal) set(head journal.Seq, failed error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.head, n.failed = head, failed
}

// headReads returns how often the head was read since the last call of headReads.
func (n *fakeJournal) headReads() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	looks := n.reads
	n.reads = 0
	return looks
}

// eventServer is a server in a bubble whose streams of events stay open.
type eventServer struct {
	guarded
	journal *fakeJournal
	wire    *wiretest.Wire
	ending  chan struct{}
}

// startEventServer starts a server with a fakeJournal whose head is 7. With tokens, it requires them.
func startEventServer(t *testing.T, tokens bool) *eventServer {
	t.Helper()
	s := open(t)
	b := &eventServer{guarded: guarded{server: s}, journal: &fakeJournal{Store: s.store, head: 7}, wire: wiretest.New(), ending: make(chan struct{})}
	config := s.config()
	config.Journal, config.Ending, config.RequireToken = b.journal, b.ending, tokens
	config.Known = proxies(t, "unix")
	b.keys = config.Authenticator
	serveHandlerOn(t, b.wire, api.New(config))
	return b
}

// listen requests the stream of events, which must be answered with 200.
func (b *eventServer) listen(t *testing.T, headers ...string) *stream {
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
		t.Fatalf("got %d %q, want 200, text/event-stream and no-store", got.StatusCode, got.Header)
	}
	return &stream{l, bufio.NewReader(got.Body)}
}

// stream is a connection on which events arrive.
type stream struct {
	*line
	events *bufio.Reader
}

// next waits for the next event or comment, and returns it, "" at the end of the stream.
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

// eventOf returns the bytes of an event for an entry of a fakeJournal.
func eventOf(seq journal.Seq, entities string) string { return eventAt(headOf(seq), entities) }

func eventAt(head journal.Head, entities string) string {
	return fmt.Sprintf("id: %d\nevent: changed\ndata: {\"seq\":%[1]d,\"hash\":%q,\"entities\":[%s]}", head.Seq, head.Hash, entities)
}

// headOf returns the head of a fakeJournal after an entry.
func headOf(seq journal.Seq) journal.Head {
	return journal.Head{Seq: seq, Hash: journal.Hash{byte(seq)}}
}

const everyEntity = `"abandoned_heads","actuals","batches","budget_lines","companies","currencies","departments","gl_accounts","maps","restores","revenues","tokens","trades"`

// TestEvents: the first event of a stream has the head of the journal. A change is sent within a second,
// and there is at most one event a second. Without a change only a comment is sent every 15 s, which
// shows that the stream is alive.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		s := b.listen(t)
		s.want(t, eventOf(7, ""))
		began := time.Now()
		b.journal.set(9, nil)
		s.want(t, eventOf(9, `"actuals","trades"`))
		if took := time.Since(began); took > time.Second {
			t.Errorf("got the event after %s, want it within a second", took)
		}
		for head := journal.Seq(10); head < 20; head++ {
			b.journal.set(head, nil)
			time.Sleep(100 * time.Millisecond)
		}
		s.want(t, eventOf(19, `"actuals","trades"`))
		b.journal.set(50_000, nil) // too many entries to read
		s.want(t, eventOf(50_000, everyEntity))
		b.journal.set(60_000, fault.New(fault.Unavailable, "the disk does not answer"))
		s.want(t, ":")
		if since := time.Since(began); since%(15*time.Second) != 0 {
			t.Errorf("got a comment after %s, want one every 15 s", since)
		}
		b.journal.set(50_001, nil)
		s.want(t, eventOf(50_001, `"actuals","trades"`))
		if got, want := fmt.Sprint(b.journal.ranges), "[7-9 9-19 50000-50001]"; got != want {
			t.Errorf("got the entries %s read, want %s", got, want)
		}
	})
}

// TestTheJournalIsLookedAtForWhoListens: the head of the journal is read once a second for all streams
// together, and not at all while no stream is open.
func TestTheJournalIsLookedAtForWhoListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		time.Sleep(time.Minute)
		if got := b.journal.headReads(); got != 0 {
			t.Errorf("without a stream: got the head read %d times, want 0", got)
		}
		first, second := b.listen(t), b.listen(t)
		b.journal.headReads()
		first.want(t, eventOf(7, ""))
		second.want(t, eventOf(7, ""))
		time.Sleep(10*time.Second + time.Millisecond)
		if got := b.journal.headReads(); got != 10 {
			t.Errorf("with two streams for 10 s: got the head read %d times, want 10", got)
		}
		for i, s := range []*stream{first, second} {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			b.journal.headReads()
			time.Sleep(10 * time.Second)
			if got, want := b.journal.headReads(), 10*(1-i); got != want {
				t.Errorf("with %d streams for 10 s: got the head read %d times, want %d", 1-i, got, want)
			}
		}
		third := b.listen(t)
		third.want(t, eventOf(7, ""))
		b.journal.set(8, nil)
		third.want(t, eventOf(8, `"actuals","trades"`))
	})
}

// TestABrowserThatComesAgain: a browser that connects again sends the id of its last event. Its first
// event names what has changed since.
func TestABrowserThatComesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		for last, want := range map[string]string{
			"3": `"actuals","trades"`, "0": `"actuals","trades"`, "": "", "x": "", "-1": everyEntity,
			"8": everyEntity, // of another database
		} {
			b.listen(t, "Last-Event-ID: "+last).want(t, eventOf(7, want))
		}
	})
}

// TestASubscriberThatJoinsAfterAChangeIsToldOnce: a stream that begins after a change has that change in
// its first event only. An older stream gets the change as an event of its own.
func TestASubscriberThatJoinsAfterAChangeIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		first := b.listen(t)
		first.want(t, eventOf(7, ""))
		b.journal.set(8, nil)
		second := b.listen(t)
		second.want(t, eventOf(8, ""))
		first.want(t, eventOf(8, `"actuals","trades"`))
		b.journal.set(9, nil)
		second.want(t, eventOf(9, `"actuals","trades"`))
	})
}

// TestASlowListenerIsToldOnce: a client that reads slowly gets one event for all the changes that it
// missed.
func TestASlowListenerIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		s := b.listen(t)
		time.Sleep(time.Second / 2)
		for head := journal.Seq(8); head < 18; head++ {
			b.journal.set(head, nil)
			time.Sleep(time.Second)
		}
		s.want(t, eventOf(7, ""))
		s.want(t, eventOf(8, `"actuals","trades"`)) // the server was sending it already: the wire has no buffer
		s.want(t, eventOf(17, `"actuals","trades"`))
		if got := len(b.journal.ranges); got != 10 {
			t.Errorf("got the entries read %d times, want 10", got)
		}
	})
}

// TestStreamsEndWithTheServer: a shutdown ends the streams at once, so that the server need not wait for
// them.
func TestStreamsEndWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		s := b.listen(t)
		s.want(t, eventOf(7, ""))
		began := time.Now()
		close(b.ending)
		s.want(t, "")
		if took := time.Since(began); took != 0 {
			t.Errorf("ended after %s, want at once", took)
		}
	})
}

// TestAStreamEndsWithItsToken: after its token is revoked, a stream gets no more events, and ends within
// 15 seconds.
func TestAStreamEndsWithItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, true)
		for _, change := range []bool{false, true} {
			secret, token, err := b.keys.Create(t.Context(), "feed", access.Read, 0)
			if err != nil {
				t.Fatal(err)
			}
			b.journal.set(7, nil)
			s := b.listen(t, "Authorization: Bearer "+string(secret))
			s.want(t, eventOf(7, ""))
			if _, err := b.keys.Revoke(t.Context(), token.ID); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if change {
				b.journal.set(8, nil)
			}
			s.want(t, "")
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("got the end after %s, want it within 15 s", took)
			}
		}
	})
}

// refused requests the stream of events. The answer must be an error in JSON with that status and a
// Retry-After.
func (b *eventServer) refused(t *testing.T, status int, headers ...string) {
	t.Helper()
	l := lineOn(t, b.wire)
	headers = slices.DeleteFunc(append(headers, "Accept: text/event-stream"), func(h string) bool { return h == "" })
	l.begin(t, "GET /api/v1/events", strings.Join(headers, "\r\n"))
	got := l.answer(t)
	if got.status != status || got.header.Get("Content-Type") != "application/json" || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %q %s, want %d in JSON, and a Retry-After", got.status, got.header, got.body, status)
	}
}

const (
	mostListeners = 256
	mostOfOne     = 64
)

// TestListenersAreBounded: when 256 streams are open, one more is refused with 503. When one of them
// ends, it is accepted.
func TestListenersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		client := func(n int) string { return fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", n/mostOfOne) }
		streams := make([]*stream, mostListeners)
		for i := range streams {
			streams[i] = b.listen(t, client(i))
			streams[i].want(t, eventOf(7, ""))
		}
		b.refused(t, http.StatusServiceUnavailable, client(mostListeners))
		if err := streams[0].Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		b.listen(t, client(mostListeners)).want(t, eventOf(7, ""))
	})
}

// TestOneListenerHoldsAQuarter: one client can have at most 64 streams, a quarter of all. A client is a
// token with its sessions, or, if no tokens are required, an address.
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
				b := startEventServer(t, c.tokens)
				if c.tokens {
					first, other := b.bearer(t), b.bearer(t)
					session := "Cookie: " + b.signIn(t, strings.TrimPrefix(first, "Authorization: Bearer "))
					c.one, c.others = []string{first, first + "\r\n" + forwarded("192.0.2.1"), session}, []string{other}
				}
				streams := make([]*stream, mostOfOne)
				for i := range streams {
					streams[i] = b.listen(t, c.one[i%len(c.one)])
					streams[i].want(t, eventOf(7, ""))
				}
				for _, one := range c.one {
					b.refused(t, http.StatusTooManyRequests, one)
				}
				for _, other := range c.others {
					b.listen(t, other).want(t, eventOf(7, ""))
				}
				if err := streams[0].Close(); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				b.listen(t, c.one[0]).want(t, eventOf(7, ""))
				b.refused(t, http.StatusTooManyRequests, c.one[0])
			})
		})
	}
}

// TestARefusedListenerReadsNothing: for a refused stream the server reads nothing from the journal. A
// stream that could not begin, because the head could not be read, does not count as open.
func TestARefusedListenerReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		b.journal.set(7, fault.New(fault.Unavailable, "the disk does not answer"))
		for range mostOfOne + 1 {
			b.refused(t, http.StatusServiceUnavailable, "Last-Event-ID: 3")
		}
		b.journal.set(7, nil)
		for range mostOfOne {
			b.listen(t)
		}
		b.journal.headReads()
		b.refused(t, http.StatusTooManyRequests, "Last-Event-ID: 3")
		if looks, asked := b.journal.headReads(), b.journal.ranges; looks != 0 || len(asked) != 0 {
			t.Errorf("got the head read %d times and the entries %v, want nothing read", looks, asked)
		}
		b.listen(t, "X-Forwarded-For: 192.0.2.1", "Last-Event-ID: 3")
		if !slices.Equal(b.journal.ranges, []string{"3-7"}) {
			t.Errorf("as a control, an accepted stream: got the entries %v read, want 3-7", b.journal.ranges)
		}
	})
}

// bearer returns the header of a new token that may read.
func (b *eventServer) bearer(t *testing.T) string {
	t.Helper()
	secret, _, err := b.keys.Create(t.Context(), "feed", access.Read, 0)
	if err != nil {
		t.Fatal(err)
	}
	return "Authorization: Bearer " + string(secret)
}

// signIn returns the cookie of a session.
func (b *eventServer) signIn(t *testing.T, token string) string {
	t.Helper()
	l := lineOn(t, b.wire)
	body := `{"token":"` + token + `"}`
	l.begin(t, "POST /api/v1/session", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
	cookie, _, _ := strings.Cut(l.answer(t).header.Get("Set-Cookie"), ";")
	return cookie
}

// TestEventsThatCannotBegin: if the head cannot be read, the answer is an error in JSON, as for every
// other path. HEAD gets only the headers.
func TestEventsThatCannotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		b.journal.set(7, fault.New(fault.Unavailable, "the disk does not answer"))
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
			t.Errorf("HEAD: got %d %q, %v, want 200 and text/event-stream", got.StatusCode, got.Header, err)
		}
	})
}

// TestWhatAnotherProcessWritesIsHeard: a stream gets events also for changes that another process makes
// in the database file.
func TestWhatAnotherProcessWritesIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := open(t), wiretest.New()
		config := s.config()
		config.Ending = nil
		serveHandlerOn(t, w, api.New(config))
		b := &eventServer{guarded: guarded{server: s}, wire: w}
		events := b.listen(t)
		events.want(t, eventOf(0, ""))

		other, err := sqlite.Open(t.Context(), s.path, func() time.Time { return frozen })
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }()
		if _, err := other.AddCurrency(t.Context(), trading.Currency{Code: "EUR", Name: "Euro"}); err != nil {
			t.Fatal(err)
		}
		events.want(t, eventAt(headNow(t, other), `"currencies"`))
		if _, err := other.AddCompany(t.Context(), trading.Company{Name: "Northwind"}); err != nil {
			t.Fatal(err)
		}
		events.want(t, eventAt(headNow(t, other), `"companies"`))
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
