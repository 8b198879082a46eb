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

// inFlight is how many requests have begun before the signal. late is how many more are sent at the
// same time as the signal.
const inFlight, late = 200, 50

// drainTime is how long the server waits for requests that have begun.
const drainTime = 8 * time.Second

// TestDrain: after SIGTERM each request that has begun is either answered and stored, or refused and
// not stored. The process exits with 0.
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
		t.Error("a killed process: got nothing wrong, want cut requests")
	}
	figure{
		"SIGTERM with 200 requests in flight", fmt.Sprintf("%d rounds: each answered and stored, or refused and not; exit 0", rounds),
		fmt.Sprintf("%d rounds, %d of %d answered and stored, %d refused and not; exit 0", rounds, answered, rounds*inFlight, refused),
		"SIGKILL: " + strings.Join(control, "; "),
	}.report(t)
}

// ending describes the end of a process with requests in flight: how many of these were answered,
// refused or cut, and the shares of the trades whose answer does not agree with what is stored.
type ending struct {
	err                     error
	took                    time.Duration // time from the signal to the end
	log                     int64         // size of the write-ahead log afterwards
	answered, refused, cut  int
	storedNotAnswered, lost []int64
}

func (e ending) complaints() (wrong []string) {
	if e.err != nil {
		wrong = append(wrong, e.err.Error())
	}
	if e.log > 0 {
		wrong = append(wrong, fmt.Sprintf("the write-ahead log still has %d bytes", e.log))
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

// endWithRequests sends a signal to a server that has requests in flight, and then sends the rest of
// these requests. It compares the answers with what is stored after the next start.
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
		t.Fatalf("the process still runs %s after the signal, want it to end", patience)
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
		case i >= inFlight: // it was sent with the signal, so any end is allowed
		case status == http.StatusCreated:
			e.answered++
		case status == 0:
			e.cut++
		default:
			e.refused++
		}
	}
}

// addTrade adds a trade of that many shares. It returns the status of the answer, 0 for no answer.
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

// storedShares returns the shares of the trades in a database.
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

// TestSecondSignal: a second signal ends the process although a request is in flight. Only the long
// form checks that this takes less than a second. The process must end by the signal: a process that
// waited for the request would exit by itself.
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
		// If the process had not received the first signal yet, the system merged the two into one.
		_ = server.command.Process.Signal(syscall.SIGTERM)
	}
	took := time.Since(began)
	if status, is := server.command.ProcessState.Sys().(syscall.WaitStatus); !is || status.Signal() != syscall.SIGTERM {
		t.Errorf("got %v, want the process ended by SIGTERM", server.err)
	}
	figure{
		"second signal", "ends within 1 s", took.Round(time.Millisecond).String(),
		"one signal: still running after 1 s",
	}.report(t)
}

// halfRequest is a request to add a trade, sent up to the middle of its body. The server waits for
// the rest.
type halfRequest struct {
	conn    net.Conn
	answers *bufio.Reader
	rest    string
}

// begin sends a request to add a trade of that many shares, up to the middle of its body.
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

// finish sends the rest and returns the status of the answer, 0 for no answer.
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

// waitUntilClosed returns when no process listens on the address any more.
func waitUntilClosed(t *testing.T, base string) {
	t.Helper()
	var d net.Dialer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			return
		}
		_ = conn.Close() // it was opened only to see whether that is possible
	}
	t.Fatalf("the server still listens %s after the signal, want its port closed", patience)
}
