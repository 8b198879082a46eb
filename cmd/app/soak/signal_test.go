package soak_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// How many requests have begun when the signal comes, and how many more come with it.
const inFlight, late = 200, 50

// drainTime is how long the server waits for them.
const drainTime = 8 * time.Second

// TestDrain: after SIGTERM each request that has begun is answered and stored, or
// refused and not stored, and the process exits with 0.
func TestDrain(t *testing.T) {
	rounds := times(2, 50)
	answered, refused := 0, 0
	for range rounds {
		drained := endWithRequests(t, syscall.SIGTERM)
		for again := 0; !*soak && drained.cut > 0 && drained.took >= drainTime && again < 5; again++ {
			drained = endWithRequests(t, syscall.SIGTERM) // the machine was too busy to end them in time
		}
		for _, complaint := range drained.complaints() {
			t.Error(complaint)
		}
		answered += drained.answered
		refused += drained.refused
	}
	control := endWithRequests(t, syscall.SIGKILL).complaints()
	if len(control) == 0 {
		t.Error("nothing was found wrong with a process that was killed")
	}
	figure{
		"SIGTERM with 200 requests in flight", fmt.Sprintf("%d rounds: each answered and stored, or refused and not; exit 0", rounds),
		fmt.Sprintf("%d rounds, %d of %d answered and stored, %d refused and not; exit 0", rounds, answered, rounds*inFlight, refused),
		"SIGKILL: " + strings.Join(control, "; "),
	}.report(t)
}

// ending is how a process ended that had requests in flight: of those, how many were
// answered, refused or cut; and of all, which were stored against what was answered.
type ending struct {
	err                     error
	took                    time.Duration // from the signal on
	log                     int64         // the size of the write-ahead log that is left
	answered, refused, cut  int
	storedNotAnswered, lost []int64
}

func (e ending) complaints() (wrong []string) {
	if e.err != nil {
		wrong = append(wrong, e.err.Error())
	}
	if e.log > 0 {
		wrong = append(wrong, fmt.Sprintf("the write-ahead log is left, with %d bytes", e.log))
	}
	if e.cut > 0 {
		wrong = append(wrong, fmt.Sprintf("%d requests were cut", e.cut))
	}
	if len(e.storedNotAnswered) > 0 {
		wrong = append(wrong, fmt.Sprintf("stored and not answered: %v", e.storedNotAnswered))
	}
	if len(e.lost) > 0 {
		wrong = append(wrong, fmt.Sprintf("answered and not stored: %v", e.lost))
	}
	return wrong
}

// endWithRequests sends a signal to a server that is in the midst of requests, lets
// these go on, and compares the answers with what is stored at the next start.
func endWithRequests(t *testing.T, s os.Signal) (e ending) {
	t.Helper()
	db := newFile(t)
	server := serve(t, db)
	requests := make([]*halfRequest, inFlight)
	for i := range requests {
		requests[i] = begin(t, server.base, int64(i+1))
	}
	statuses := make([]int, inFlight+late)
	var finishing sync.WaitGroup
	for i := range late {
		finishing.Go(func() { statuses[inFlight+i] = addTrade(t, server.client, int64(inFlight+i+1)) })
	}
	began := time.Now()
	server.signal(t, s)
	waitUntilClosed(t, server.base)
	for i, r := range requests {
		finishing.Go(func() { statuses[i] = r.finish() })
	}
	finishing.Wait()
	if !server.endsWithin(patience) {
		t.Fatal("the process does not end")
	}
	e.err, e.took, e.log = server.err, time.Since(began), logSize(t, db)
	e.judge(statuses, storedShares(t, db))
	return e
}

