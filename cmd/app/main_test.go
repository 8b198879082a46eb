package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"daybook/db/sqlite"
)

// update rewrites the answers that the manual prints.
var (
	update = flag.Bool("update", false, "rewrite the answers in the manual")
	soak   = flag.Bool("soak", false, "hold attacks and what is beside them to their times")
)

// TestMain lets this binary stand in for the commands that the tests start as
// processes: app itself, and open, which opens a database as serve and seed do.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"app": main, "open": open})
}

func open() {
	store, err := sqlite.Open(context.Background(), os.Args[1], time.Now)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "open:", err)
		os.Exit(1)
	}
}
