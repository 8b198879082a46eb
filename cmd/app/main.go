// Command app is Daybook: a portfolio's trades and a company's budgets in one SQLite
// file, served over HTTP.
package main

import (
	"context"
	"os"
)

func main() {
	if err := newCommand().ExecuteContext(context.Background()); err != nil {
		os.Exit(1)
	}
}
