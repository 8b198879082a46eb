package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// patience is how long a process may take to start or to end. Only a broken process takes longer. With
// -soak TestAttacks waits for a minute, because nothing else runs on its machine.
var patience = 5 * time.Minute

// process is a running `app serve`.
type process struct {
	command        *exec.Cmd
	addr           string // the first address that it prints
	stdout, stderr strings.Builder
	read           chan struct{} // closed when stdout has ended
}

// announced matches the line in which a server prints its address.
var announced = regexp.MustCompile(`^Daybook serves .+ on (?:https?://)?([^\s,]+)`)

// startServing runs `app serve` with more arguments and returns when it accepts connections. The
// process has no environment except env.
func startServing(ctx context.Context, dir string, env []string, args ...string) (*process, error) {
	command := exec.CommandContext(ctx, "app", append([]string{"serve"}, args...)...)
	command.Dir, command.Env = dir, env
	return start(command)
}

// start runs a command, which must be `app serve`, and returns when it accepts connections.
func start(command *exec.Cmd) (*process, error) {
	p := &process{command: command, read: make(chan struct{})}
	if p.command.Stderr == nil {
		p.command.Stderr = &p.stderr
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	addr := make(chan string, 1)
	go p.readFrom(out, addr)
	select {
	case p.addr = <-addr:
		return p, nil
	case <-p.read:
		err = errors.New("it ended")
	case <-time.After(patience):
		err = errors.Join(errors.New("it prints no address"), p.command.Process.Kill())
	}
	err = errors.Join(err, p.wait())
	return nil, fmt.Errorf("app serve: %w\n%s%s", err, p.stdout.String(), p.stderr.String())
}

// readFrom stores the output of the process, and sends the first address in it on addr.
func (p *process) readFrom(out io.Reader, addr chan<- string) {
	defer close(p.read)
	lines := bufio.NewScanner(out)
	for sent := false; lines.Scan(); {
		p.stdout.WriteString(lines.Text() + "\n")
		if found := announced.FindStringSubmatch(lines.Text()); found != nil && !sent {
			addr <- found[1]
			sent = true
		}
	}
}

// stop sends a signal and waits for the end: nil when the process exits with 0.
func (p *process) stop(signal os.Signal) error {
	if err := p.command.Process.Signal(signal); err != nil {
		return err
	}
	return p.wait()
}

func (p *process) wait() error {
	late := time.AfterFunc(patience, func() { _ = p.command.Process.Kill() }) // then Wait returns an error
	defer late.Stop()
	<-p.read
	return p.command.Wait()
}
