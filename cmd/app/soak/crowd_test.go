package soak_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// longestAnswer is the promised p99: beside a crowd, 99 of 100 requests of honest clients are
// answered within it.
const longestAnswer = 10 * time.Millisecond

// TestCrowd: many connections are idle, and others send one byte now and then. The server still
// answers honest clients, and its memory stays small. Only the long form checks the time of the
// answers, because other tests use the processor while the short form runs.
func TestCrowd(t *testing.T) {
	idle, slow := times(200, 10_000), times(100, 5_000)
	during := time.Duration(times(2, 30)) * time.Second
	server := serveAccounts(t, "40000")
	stopCrowd := startCrowd(t, server, idle, slow)
	alone := serveAccounts(t, "40000")
	p99, byItself, asked := measure(t, server, alone, during)
	// Another program can slow one measurement down. A slow server is slow in each of them.
	for attempt := 1; *soak && p99 >= longestAnswer; attempt++ {
		t.Logf("got a p99 of %s, and of %s without a crowd", p99, byItself)
		if attempt == 5 {
			t.Errorf("got a p99 of %s in %d requests, want less than %s", p99, asked, longestAnswer)
			break
		}
		p99, byItself, asked = measure(t, server, alone, during)
	}
	for serial := range 3 { // each kind of request once; each must be answered, however late
		method, target, body := honestRequest(0, serial)
		server.send(t, method, target, body, http.StatusOK)
	}
	memory, mostMemory := "not measured here", int64(times(100<<20, mostUnderAttack))
	if runtime.GOOS == "linux" {
		peak := peakMemory(t, server)
		memory = mebibytes(peak)
		if peak >= mostMemory {
			t.Errorf("got %s of memory, want less than %s", memory, mebibytes(mostMemory))
		}
	}
	cut := stopCrowd()
	if err := server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	figure{
		fmt.Sprintf("%d idle and %d slow connections", idle, slow), fmt.Sprintf("p99 of honest clients under %s, memory under %s", longestAnswer, mebibytes(mostMemory)),
		fmt.Sprintf("p99 %s of %d requests, memory %s; %s", p99, asked, memory, cut),
		"--max-conns 64: p99 " + fullServer(t).String(),
	}.report(t)
}

// fullServer is the control: the crowd uses all the connections that the server allows, each with a
// request that has begun. Then honest clients wait, and the p99 is larger. (The server would close
// idle connections to make room, so none is idle here.)
func fullServer(t *testing.T) time.Duration {
	t.Helper()
	server := serveAccounts(t, "64")
	startCrowd(t, server, 0, 256)
	p99, byItself, asked := measure(t, server, serveAccounts(t, "64"), 2*time.Second)
	if *soak && p99 < longestAnswer+byItself {
		t.Errorf("a server without a free connection: got a p99 of %s in %d requests, want at least %s", p99, asked, longestAnswer+byItself)
	}
	return p99
}

