package main

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// packaged is the name of the program in the packages. In a clone it is app.
const packaged = "daybook"

// rename makes the help of the command line tell users to type name, and so what naming returns.
func rename(app *cobra.Command, name string) {
	app.Use = name
	named := naming(app)
	for _, c := range append(app.Commands(), app) {
		c.Long = named(c.Long)
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = named(f.Usage) })
	}
}

// naming returns what makes a sentence tell its reader to type the name of the program of a command, in
// the place of app.
func naming(cmd *cobra.Command) func(sentence string) string {
	app := cmd.Root()
	var commands []string
	for _, c := range app.Commands() {
		commands = append(commands, c.Name())
	}
	mention := regexp.MustCompile(`\bapp (` + strings.Join(commands, "|") + `)\b`)
	return func(sentence string) string { return mention.ReplaceAllString(sentence, app.Name()+" $1") }
}

// namedWriter writes what names the program as a reader types it.
type namedWriter struct {
	to    io.Writer
	named func(sentence string) string
}

// Write implements io.Writer. It takes whole lines.
func (w namedWriter) Write(lines []byte) (int, error) {
	if _, err := io.WriteString(w.to, w.named(string(lines))); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// namedCheck is a check whose errors name the program as a reader types it.
func namedCheck(check func(context.Context) error, named func(sentence string) string) func(context.Context) error {
	return func(ctx context.Context) error {
		err := check(ctx)
		if err != nil {
			err = errors.New(named(err.Error()))
		}
		return err
	}
}
