// Package soak_test checks that the running program keeps what db/DESIGN.md promises. It builds
// the binary, runs it as a process, causes faults (kill -9, full disks, damaged files), and checks
// what is stored afterwards. Only the model test calls the interface inside the test process.
//
// Each test has a short form, which `make test` runs, and a long form, which runs with -soak. Each
// also has a control: the same check runs on something that breaks the promise, and must fail.
package soak_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	soak     = flag.Bool("soak", false, "run the long form of every test")
	soakTime = flag.Duration("soak-time", time.Hour, "how long the long form writes beside slow readers")
	soakSeed = flag.Uint64("soak-seed", 1, "the random seed for the damage to files")
)

// app is the binary under test.
var app string

func TestMain(m *testing.M) {
	if dir := os.Getenv(damagedFiles); dir != "" {
		os.Exit(exerciseAll(context.Background(), dir))
	}
	if server := os.Getenv(crowdServer); server != "" {
		os.Exit(runCrowd(server))
	}
	if db := os.Getenv(keptDatabase); db != "" {
		os.Exit(keepBackups(context.Background(), db))
	}
	if db := os.Getenv(unboundedServer); db != "" {
		os.Exit(serveUnbounded(context.Background(), db))
	}
	flag.Parse()
	os.Exit(run(m))
}

// run builds the binary as the Makefile does, and runs the tests on it. When a test starts this test
// binary again as another process, an environment variable names the binary, and run builds none.
func run(m *testing.M) (exitCode int) {
	if *soak {
		patience = time.Minute
	}
	if app = os.Getenv(builtBinary); app != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "daybook-soak-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }() // after an error the system cleans it up
	app = filepath.Join(dir, "app")
	if err := build("build", app, "daybook/cmd/app"); err != nil {
		fmt.Fprintln(os.Stderr, "the binary does not build:", err)
		return 1
	}
	if raced {
		return runUnraced(dir)
	}
	return m.Run()
}

// runUnraced runs these tests in a binary without the race detector. The detector would find
// nothing new: the tests check another process, or code that the tests of its own package run under
// the detector. With it they would take five times as long.
func runUnraced(dir string) (exitCode int) {
	tests := filepath.Join(dir, "soak.test")
	if err := build("test", tests, "-c", "daybook/cmd/app/soak"); err != nil {
		fmt.Fprintln(os.Stderr, "the tests do not build:", err)
		return 1
	}
	command := exec.CommandContext(context.Background(), tests, os.Args[1:]...)
	command.Env = append(os.Environ(), builtBinary+"="+app)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// build runs the go command as the Makefile does.
func build(verb, to string, what ...string) error {
	args := append([]string{verb, "-buildvcs=false", "-tags", "nomsgpack", "-trimpath", "-o", to}, what...)
	command := exec.CommandContext(context.Background(), "go", args...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}

// builtBinary is the environment variable that names a binary which is already built.
const builtBinary = "SOAK_APP"

// times returns the number for the short form of a test, or with -soak the one for the long form.
func times(short, long int) int {
	if *soak {
		return long
	}
	return short
}
