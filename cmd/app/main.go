//go:build !docs

// Command app is Daybook: a portfolio's trades and a company's budgets in one SQLite
// file, served over HTTP.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/file"
	"daybook/internal/text"
)

func main() {
	cobra.MousetrapHelpText = "" // a double-click on Windows is one of the ways to start
	name := calledAs(os.Args[0])
	app := newCommand(browse)
	rename(app, name)
	named := naming(app)
	say := func(sentence string) { fmt.Fprintln(os.Stderr, name+":", named(sentence)) }
	if err := app.ExecuteContext(file.WithNotice(context.Background(), say)); err != nil {
		say(text.Printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
		code := 1
		if of, is := errors.AsType[exitError](err); is {
			code = of.code
		}
		os.Exit(code)
	}
}

// calledAs returns the name by which a user calls the program at path.
func calledAs(path string) string {
	if strings.TrimSuffix(filepath.Base(path), ".exe") == packaged {
		return packaged
	}
	return "app"
}
