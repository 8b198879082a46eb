package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"daybook/internal/disk"
)

// TestDrain: a request that is in flight when the signal comes is answered and stored. The server
// accepts no new connection, and the process exits with 0.
func TestDrain(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			p, err := startServing(t.Context(), dir, plainEnvironment(), "--addr", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			finish := begin(t, p.addr, `{"code":"USD","name":"US dollar"}`)
			if err := p.command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			waitUntilClosed(t, p.addr)
			if got, want := finish(), http.StatusCreated; got != want {
				t.Errorf("the request in flight: got status %d, want %d", got, want)
			}
			if err := p.wait(); err != nil {
				t.Errorf("got %v, want an exit with 0\n%s", err, p.stderr.String())
			}
			again, err := startServing(t.Context(), dir, plainEnvironment(), "--addr", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			if got, want := get(t, again.addr, "/currency/list"), `[{"id":1,"code":"USD","name":"US dollar"}]`; got != want {
				t.Errorf("after the next start: got %s, want %s", got, want)
			}
			if err := again.stop(signal); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestASignalBreaksOffTheStart: a signal during the start ends the process with 0.
func TestASignalBreaksOffTheStart(t *testing.T) {
	dir := t.TempDir()
	busy, err := disk.OpenLocks(filepath.Join(dir, "app.db.lock"))
	if err == nil {
		_, err = busy.TryLock(0)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	command := exec.CommandContext(t.Context(), "app", "serve", "--addr", "127.0.0.1:0")
	command.Dir, command.Env = dir, plainEnvironment()
	said, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "waiting for another process") {
		t.Fatalf("got %q, %v, want a line that the process waits for another", line, err)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err := errors.Join(err, command.Wait()); err != nil || len(rest) > 0 {
		t.Errorf("got %v and %q, want an exit with 0 and no more output", err, rest)
	}
}

// TestAnOpenStreamDoesNotHoldUpTheEnd: a client reads the stream of events when the server ends. The
// server does not wait for the client, and the stream ends after a complete event.
func TestAnOpenStreamDoesNotHoldUpTheEnd(t *testing.T) {
	p, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, p.addr)
	fmt.Fprint(conn, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	events := bufio.NewReader(answer.Body)
	if line, err := events.ReadString('\n'); err != nil || line != "id: 0\n" {
		t.Fatalf("got %q, %v, want the first event", line, err)
	}
	if err := p.stop(syscall.SIGTERM); err != nil || p.stderr.String() != "" {
		t.Errorf("got %v and the log %q, want an exit with 0 and an empty log", err, p.stderr.String())
	}
	if rest, err := io.ReadAll(events); err != nil || !strings.Contains(string(rest), `{"seq":0,"hash":"`+strings.Repeat("0", 64)+`","entities":[]}`) {
		t.Errorf("got %q, %v, want the first event complete", rest, err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
}

// begin posts a currency up to the middle of its body, so that the server waits for the rest. finish
// sends the rest and returns the status.
func begin(t *testing.T, addr, body string) (finish func() int) {
	t.Helper()
	conn := dial(t, addr)
	fmt.Fprintf(conn, "POST /currency/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v, want the server to ask for the body", line, err)
	}
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	half := len(body) / 2
	fmt.Fprint(conn, body[:half])
	return func() int {
		fmt.Fprint(conn, body[half:])
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("the request in flight: %v", err)
		}
		if err := answer.Body.Close(); err != nil {
			t.Error(err)
		}
		return answer.StatusCode
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // the server may have closed it
	return conn
}

// waitUntilClosed returns when no process listens on the address any more.
func waitUntilClosed(t *testing.T, addr string) {
	t.Helper()
	var d net.Dialer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		conn, err := d.DialContext(t.Context(), "tcp", addr)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			_ = conn.Close() // the kernel had accepted it already
		}
	}
	t.Fatal("the server still listens after the signal")
}

func get(t *testing.T, addr, path string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestRaceForANewFile: several processes start at the same time without a database. One of them creates
// it, and all use it.
func TestRaceForANewFile(t *testing.T) {
	for range 3 {
		var together sync.WaitGroup
		dir := t.TempDir()
		results := make([]result, 5)
		for i := range results {
			together.Go(func() {
				if i%2 == 0 {
					results[i] = runIn(t, dir, "app", "migrate")
				} else {
					results[i] = runIn(t, dir, "open", "app.db")
				}
			})
		}
		p, err := startServing(t.Context(), dir, plainEnvironment(), "--addr", "localhost:0")
		together.Wait()
		if err == nil {
			err = p.stop(syscall.SIGTERM)
		}
		if err != nil {
			t.Error(err)
		}
		applied := map[string]int{}
		for i, r := range results {
			if r.err != nil {
				t.Errorf("process %d: %v\n%s", i, r.err, r.stderr)
			}
			for _, migration := range regexp.MustCompile(`applied \w+`).FindAllString(r.stdout, -1) {
				applied[migration]++
			}
		}
		for migration, times := range applied {
			if times > 1 {
				t.Errorf("got %q %d times from app migrate, want it once", migration, times)
			}
		}
	}
}

// TestShortHosts: another machine on a LAN can make a name without a dot point to this machine. So a
// server without tokens accepts such a name only if --allow-host names it, or with --no-auth.
func TestShortHosts(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{nil, http.StatusMisdirectedRequest},
		{[]string{"--allow-host", "intranet"}, http.StatusOK},
		{[]string{"--no-auth"}, http.StatusOK},
	} {
		p, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), append([]string{"--addr", "127.0.0.1:0"}, c.args...)...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.addr+"/trade/list", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "intranet:8080"
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != c.want {
			t.Errorf("serve %v: got %d under the name intranet, want %d", c.args, answer.StatusCode, c.want)
		}
		if err := errors.Join(answer.Body.Close(), p.stop(syscall.SIGTERM)); err != nil {
			t.Error(err)
		}
	}
}

// TestReadOnly: commands that write fail with one line of error in a read-only folder, empty or with a
// read-only database, and change nothing. They run as a user who is not root, because root may write
// everywhere.
func TestReadOnly(t *testing.T) {
	dir, app := openToAll(t)
	full := filepath.Join(dir, "full")
	for _, d := range []string{"empty", "full"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if r := runIn(t, full, "app", "migrate"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	for _, name := range []string{"app.db", "app.db.lock"} {
		if err := os.Chmod(filepath.Join(full, name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{"empty", "full"} {
		d := filepath.Join(dir, d)
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(d, 0o755) }) // so that it can be removed
	}
	for _, c := range []struct {
		dir  string
		args []string
	}{
		{"empty", []string{"migrate"}},
		{"empty", []string{"seed"}},
		{"empty", []string{"serve", "--addr", "localhost:0"}},
		{"full", []string{"seed"}},
		{"full", []string{"serve", "--addr", "localhost:0"}},
	} {
		t.Run(c.dir+" "+c.args[0], func(t *testing.T) {
			before, err := stateOf(filepath.Join(dir, c.dir))
			if err != nil {
				t.Fatal(err)
			}
			r := runBound(t, filepath.Join(dir, c.dir), app, c.args...)
			if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "app: ") {
				t.Errorf("got %v and %q, want one line of error", r.err, r.stderr)
			}
			// When the tests run as root, the files belong to root and not to the user of the command.
			if !strings.Contains(r.stderr, "permission denied") && !strings.Contains(r.stderr, "read-only") && !strings.Contains(r.stderr, "only root may write") {
				t.Errorf("got %q, want an error about permission", r.stderr)
			}
			if after, err := stateOf(filepath.Join(dir, c.dir)); err != nil || after != before {
				t.Errorf("got %s, %v, want the unchanged files %s", after, err, before)
			}
		})
	}
}

// openToAll returns a directory that every user may enter, and this binary in it.
func openToAll(t *testing.T) (dir, app string) {
	t.Helper()
	dir = t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	app = filepath.Join(dir, "app")
	if err := os.WriteFile(app, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, app
}

// result is the output and the error of a command.
type result struct {
	stdout, stderr string
	err            error // nil when it exited with 0
}

func runIn(t *testing.T, dir, name string, args ...string) result {
	t.Helper()
	return finish(exec.CommandContext(t.Context(), name, args...), dir)
}

// runBound is like runIn, but when the tests run as root, it runs the command as the user nobody, so
// that permissions apply.
func runBound(t *testing.T, dir, name string, args ...string) result {
	t.Helper()
	return finish(boundCommand(t, name, args...), dir)
}

// nobody is the id of a user without privileges.
const nobody = 65534

func boundCommand(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	if os.Geteuid() == 0 {
		asNobody(command)
	}
	return command
}

// ownFolder makes a folder that belongs to the user of runBound.
func ownFolder(t *testing.T, path string) {
	t.Helper()
	err := errors.Join(os.Mkdir(path, 0o755), os.Chmod(path, 0o755)) // whatever the umask
	if os.Geteuid() == 0 {
		err = errors.Join(err, os.Chown(path, nobody, nobody))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func finish(command *exec.Cmd, dir string) result {
	var out, complaint strings.Builder
	command.Dir, command.Env, command.Stdout, command.Stderr = dir, plainEnvironment(), &out, &complaint
	err := command.Run()
	return result{out.String(), complaint.String(), err}
}

// plainEnvironment has none of this program's settings, but those of the race detector.
func plainEnvironment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "GORACE=" + os.Getenv("GORACE")}
}