// judge compares what was answered with what is stored.
func (e *ending) judge(statuses []int, stored map[int64]bool) {
	for i, status := range statuses {
		shares := int64(i + 1)
		switch {
		case status == http.StatusCreated && !stored[shares]:
			e.lost = append(e.lost, shares)
		case status != http.StatusCreated && stored[shares]:
			e.storedNotAnswered = append(e.storedNotAnswered, shares)
		}
		switch {
		case i >= inFlight: // it may have come too late
		case status == http.StatusCreated:
			e.answered++
		case status == 0:
			e.cut++
		default:
			e.refused++
		}
	}
}

// addTrade adds a trade of some shares, and returns the status of the answer, 0 when
// none comes.
func addTrade(t *testing.T, c *client, shares int64) int {
	got, err := c.do(t.Context(), http.MethodPost, "/trade/add", tradeOf(shares), "")
	if err != nil {
		return 0
	}
	return got.status
}

func tradeOf(shares int64) string {
	return fmt.Sprintf(`{"symbol":"S%d","currency_code":"EUR","shares":%d,"product":0,"type":true,"price":1}`, shares%7, shares)
}

// storedShares are the shares of the trades in a database.
func storedShares(t *testing.T, db string) map[int64]bool {
	t.Helper()
	server := serve(t, db)
	defer server.kill()
	stored := map[int64]bool{}
	for _, trade := range decoded[[]struct{ Shares int64 }](t, server.get(t, "/trade/list")) {
		stored[trade.Shares] = true
	}
	return stored
}

// TestSecondSignal: a second signal ends the process, whatever is in flight. In the long form
// it does so at once. A process that has waited for the request exits by itself, which is
// told from an end by a signal.
func TestSecondSignal(t *testing.T) {
	server := serve(t, newFile(t))
	begin(t, server.base, 1)
	server.signal(t, syscall.SIGTERM)
	waitUntilClosed(t, server.base)
	const atOnce = time.Second
	if server.endsWithin(atOnce) {
		t.Fatal("one signal ended the process, want it to wait for the request in flight")
	}
	began := time.Now()
	server.signal(t, syscall.SIGTERM)
	for !server.endsWithin(atOnce) {
		if *soak {
			t.Fatalf("the process still runs %s after a second signal", atOnce)
		}
		_ = server.command.Process.Signal(syscall.SIGTERM) // the second was one with the first if that was not noted yet
	}
	took := time.Since(began)
	if status, is := server.command.ProcessState.Sys().(syscall.WaitStatus); !is || status.Signal() != syscall.SIGTERM {
		t.Errorf("got %v, want an end by the second signal", server.err)
	}
	figure{
		"second signal", "ends within 1 s", took.Round(time.Millisecond).String(),
		"one signal: still running after 1 s",
	}.report(t)
}

// halfRequest is a trade of which the server has read the first half, and waits for the
// other.
type halfRequest struct {
	conn    net.Conn
	answers *bufio.Reader
	rest    string
}

// begin adds a trade of some shares up to the middle of its body.
func begin(t *testing.T, base string, shares int64) *halfRequest {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // the server may have closed it
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	body := tradeOf(shares)
	half := len(body) / 2
	fmt.Fprintf(conn, "POST /trade/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	answers := bufio.NewReader(conn)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := answers.ReadString('\n'); err != nil || line != want {
			t.Fatalf("got %q, %v, want the server to ask for the body", line, err)
		}
	}
	fmt.Fprint(conn, body[:half])
	return &halfRequest{conn: conn, answers: answers, rest: body[half:]}
}

// finish sends the rest and returns the status of the answer, 0 when none comes.
func (r *halfRequest) finish() int {
	fmt.Fprint(r.conn, r.rest)
	got, err := http.ReadResponse(r.answers, nil)
	if err != nil {
		return 0
	}
	if got.Body.Close() != nil {
		return 0
	}
	return got.StatusCode
}

// waitUntilClosed returns when nobody listens on the address any more.
func waitUntilClosed(t *testing.T, base string) {
	t.Helper()
	var d net.Dialer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			return
		}
		_ = conn.Close() // it was only to see that it opens
	}
	t.Fatal("the server still listens")
}
