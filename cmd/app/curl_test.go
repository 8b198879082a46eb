package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// curl is a command line of curl, with the options that the manual uses.
type curl struct {
	method, url string
	header      http.Header
	body        *string
	output      string // the file that the answer is written to; "" prints it
	endless     bool   // -m: curl stops after a time; this test stops after the first event
}

// parseCurl reads a command line. An option that it does not know is an error, so that it never runs
// another command than the manual shows.
func parseCurl(line string) (curl, error) {
	words, err := shellWords(line)
	if err != nil {
		return curl{}, err
	}
	if len(words) == 0 || words[0] != "curl" {
		return curl{}, fmt.Errorf("%q is not a curl command", line)
	}
	c := curl{header: http.Header{}}
	for words = words[1:]; len(words) > 0; words = words[1:] {
		word := words[0]
		switch word {
		case "-s":
			continue
		case "-X", "-H", "-d", "-o", "-m":
			if len(words) < 2 {
				return curl{}, fmt.Errorf("%s lacks its value", word)
			}
			words = words[1:]
			if err := c.set(word, words[0]); err != nil {
				return curl{}, err
			}
			continue
		}
		if strings.HasPrefix(word, "-") || c.url != "" {
			return curl{}, fmt.Errorf("%q is not understood in %q", word, line)
		}
		c.url = word
	}
	if c.url == "" {
		return curl{}, fmt.Errorf("%q names no URL", line)
	}
	return c.withDefaults(), nil
}

func (c *curl) set(flag, value string) error {
	switch flag {
	case "-X":
		c.method = value
	case "-m":
		c.endless = true
	case "-o":
		c.output = value
	case "-H":
		name, content, found := strings.Cut(value, ":")
		if !found {
			return fmt.Errorf("%q is not a header", value)
		}
		c.header.Add(name, strings.TrimSpace(content))
	case "-d":
		if c.body != nil || strings.HasPrefix(value, "@") {
			return fmt.Errorf("-d %q is not understood", value)
		}
		c.body = &value
	}
	return nil
}

// withDefaults adds what curl adds by itself.
func (c curl) withDefaults() curl {
	if !strings.Contains(c.url, "://") {
		c.url = "http://" + c.url
	}
	if c.body != nil && c.header.Get("Content-Type") == "" {
		c.header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.method == "" {
		c.method = http.MethodGet
		if c.body != nil {
			c.method = http.MethodPost
		}
	}
	c.header.Set("User-Agent", "curl/8")
	c.header.Set("Accept", "*/*")
	return c
}

// shellWords splits a line into words as a shell does. A character that a shell would expand or
// interpret is an error.
func shellWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == '"' && strings.ContainsRune("$`\\", r), quote == 0 && strings.ContainsRune("$`\\|&;<>()*?[#~", r):
			return nil, fmt.Errorf("%q has a %q that a shell would interpret", line, r)
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q has a quotation without an end", line)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// perform sends the request to the server at addr instead of the address in the command. It returns
// what curl would print. Files are written to dir.
func (c curl) perform(ctx context.Context, addr, dir string) (string, error) {
	var body io.Reader
	if c.body != nil {
		body = strings.NewReader(*c.body)
	}
	r, err := http.NewRequestWithContext(ctx, c.method, c.url, body)
	if err != nil {
		return "", err
	}
	r.Header = c.header
	var d net.Dialer
	transport := &http.Transport{
		DisableCompression: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return d.DialContext(ctx, network, addr)
		},
	}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r) // like curl, it follows no redirect
	if err != nil {
		return "", err
	}
	content, err := c.read(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return "", err
	}
	if c.output == "" {
		return string(content), nil
	}
	if answer.StatusCode != http.StatusOK || len(content) == 0 {
		return "", fmt.Errorf("got status %d and %d bytes for %s", answer.StatusCode, len(content), c.output)
	}
	return "", os.WriteFile(filepath.Join(dir, filepath.Base(c.output)), content, 0o600)
}

// read reads an answer to its end, or, if it is endless, to the end of the first event.
func (c curl) read(body io.Reader) ([]byte, error) {
	if !c.endless {
		return io.ReadAll(body)
	}
	var content []byte
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || len(line) == 1 {
			return bytes.TrimSuffix(content, []byte("\n")), err
		}
		content = append(content, line...)
	}
}

func TestParseCurl(t *testing.T) {
	c, err := parseCurl(`curl -s -X PUT 'localhost:8080/a?b=c&d' -H "If: x" -d '{"a": "b c"}'`)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.method, " ", c.url, " ", c.header.Get("If"), " ", *c.body, " ", c.header.Get("Content-Type"))
	want := `PUT http://localhost:8080/a?b=c&d x {"a": "b c"} application/x-www-form-urlencoded`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, line := range []string{
		"wget localhost", "curl", "curl -s", "curl --compressed localhost", "curl -k localhost", "curl a b",
		"curl localhost -d", "curl localhost -m", "curl localhost -d @file", "curl localhost -d a -d b", "curl localhost | head",
		"curl localhost?a=1&b=2", `curl "localhost/$HOME"`, "curl 'localhost", "curl localhost -H none",
	} {
		if c, err := parseCurl(line); err == nil {
			t.Errorf("%s: got %+v, want an error", line, c)
		}
	}
}
