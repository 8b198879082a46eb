package soak_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "daybook/internal/seed" // the binary contains it; the import makes a change of it run the tests again
)

// patience is how long a test waits for anything that a process does. Only a broken process takes
// longer. The long form waits for a minute, because nothing else runs on its machine.
var patience = 5 * time.Minute

// process is a running `app serve`.
type process struct {
	*client
	command *exec.Cmd
	stderr  lockedBuffer
	ended   chan struct{} // closed when the process is gone
	err     error         // how it ended
}

// announced matches the line in which a server prints its address.
var announced = regexp.MustCompile(`^Daybook serves .+ on (http://\S+)$`)

// serve runs `app serve` on a database, with more arguments, and returns when the server has printed
// its address. If the server still runs when the test ends, it is killed.
func serve(t *testing.T, db string, args ...string) *process {
	t.Helper()
	p, addr := launch(t, db, args...)
	return p.listening(t, addr)
}

// listening waits until a process has printed its address.
func (p *process) listening(t *testing.T, addr <-chan string) *process {
	t.Helper()
	select {
	case base, ok := <-addr:
		if !ok {
			<-p.ended
			t.Fatalf("app serve ended: %v\n%s", p.err, p.stderr.String())
		}
		p.client = newClient(base)
	case <-time.After(patience):
		t.Fatalf("app serve did not print its address within %s\n%s", patience, p.stderr.String())
	}
	return p
}

// launch starts `app serve`. It sends the server's address on addr, and closes addr if the process
// ends without printing one.
func launch(t *testing.T, db string, args ...string) (p *process, addr <-chan string) {
	t.Helper()
	readSources(t)
	return launchCommand(t, exec.CommandContext(t.Context(), app, append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, args...)...))
}

// launchCommand is like launch, for any command that serves, with more variables in its environment.
func launchCommand(t *testing.T, command *exec.Cmd, environment ...string) (p *process, addr <-chan string) {
	t.Helper()
	p = &process{command: command, ended: make(chan struct{})}
	p.command.Env, p.command.Stderr = append(plainEnvironment(), environment...), &p.stderr
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go p.wait(out, said)
	t.Cleanup(p.kill)
	return p, said
}

// readSources reads the source files of the binary. This package does not import them, so only
// reading them makes the cache of test results notice a change.
func readSources(t *testing.T) {
	t.Helper()
	sources, err := filepath.Glob("../*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("got %d sources, %v", len(sources), err)
	}
	for _, path := range sources {
		if _, err := os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
}

// wait reads the output of the process until it ends.
func (p *process) wait(out io.Reader, said chan<- string) {
	first := true
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := announced.FindStringSubmatch(lines.Text()); found != nil && first {
			said <- found[1]
			first = false
		}
	}
	close(said)
	p.err = p.command.Wait()
	close(p.ended)
}

// kill ends the process at once (SIGKILL), and waits until it has ended.
func (p *process) kill() {
	_ = p.command.Process.Kill() // it may be gone already
	<-p.ended
}

// stop asks the process to end (SIGTERM), and returns the error it ended with.
func (p *process) stop(t *testing.T) error {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	if !p.endsWithin(patience) {
		t.Fatalf("app serve still runs %s after SIGTERM\n%s", patience, p.stderr.String())
	}
	return p.err
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.command.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func (p *process) endsWithin(d time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(d):
		return false
	}
}

// runApp runs a command of the binary to its end.
func runApp(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), app, args...)
	command.Env = plainEnvironment()
	out, err := command.CombinedOutput()
	return string(out), err
}

// mustRunApp is like runApp. It fails the test if the command fails.
func mustRunApp(t *testing.T, args ...string) string {
	t.Helper()
	output, err := runApp(t, args...)
	if err != nil {
		t.Fatalf("app %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

// verified runs `app verify` and returns what it reports. It returns nothing for a good database.
func verified(t *testing.T, db string) (complaints []string) {
	t.Helper()
	if output, err := runApp(t, "verify", "--db", db); err != nil {
		complaints = append(complaints, fmt.Sprintf("app verify: %v: %s", err, output))
	}
	return complaints
}

// newFile returns a path at which a database can be created.
func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "app.db")
}

// plainEnvironment has none of the program's settings.
func plainEnvironment() []string { return []string{"PATH=" + os.Getenv("PATH")} }

// lockedBuffer is a buffer that a process writes and a test reads.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