// serveAccounts runs a server that allows that many connections and has a department and an account.
func serveAccounts(t *testing.T, connections string) *process {
	t.Helper()
	server := serve(t, newFile(t), "--max-conns", connections)
	server.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"D","name":"Department"}`, http.StatusCreated)
	server.send(t, http.MethodPost, "/api/v1/gl-accounts", `{"code":"A","type":"opex"}`, http.StatusCreated)
	server.http.CloseIdleConnections()
	return server
}

// crowdServer is the environment variable that makes this binary a crowd: the address of the server,
// the number of idle connections and the number of slow ones.
const crowdServer = "SOAK_CROWD"

// startCrowd starts a crowd and returns when all its connections are open. The crowd is a process of
// its own with the lowest priority, so that its own work takes no processor time from the server.
// stopCrowd ends it, and returns its report.
func startCrowd(t *testing.T, server *process, idle, slow int) (stopCrowd func() string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	crowd := exec.CommandContext(t.Context(), "nice", "-n", "19", own)
	crowd.Env = append(plainEnvironment(), fmt.Sprintf("%s=%s %d %d", crowdServer, strings.TrimPrefix(server.base, "http://"), idle, slow))
	crowd.Stderr = os.Stderr
	says, saysErr := crowd.StdoutPipe()
	leave, leaveErr := crowd.StdinPipe()
	if err := errors.Join(saysErr, leaveErr, crowd.Start()); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(says)
	stopCrowd = sync.OnceValue(func() string {
		_ = leave.Close() // it may have ended already
		said, _ := io.ReadAll(lines)
		_ = crowd.Wait()
		return strings.TrimSpace(string(said))
	})
	t.Cleanup(func() { stopCrowd() })
	if line, err := lines.ReadString('\n'); err != nil || line != "all connections are open\n" {
		t.Fatalf("the crowd printed %q, %v, want that all connections are open\n%s", line, err, server.stderr.String())
	}
	return stopCrowd
}

// crowdConnections are connections that send little, and stay open as long as the server allows.
type crowdConnections struct {
	addr       string
	idle, slow int
	idleOpen   atomic.Int64 // idle connections that were answered and are open
	slowOpen   atomic.Int64 // slow ones that are open
	cut        atomic.Int64 // times that the server closed a slow one; it is then opened again
	busy       sync.WaitGroup
}

// runCrowd is the whole process of a crowd: it opens the connections, prints that they are open, and
// keeps them until its standard input ends.
func runCrowd(server string) (exitCode int) {
	var b crowdConnections
	if _, err := fmt.Sscan(server, &b.addr, &b.idle, &b.slow); err != nil {
		fmt.Fprintln(os.Stderr, crowdServer, err)
		return 1
	}
	ctx, end := context.WithCancel(context.Background())
	b.open(ctx)
	open := b.allOpen()
	if open {
		fmt.Println("all connections are open")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	stayed := b.idleOpen.Load()
	end()
	b.busy.Wait()
	if !open {
		fmt.Printf("only %d idle connections are open\n", stayed)
		return 1
	}
	fmt.Printf("%d idle connections at the end, the slow were cut %d times\n", stayed, b.cut.Load())
	return 0
}

func (b *crowdConnections) open(ctx context.Context) {
	const atOnce = 64 // connections that are being opened at the same time
	opening := make(chan struct{}, atOnce)
	for range b.idle {
		b.busy.Go(func() { b.reconnect(ctx, opening, b.holdIdle) })
	}
	for i := range b.slow {
		request, quick := "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 0
		if i%2 == 0 {
			request = "POST /api/v1/actuals/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
			quick = len(request)
		}
		request += strings.Repeat(" ", 1000)
		b.busy.Go(func() {
			b.reconnect(ctx, opening, func(ctx context.Context, c net.Conn, opened func()) { b.sendSlowly(ctx, c, opened, request, quick) })
		})
	}
}

// allOpen waits until all connections are open, and reports whether they are.
func (b *crowdConnections) allOpen() bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		// The server closes slow connections, so some of them are always being opened again.
		if b.idleOpen.Load() == int64(b.idle) && b.slowOpen.Load() >= int64(b.slow*95/100) {
			return true
		}
	}
	return false
}

// reconnect opens a connection and uses it. When the connection has ended, it opens another.
func (b *crowdConnections) reconnect(ctx context.Context, opening chan struct{}, use func(ctx context.Context, c net.Conn, opened func())) {
	for ctx.Err() == nil {
		opening <- struct{}{}
		d := net.Dialer{Timeout: patience}
		c, err := d.DialContext(ctx, "tcp", b.addr)
		if err != nil {
			<-opening
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if tcp, is := c.(*net.TCPConn); is {
			_ = tcp.SetLinger(0) // free the port at once when it is closed: there are few ports
		}
		leave := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })
		use(ctx, c, sync.OnceFunc(func() { <-opening }))
		leave()
		_ = c.Close() // it may be closed already
	}
}

// holdIdle sends one request, reads the answer, and then leaves the connection idle until the server
// closes it.
func (b *crowdConnections) holdIdle(_ context.Context, c net.Conn, opened func()) {
	defer opened()
	if _, err := io.WriteString(c, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return
	}
	got, err := http.ReadResponse(bufio.NewReaderSize(c, 512), nil)
	if err != nil {
		return
	}
	_, err = io.Copy(io.Discard, got.Body)
	if errors.Join(err, got.Body.Close()) != nil || got.StatusCode != http.StatusOK {
		return
	}
	opened()
	b.idleOpen.Add(1)
	defer b.idleOpen.Add(-1)
	_, _ = c.Read(make([]byte, 1)) // returns when the connection has ended
}

// pause is how long a slow connection waits between two bytes.
const pause = 2 * time.Second

// sendSlowly sends the first bytes of a request at once (quick of them) and the others one by one,
// until the server closes the connection.
func (b *crowdConnections) sendSlowly(ctx context.Context, c net.Conn, opened func(), request string, quick int) {
	opened()
	if _, err := io.WriteString(c, request[:quick]); err != nil {
		return
	}
	b.slowOpen.Add(1)
	defer b.slowOpen.Add(-1)
	for i := quick; i < len(request) && ctx.Err() == nil; i++ {
		if _, err := io.WriteString(c, request[i:i+1]); err != nil {
			b.cut.Add(1)
			return
		}
		if err := c.SetReadDeadline(time.Now().Add(pause)); err != nil {
			return
		}
		_, err := c.Read(make([]byte, 1))
		if late, is := errors.AsType[net.Error](err); !is || !late.Timeout() {
			b.cut.Add(1)
			return
		}
	}
}

// measure sends requests of honest clients to a server with a crowd, and at the same time to one
// without. It returns the p99 of the answer times of both, and how many requests the crowded server
// got.
func measure(t *testing.T, crowded, alone *process, during time.Duration) (p99, byItself time.Duration, asked int) {
	t.Helper()
	var took, tookAlone []time.Duration
	var busy sync.WaitGroup
	busy.Go(func() { took = sendHonestRequests(t, crowded, during) })
	busy.Go(func() { tookAlone = sendHonestRequests(t, alone, during) })
	busy.Wait()
	return percentile99(took), percentile99(tookAlone), len(took)
}

func percentile99(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)*99/100].Round(10 * time.Microsecond)
}

// sendHonestRequests returns how long each request took. A request that is not answered when the
// time is over counts with the time it waited.
func sendHonestRequests(t *testing.T, server *process, during time.Duration) []time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), during)
	defer cancel()
	const honest = 2
	took := make([][]time.Duration, honest)
	var busy sync.WaitGroup
	for i := range honest {
		busy.Go(func() {
			c := newClient(server.base)
			defer c.http.CloseIdleConnections()
			for serial := 0; ctx.Err() == nil; serial++ {
				method, target, body := honestRequest(i, serial)
				began := time.Now()
				got, err := c.do(ctx, method, target, body, "")
				took[i] = append(took[i], time.Since(began))
				if err == nil && got.status != http.StatusOK || err != nil && ctx.Err() == nil {
					t.Errorf("%s %s: got %d %s, %v", method, target, got.status, got.body, err)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	busy.Wait()
	return slices.Concat(took...)
}

// honestRequest returns the next request of an honest client.
func honestRequest(client, serial int) (method, target, body string) {
	switch serial % 3 {
	case 0:
		return http.MethodPost, "/api/v1/actuals/ingest", fmt.Sprintf(
			`{"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":%d,"amount":%d,"currency":"EUR"}`, client%12+1, serial)
	case 1:
		return http.MethodGet, "/api/v1/variance?year=2026&period=1&dept=D", ""
	}
	return http.MethodGet, "/health", ""
}

var peakLine = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peakMemory returns the largest resident memory (VmHWM) that a process has had.
func peakMemory(t *testing.T, p *process) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := peakLine.FindSubmatch(status)
	if found == nil {
		t.Fatalf("got no VmHWM in %s", status)
	}
	kibibytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kibibytes << 10
}
