package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// curl is a command of the manual.
type curl struct {
	line, method, path string
	header             http.Header
	body               string
}

// manualCommands lists the commands of the manual's consoles, in their order.
func manualCommands(t *testing.T) (commands []curl) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "web", "manual", "interface.md"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if line, found := strings.CutPrefix(line, "$ curl "); found {
			commands = append(commands, parseCurl(t, strings.TrimSpace(line)))
		}
	}
	return commands
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

func parseCurl(t *testing.T, line string) curl {
	t.Helper()
	c := curl{line: line, method: http.MethodGet, header: http.Header{}}
	words := word.FindAllString(line, -1)
	value := func() string {
		if len(words) < 2 {
			t.Fatalf("curl %s: %s lacks its value", line, words[0])
		}
		words = words[1:]
		return unquoted(words[0])
	}
	method := ""
	for ; len(words) > 0; words = words[1:] {
		switch words[0] {
		case "-s":
		case "-o", "-m":
			value()
		case "-X":
			method = value()
		case "-H":
			name, content, _ := strings.Cut(value(), ":")
			c.header.Add(name, strings.TrimSpace(content))
		case "-d":
			c.method, c.body = http.MethodPost, value()
			c.header.Set("Content-Type", "application/json")
		default:
			_, c.path, _ = strings.Cut(unquoted(words[0]), "localhost:8080")
		}
	}
	if method != "" {
		c.method = method
	}
	if !strings.HasPrefix(c.path, "/") {
		t.Fatalf("curl %s: got the path %q, want one that begins with /", line, c.path)
	}
	return c
}

func unquoted(word string) string {
	if word[0] == '\'' || word[0] == '"' {
		return word[1 : len(word)-1]
	}
	return word
}

// send sends the request of the command to the server at addr with plain HTTP.
func (c curl) send(ctx context.Context, addr string) (status int, body []byte, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, c.method, addr+c.path, strings.NewReader(c.body))
	if err != nil {
		return 0, nil, err
	}
	r.Header = c.header
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, fmt.Errorf("curl %s: %w", c.line, err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = content(answer)
	return answer.StatusCode, body, err
}

// content returns the body of an answer. A stream of events has no end, so it returns the first event.
func content(answer *http.Response) ([]byte, error) {
	if answer.Header.Get("Content-Type") != "text/event-stream" {
		return io.ReadAll(answer.Body)
	}
	var event []byte
	for next := make([]byte, 1); !bytes.HasSuffix(event, []byte("\n\n")); event = append(event, next[0]) {
		if _, err := io.ReadFull(answer.Body, next); err != nil {
			return nil, err
		}
	}
	return event, nil
}
