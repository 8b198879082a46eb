package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"
)

// held is a connection that a peer keeps open after an answer.
type held struct {
	net.Conn
	answers *bufio.Reader
}

// hold opens a connection and sends a request on it.
func hold(t *testing.T, addr, request string) held {
	t.Helper()
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return held{c, bufio.NewReader(c)}
}

// answered reads the answer, which must be a 200.
func (h held) answered(t *testing.T) {
	t.Helper()
	got, err := http.ReadResponse(h.answers, nil) //nolint:bodyclose // with its connection
	if err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != http.StatusOK {
		t.Fatalf("got %d, want 200", got.StatusCode)
	}
	if _, err := io.Copy(io.Discard, got.Body); err != nil {
		t.Fatal(err)
	}
}

// TestIdleConnectionsLockNobodyOut: one peer holds all the connections that the server allows, and they
// are idle. Other peers are still answered. As a control, each connection has a request; then another
// peer waits until one of them ends.
func TestIdleConnectionsLockNobodyOut(t *testing.T) {
	const most, newcomers = 64, 20
	for _, busy := range []bool{false, true} {
		p, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), "--addr", "127.0.0.1:0", "--max-conns", "64")
		if err != nil {
			t.Fatal(err)
		}
		list, half := request11("GET /currency/list"), "POST /currency/add HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{"
		var all []held
		for range most {
			h := hold(t, p.addr, map[bool]string{false: list, true: half}[busy])
			if !busy {
				h.answered(t)
			}
			all = append(all, h)
		}
		if busy {
			waits := hold(t, p.addr, list)
			if err := waits.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := waits.answers.Peek(1); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("every connection has a request: got %v for one more, want it to wait", err)
			}
			if err := errors.Join(waits.SetReadDeadline(time.Now().Add(patience)), all[0].Close()); err != nil {
				t.Fatal(err)
			}
			waits.answered(t)
		} else {
			for range newcomers {
				hold(t, p.addr, list).answered(t)
			}
			if _, err := all[0].answers.Peek(1); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the connection that was idle longest: got %v, want it closed", err)
			}
		}
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}
