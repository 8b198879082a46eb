package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long a process may take to start or to end. Only a broken one takes longer.
const patience = time.Minute

// announced matches the line with the address of a server.
var announced = regexp.MustCompile(`^\S+ serves .+ on http://(\S+)$`)

// process is a running server: the program, or a reference.
type process struct {
	command *exec.Cmd
	addr    string
	stderr  tail
	read    chan struct{} // closed when its standard output has ended
}

// serve starts the program on a database, and stops it with the workload.
func (b *bench) serve(ctx context.Context, db string) (*process, error) {
	p, err := launch(ctx, b.shelf.app, "serve", "--db", db, "--addr", "127.0.0.1:0")
	if err == nil {
		b.later(p.stop)
	}
	return p, err
}

// reference starts a reference, and stops it with the workload.
func (b *bench) reference(ctx context.Context, args ...string) (*process, error) {
	p, err := launch(ctx, b.self, append([]string{referenceArgument}, args...)...)
	if err == nil {
		b.later(p.stop)
	}
	return p, err
}

// launch starts a server and returns when it has printed its address.
func launch(ctx context.Context, program string, args ...string) (*process, error) {
	p := &process{command: exec.CommandContext(ctx, program, args...), read: make(chan struct{})}
	p.command.Stderr = &p.stderr
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	said := make(chan string, 1)
	go p.listen(out, said)
	select {
	case p.addr = <-said:
		return p, nil
	case <-p.read:
	case <-time.After(patience):
	}
	p.stop()
	return nil, fmt.Errorf("%s does not serve\n%s", p.command, p.stderr.String())
}

// listen reads what the process prints, and sends the first address in it.
func (p *process) listen(out io.Reader, said chan<- string) {
	defer close(p.read)
	sent := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := announced.FindStringSubmatch(lines.Text()); found != nil && !sent {
			said <- found[1]
			sent = true
		}
	}
}

// stop ends the process, by force if it does not end by itself.
func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended already
	late := time.AfterFunc(patience, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	<-p.read
	_ = p.command.Wait() // its work was checked before
}

// memory returns the memory of the process in MiB; 0 if the system does not tell.
func (p *process) memory() float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, "VmRSS:"); is {
			n, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return n / 1024
		}
	}
	return 0
}

// mostMemory watches the process until stop is called, which returns the highest value.
func (p *process) mostMemory() (stop func() float64) {
	end, ended := make(chan struct{}), make(chan float64)
	go func() {
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		most := p.memory()
		for {
			select {
			case <-look.C:
				most = max(most, p.memory())
			case <-end:
				ended <- max(most, p.memory())
				return
			}
		}
	}()
	return func() float64 {
		close(end)
		return <-ended
	}
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept.Len() > 64<<10 {
		t.kept.Reset()
	}
	return t.kept.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.String()
}
