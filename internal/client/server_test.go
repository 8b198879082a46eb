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

// root is the path from this folder to the top of the repository.
var root = filepath.Join("..", "..")

// program is the path of the product's binary, which is built once.
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

// serve starts a server with a new database, and returns its address. The server is killed at the end of
// the test.
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
		for range addr { // Wait needs the output read to its end
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
	t.Fatal("app serve: got no address printed, want one")
	return ""
}
