package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/pflag"

	"daybook/internal/api/gate"
	"daybook/internal/server"
	"daybook/internal/settings"
)

// hangup is the signal that asks for a reload.
const hangup = syscall.SIGHUP

// hangups returns the signals that end the server, and delivers those that ask for a reload. A server in a
// terminal gets SIGHUP when the terminal is closed, and ends. nohup has it ignored.
func hangups() (end []os.Signal, reload chan os.Signal) {
	end = []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	reload = make(chan os.Signal, 1)
	switch {
	case signal.Ignored(hangup):
	case inTerminal():
		end = append(end, hangup)
	default:
		signal.Notify(reload, hangup)
	}
	return end, reload
}

// inTerminal reports whether the process has a terminal that can be closed.
func inTerminal() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		_ = terminal.Close() // nothing was written
	}
	return err == nil
}

// reloader does what a running server can do about changes of its settings.
type reloader struct {
	pair    *server.KeyPair // nil = without TLS
	log     *slog.Logger
	options logOptions  // of the log
	known   *gate.Known // of the server
	inForce settings.Settings

	supervisor *server.Supervisor
}

// run reloads at each signal until ctx ends.
func (r *reloader) run(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			r.supervisor.Reloading()
			r.reload()
			r.supervisor.Reloaded()
		}
	}
}

// withoutRestart are the settings that a server applies while it runs.
var withoutRestart = []string{"allow-host", "cors-origin", "log-level", "trusted-proxy"}

// reload reads certificate and key again, and the file of settings. The server applies withoutRestart. It logs what
// is wrong with them, what it applied, and what needs a restart.
func (r *reloader) reload() {
	if r.pair != nil {
		r.pair.Reload()
	}
	o, flags := defaultServeOptions(), pflag.NewFlagSet("", pflag.ContinueOnError)
	o.declare(flags)
	declareForAll(flags)
	var admitted admission
	found, err := r.inForce.Again(flags)
	if err == nil {
		admitted, err = o.check()
	}
	if err != nil {
		r.log.Error("all settings stay as they are, because one of them is wrong now", "err", located(found, err))
		return
	}
	r.options.follow(o.log)
	r.known.Change(admitted.names)
	for _, changed := range found.Differ(r.inForce) {
		where := cmp.Or(changed.Where, "default")
		if slices.Contains(withoutRestart, changed.Name) {
			r.log.Info("a setting was changed, and is in use", "setting", changed.Name, "where", where)
		} else {
			r.log.Warn("a setting was changed, and needs a restart", "setting", changed.Name, "where", where)
		}
	}
	r.inForce.Take(found, withoutRestart)
	r.log.Info("the settings were read again")
}
