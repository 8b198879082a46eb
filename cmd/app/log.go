package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"daybook/internal/text"
)

// logOptions say what the log of serve has, and in which form.
type logOptions struct {
	format, level word
	access        bool
	inForce       *slog.LevelVar // of the log that is open
}

func defaultLogOptions() logOptions {
	return logOptions{
		format: word{is: "text", of: []string{"text", "json"}},
		level:  word{is: "info", of: []string{"debug", "info", "warn", "error"}},

		inForce: new(slog.LevelVar),
	}
}

func (o *logOptions) declare(flags *pflag.FlagSet) {
	flags.Var(&o.format, "log-format", "the `form` of the log on standard error: text, or json, an object a line")
	flags.Var(&o.level, "log-level", "the lowest `level` that is logged: debug, info, warn or error")
	flags.BoolVar(&o.access, "access-log", false, "log each request: its id, who sent it, route, status and time")
}

// check refuses options that contradict each other.
func (o *logOptions) check() error {
	if o.access && (o.level.is == "warn" || o.level.is == "error") {
		return fmt.Errorf("--access-log needs --log-level info, not %s: a request is logged at that level", o.level.is)
	}
	return nil
}

// open returns the log. A line that cannot be written is lost, and nothing else: who logs does not learn of it.
func (o *logOptions) open(to io.Writer) *slog.Logger {
	o.follow(*o)
	options := &slog.HandlerOptions{Level: o.inForce}
	if o.format.is == "json" {
		options.ReplaceAttr = withUnits
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}

// withUnits writes a duration as the form text does, like 1m0s; JSON has no unit.
func withUnits(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

// follow gives the open log the level of other options.
func (o *logOptions) follow(other logOptions) { _ = o.inForce.UnmarshalText([]byte(other.level.is)) } // each word is a level

// word is a flag that is one of a few words.
type word struct {
	is string
	of []string
}

// Set implements pflag.Value.
func (w *word) Set(raw string) error {
	is, err := text.OneOf(raw, w.of...)
	if err == nil {
		w.is = is
	}
	return err
}

// String implements pflag.Value.
func (w *word) String() string { return w.is }

// Type implements pflag.Value.
func (w *word) Type() string { return "word" }
