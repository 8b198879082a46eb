package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

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
	options logOptions // of the log
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

// reload reads certificate and key again, and the file of settings. The log gets its level. It logs what is wrong
// with them, and what needs a restart.
func (r *reloader) reload() {
	if r.pair != nil {
		r.pair.Reload()
	}
	o, flags := defaultServeOptions(), pflag.NewFlagSet("", pflag.ContinueOnError)
	o.declare(flags)
	declareForAll(flags)
	found, err := r.inForce.Again(flags)
	if err == nil {
		err = o.check()
	}
	if err != nil {
		r.log.Error("all settings stay as they are, because one of them is wrong now", "err", located(found, err))
		return
	}
	r.options.follow(o.log)
	for _, changed := range found.Differ(r.inForce) {
		if changed.Name == "log-level" {
			continue
		}
		r.log.Warn("a setting was changed, and needs a restart", "setting", changed.Name, "where", changed.Where)
	}
	r.log.Info("the settings were read again")
}
