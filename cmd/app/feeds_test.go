package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const feeds = "web/manual/feeds.md"

// TestManualFeeds runs what the page about feeds shows, with the real bash, curl and Python: its commands in order, and
// its files under the names that stand before them. It compares what they print with the page. With -update it
// writes that into the page.
func TestManualFeeds(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "gzip", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the page needs %s: %v", tool, err)
		}
	}
	dir := t.TempDir()
	page := readAll(t, feeds)
	writeFiles(t, page, dir)
	shell := openShell(t, dir)
	var server *process
	var rewritten strings.Builder
	for _, part := range parseManual(page) {
		if part.command == "" {
			if serve := regexp.MustCompile(`(?m)^    app serve (.*)$`).FindStringSubmatch(part.text); serve != nil {
				arguments := append(strings.Fields(serve[1]), "--addr", "127.0.0.1:0")
				var err error
				if server, err = startServing(t.Context(), dir, plainEnvironment(), arguments...); err != nil {
					t.Fatal(err)
				}
			}
			rewritten.WriteString(part.text)
			continue
		}
		command := part.command
		if server != nil {
			command = strings.ReplaceAll(command, "localhost:8080", server.addr)
		}
		got := shell.run(t, command)
		switch same := journalled.ReplaceAllString(got, "") == journalled.ReplaceAllString(part.text, ""); {
		case same:
			got = part.text
		case !*update:
			t.Errorf("$ %s\ngot  %s\nwant %s", part.command, got, part.text)
		}
		rewritten.WriteString("$ " + part.command + "\n" + got)
		if got != "" {
			rewritten.WriteString("\n")
		}
	}
	if server == nil {
		t.Fatal("the page starts no server")
	}
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, feeds), []byte(rewritten.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writeFiles writes each block of a page that has a language and a name before it, as `send.py`.
func writeFiles(t *testing.T, page, dir string) {
	t.Helper()
	files := regexp.MustCompile("(?s)`([a-z0-9-]+\\.[a-z]+)`[^`\n]*:\n\n```[a-z]+\n(.*?)```\n").FindAllStringSubmatch(page, -1)
	if len(files) < 3 {
		t.Fatalf("the page has %d files, want at least 3", len(files))
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f[1]), []byte(f[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// shell is a bash that reads one command after the other, as in a terminal.
type shell struct {
	in  io.Writer
	out *bufio.Reader
}

func openShell(t *testing.T, dir string) *shell {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc")
	command.Dir = dir
	command.Env = append(plainEnvironment(), "PATH="+os.Getenv("PATH"), "HOME="+dir)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait() // the last command may have failed, as the page shows
	})
	return &shell{in: in, out: bufio.NewReader(out)}
}

// told matches the sentence about a new token, which has a time and goes to the standard error.
var told = regexp.MustCompile(`(?m)^token \d+, .*\n`)

// run returns what a command prints, with the line ends of the page, and without the last one.
func (s *shell) run(t *testing.T, command string) string {
	t.Helper()
	const end = "\x04"
	if _, err := fmt.Fprintf(s.in, "%s\nprintf %s\n", command, strconv.Quote(`\004`)); err != nil {
		t.Fatal(err)
	}
	printed, err := s.out.ReadString(end[0])
	if err != nil {
		t.Fatalf("%s: %v after %q", command, err, printed)
	}
	printed = strings.ReplaceAll(strings.TrimSuffix(printed, end), "\r\n", "\n")
	return strings.TrimSuffix(told.ReplaceAllString(printed, ""), "\n")
}
