package client_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// root is the top of the repository, as seen from a test in this module.
var root = filepath.Join("..", "..")

// program is the product, built once.
var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "daybook-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "app")
	build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-tags", "nomsgpack", "-o", program, "./cmd/app")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

var announced = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts a server with a new database, which ends with the test, and returns its
// address.
func serve(t *testing.T) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "serve", "--db", "new.db", "--addr", "127.0.0.1:0")
	command.Dir = t.TempDir()
	command.Env = []string{"HOME=" + command.Dir}
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	addr := make(chan string)
	go func() {
		defer close(addr)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if found := announced.FindString(lines.Text()); found != "" {
				addr <- found
			}
		}
	}()
	t.Cleanup(func() {
		for range addr { // read to its end, as Wait wants
		}
		_ = command.Wait() // the end of the test killed it
	})
	select {
	case found, ok := <-addr:
		if ok {
			return found
		}
	case <-time.After(time.Minute):
	}
	t.Fatal("app serve does not say where it listens")
	return ""
}
