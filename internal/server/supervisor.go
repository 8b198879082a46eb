package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Supervisor tells systemd how the server does, by its notify protocol. It does nothing where no socket of
// systemd is in the environment (NOTIFY_SOCKET).
type Supervisor struct {
	Log *slog.Logger

	once sync.Once // to log that systemd cannot be told
}

// Starting says what the start is busy with.
func (s *Supervisor) Starting(status string) { s.tell("STATUS=" + status) }

// Ready says that the server serves.
func (s *Supervisor) Ready(status string) { s.tell(daemon.SdNotifyReady + "\nSTATUS=" + status) }

// Reloading says that settings are read again. Reloaded must follow.
func (s *Supervisor) Reloading() {
	s.tell(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec())
}

// Reloaded says that the settings were read.
func (s *Supervisor) Reloaded() { s.tell(daemon.SdNotifyReady) }

// Stopping says that the server ends.
func (s *Supervisor) Stopping() {
	s.tell(daemon.SdNotifyStopping + "\nSTATUS=Finishing the requests that have begun")
}

// Watch feeds the watchdog of systemd until ctx ends, if there is one, as long as a check answers. An answer
// that is an error is one too: a restart mends no full disk, and would take reads from everyone. It is shown
// in the status. A check that does not answer, as when the disk hangs, feeds nothing, and systemd restarts the
// server after the time of its watchdog.
func (s *Supervisor) Watch(ctx context.Context, status string, check func(context.Context) error) {
	within, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.Log.Warn("the watchdog of systemd is not fed", "err", err)
	}
	if within <= 0 {
		return
	}
	every := within / 3 // so that one slow check is no end
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	said := status
	for {
		now, answered := answer(ctx, every, check)
		switch {
		case ctx.Err() != nil:
			return
		case !answered:
			s.Log.Warn("the database does not answer, so the watchdog of systemd is not fed", "waited", every)
			now = "The database does not answer"
		case now == "":
			now = status
		}
		if answered {
			s.tell(daemon.SdNotifyWatchdog)
		}
		if now != said {
			s.tell("STATUS=" + now)
			said = now
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// answer waits for a check, at most for some time, and for no longer if the check itself hangs. It returns why
// the server is not ready, "" if it is, and whether the check answered.
func answer(ctx context.Context, longest time.Duration, check func(context.Context) error) (reason string, answered bool) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	checked := make(chan error, 1)
	go func() { checked <- check(ctx) }()
	select {
	case <-ctx.Done():
		return "", false
	case err := <-checked:
		if err != nil {
			reason = "Not ready: " + err.Error()
		}
		return reason, ctx.Err() == nil
	}
}

func (s *Supervisor) tell(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.once.Do(func() { s.Log.Warn("systemd cannot be told how the server does", "err", err) })
	}
}
