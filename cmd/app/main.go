// Command app is Daybook: a portfolio's trades and a company's budgets in one SQLite
// file, served over HTTP.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"daybook/db/sqlite/file"
	"daybook/internal/text"
)

func main() {
	app := newCommand(browse)
	ctx := file.WithNotice(context.Background(), func(sentence string) { fmt.Fprintln(os.Stderr, "app:", sentence) })
	if err := app.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "app:", text.Printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
		os.Exit(1)
	}
}
