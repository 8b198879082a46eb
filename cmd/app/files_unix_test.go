//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestFewFilesLockNobodyOut: if a process may open fewer files than --max-conns needs, one peer that
// holds all its connections still locks no other peer out, and the log reports the lower number.
func TestFewFilesLockNobodyOut(t *testing.T) {
	const files = 256
	command := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf(`ulimit -n %d && exec app serve --addr 127.0.0.1:0`, files))
	command.Dir, command.Env = t.TempDir(), plainEnvironment()
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	for range files + 20 {
		hold(t, p.addr, request11("GET /health")).answered(t)
	}
	hold(t, p.addr, request11("GET /api/v1/status")).answered(t)
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if said := p.stderr.String(); !strings.Contains(said, "fewer connections than --max-conns") || strings.Contains(said, "cannot be accepted") {
		t.Errorf("got the log %q, want it to say that fewer connections are served, and no more", said)
	}
}
