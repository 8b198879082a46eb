// Command app is Daybook: a portfolio's trades and a company's budgets in one SQLite
// file, served over HTTP.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

func main() {
	app := newCommand(browse)
	if err := app.ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "app:", strings.ReplaceAll(err.Error(), "\n", "; ")+asOwner(app, err))
		os.Exit(1)
	}
}
