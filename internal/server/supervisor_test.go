//go:build unix

package server_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/server"
)

// systemd listens as systemd does, and names its socket in the environment.
func systemd(t *testing.T) (next func() string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "notify") //nolint:usetesting // the path of t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = l.Close(), os.RemoveAll(dir) })
	t.Setenv("NOTIFY_SOCKET", path)
	return func() string {
		message := make([]byte, 4096)
		n, err := l.Read(message)
		if err != nil {
			t.Fatal(err)
		}
		return string(message[:n])
	}
}

// TestSystemdIsTold: systemd is told of the start, of readiness, of a reload with its time, and of the end.
func TestSystemdIsTold(t *testing.T) {
	next := systemd(t)
	s := server.Supervisor{Log: slog.New(slog.DiscardHandler)}
	s.Starting("Opening app.db")
	s.Ready("Serving")
	s.Reloading()
	s.Reloaded()
	s.Stopping()
	for _, want := range []string{"STATUS=Opening app.db", "READY=1\nSTATUS=Serving", "RELOADING=1\n", "READY=1", "STOPPING=1\n"} {
		if got := next(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want it to begin with %q", got, want)
		}
	}
}

// TestWithoutSystemdNothingIsTold: without a socket in the environment nothing happens; if nobody listens on it
// any more, the log says so once.
func TestWithoutSystemdNothingIsTold(t *testing.T) {
	var log strings.Builder
	s := server.Supervisor{Log: slog.New(slog.NewTextHandler(&log, nil))}
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("WATCHDOG_USEC", "")
	s.Ready("Serving")
	s.Watch(t.Context(), "Serving", nil)
	if log.Len() > 0 {
		t.Errorf("got the log %q, want none", log.String())
	}
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "none"))
	s.Ready("Serving")
	s.Stopping()
	if got := strings.Count(log.String(), "systemd cannot be told"); got != 1 {
		t.Errorf("got the log %q, want one line", log.String())
	}
}

// TestTheWatchdogIsFedWhileTheCheckAnswers: each check that answers feeds the watchdog, also with an error,
// which the status shows. One that hangs, or ends only with its time, feeds nothing.
func TestTheWatchdogIsFedWhileTheCheckAnswers(t *testing.T) {
	const (
		fed      = "WATCHDOG=1"
		hangs    = "STATUS=The database does not answer"
		notReady = "STATUS=Not ready: the disk is full"
		serving  = "STATUS=Serving"
	)
	forever := make(chan struct{})
	defer close(forever)
	good := func(context.Context) error { return nil }
	full := func(context.Context) error { return errors.New("the disk is full") }
	late := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	hung := func(context.Context) error { <-forever; return nil }
	for _, c := range []struct {
		name   string
		checks []func(context.Context) error
		want   []string
	}{
		{"control", []func(context.Context) error{good, good, good}, []string{fed, fed, fed}},
		{"hung", []func(context.Context) error{good, hung, hung, good}, []string{fed, hangs, fed, serving}},
		{"late", []func(context.Context) error{late, good}, []string{hangs, fed, serving}},
		{"full disk", []func(context.Context) error{full, full, good}, []string{fed, notReady, fed, fed, serving}},
	} {
		t.Run(c.name, func(t *testing.T) {
			next := systemd(t)
			t.Setenv("WATCHDOG_USEC", "1500000")
			t.Setenv("WATCHDOG_PID", "")
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			checks := make(chan func(context.Context) error, len(c.checks))
			for _, check := range c.checks {
				checks <- check
			}
			s := server.Supervisor{Log: slog.New(slog.DiscardHandler)}
			go func() {
				defer close(ended)
				s.Watch(ctx, "Serving", func(ctx context.Context) error {
					select {
					case check := <-checks:
						return check(ctx)
					case <-ctx.Done(): // all were made
						return nil
					}
				})
			}()
			for i, want := range c.want {
				if got := next(); got != want {
					t.Errorf("message %d: got %q, want %q", i+1, got, want)
				}
			}
			cancel()
			<-ended
		})
	}
}
