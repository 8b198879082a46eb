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

var (
	update = flag.Bool("update", false, "rewrite the answers in the manual")
	soak   = flag.Bool("soak", false, "check the times in TestAttacks too")
)

// TestMain lets the tests start this binary as the commands "app", "daybook" and "open". open opens a database
// as serve and seed do.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"app": main, packaged: main, "open": open})
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
