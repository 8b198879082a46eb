package api_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/internal/api"
	"daybook/internal/budget"
)

var update = flag.Bool("update", false, "write the answers into the transcripts")

// A transcript is one session with a new server, in a form like the output of curl -v:
//
//	# Prose.
//
//	> POST /currency/add
//	> Header: value
//	{"code":"EUR"}
//	< 201 application/json
//	{"id":1,"code":"EUR","name":"EUR"}
//
// People write the prose and the requests, -update writes the answers. An exchange ends with an empty
// line. A body is sent as application/json unless there is a Content-Type; with an empty Content-Type
// the header is left out. {{a x 65}} means 65 times "a", and \xFF in a body means that byte (JSON has no
// such escape).
type transcript []passage

// passage is an exchange and the prose before it. The last passage may have only prose.
type passage struct {
	prose  string
	sent   string // the request in the form of the file, "" for none
	answer string // the answer in the form of the file
	line   int
}

// TestTranscripts: each request of a transcript gets the answer in its file. With -update the answers
// are rewritten.
func TestTranscripts(t *testing.T) {
	each(t, func(t *testing.T, file string) {
		script := readTranscript(t, file)
		exchanges := script.play(t)
		if *update {
			script.record(exchanges)
			script.write(t, file)
			return
		}
		script.compare(t, file, exchanges)
	})
}

// TestTranscriptsBesideAFeed plays every transcript while 64 clients post actuals to the same database.
// The answers are the same as without them, except where they name entries by their number, for an undo. It runs after
// TestTranscripts, which may rewrite the transcripts.
func TestTranscriptsBesideAFeed(t *testing.T) {
	each(t, func(t *testing.T, file string) {
		if name := filepath.Base(file); name == "undo.txt" || name == "batches.txt" {
			return
		}
		s := open(t)
		config := s.config()
		config.Journal, config.Ledger = withoutFeed{s.store}, budget.NewLedger(withoutFeed{s.store}, func() time.Time { return frozen })
		s.listen(t, api.New(config))
		f := s.startFeed(t)
		script := readTranscript(t, file)
		exchanges := script.playTo(t, s, func() { f.waitForPost(t) })
		f.stop()
		script.compare(t, file, exchanges)
		s.wantNoFailure(t)
		f.wantJournalled(t, len(exchanges))
	})
}

// compare reports every answer that differs from the file.
func (s transcript) compare(t *testing.T, file string, exchanges []exchange) {
	t.Helper()
	for i, e := range exchanges {
		if got, want := printed(e), s[i].answer; got != want {
			t.Errorf("%s:%d: %s %s\n got: %s\nwant: %s", file, s[i].line, e.method, e.target, got, want)
		}
	}
}

// record replaces the answers of the file.
func (s transcript) record(exchanges []exchange) {
	for i, e := range exchanges {
		s[i].answer = printed(e)
	}
}

// each runs a subtest for every transcript.
func each(t *testing.T, test func(t *testing.T, file string)) {
	for _, file := range transcripts(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, file)
		})
	}
}

func transcripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d transcripts, %v, want some", len(files), err)
	}
	return files
}

// play sends the requests of a transcript, in order, to a new server.
func (s transcript) play(t *testing.T) []exchange {
	t.Helper()
	web := serve(t)
	exchanges := s.playTo(t, web, func() {})
	web.wantNoFailure(t)
	return exchanges
}

// playTo is like play, with that server. It calls before before each request.
func (s transcript) playTo(t *testing.T, web *server, before func()) (exchanges []exchange) {
	t.Helper()
	for _, p := range s {
		if p.sent == "" {
			continue
		}
		before()
		r := p.request(t)
		exchanges = append(exchanges, exchange{r, web.do(t, r)})
	}
	return exchanges
}

// wantNoFailure checks that the log is empty, because no transcript contains a failure.
func (s *server) wantNoFailure(t *testing.T) {
	t.Helper()
	if failed := s.log.String(); failed != "" {
		t.Errorf("got the log %s, want none", failed)
	}
}

// request parses the request of a passage.
func (p passage) request(t *testing.T) request {
	t.Helper()
	r := request{header: http.Header{}}
	var body []string
	for i, line := range strings.Split(p.sent, "\n") {
		head, isHead := strings.CutPrefix(line, "> ")
		switch {
		case i == 0:
			r.method, r.target, _ = strings.Cut(expand(head), " ")
		case isHead && body == nil:
			name, value, _ := strings.Cut(expand(head), ":")
			r.header.Set(name, strings.TrimSpace(value))
		default:
			body = append(body, line)
		}
	}
	if body != nil {
		r.body = rawBytes(expand(strings.Join(body, "\n")))
	}
	return r
}

var (
	repetition = regexp.MustCompile(`\{\{(.+?) x (\d+)\}\}`)
	byteEscape = regexp.MustCompile(`\\x[0-9A-F]{2}`)
)

// expand replaces each {{a x 65}} by the text that it means.
func expand(s string) string {
	return repetition.ReplaceAllStringFunc(s, func(m string) string {
		parts := repetition.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2]) // the pattern has digits only
		return strings.Repeat(parts[1], n)
	})
}

func rawBytes(s string) []byte {
	return byteEscape.ReplaceAllFunc([]byte(s), func(m []byte) []byte {
		b, _ := strconv.ParseUint(string(m[2:]), 16, 8) // the pattern has two digits
		return []byte{byte(b)}
	})
}

// printed returns an answer in the form of a transcript.
func printed(e exchange) string {
	var b strings.Builder
	fmt.Fprintf(&b, "< %d %s\n", e.status, e.answer.header.Get("Content-Type"))
	for _, name := range []string{"Allow", "Location", "Retry-After", "Idempotency-Replayed", "X-Request-Id"} {
		value := e.answer.header.Get(name)
		if name == "X-Request-Id" && value != e.request.header.Get(name) {
			continue // an id that the server chose
		}
		if value != "" {
			fmt.Fprintf(&b, "< %s: %s\n", name, value)
		}
	}
	if body := settled(e); len(body) > 0 {
		b.Write(body)
		b.WriteByte('\n')
	}
	return b.String()
}

// settled returns the body of an answer without values that differ in each run, and with long texts
// shortened.
func settled(e exchange) []byte {
	path, _, _ := strings.Cut(e.target, "?")
	switch {
	case e.method == http.MethodHead || e.status != http.StatusOK:
	case strings.HasSuffix(strings.TrimSuffix(path, "/"), "/health"):
		return unmeasured(e.answer.body)
	case isDocument(path):
		return fmt.Appendf(nil, "(the document, which begins with %q)", e.answer.body[:8])
	}
	return shortened(e.answer.body)
}

var (
	measuredText   = regexp.MustCompile(`"(uptime|latency)":"[0-9.]+(h|m|s|ms|µs|ns)[0-9hms.]*"`)
	measuredNumber = regexp.MustCompile(`"(open_connections|in_use|idle|alloc_mb|sys_mb|num_gc|goroutines)":[0-9]+(\.[0-9]+)?([,}])`)
	goVersion      = regexp.MustCompile(`"go_version":"go1\.[^"]+"`)
)

// unmeasured returns a health object with its measured values replaced: durations by 1s, numbers by 1.
func unmeasured(body []byte) []byte {
	body = measuredText.ReplaceAll(body, []byte(`"$1":"1s"`))
	body = measuredNumber.ReplaceAll(body, []byte(`"$1":1$3`))
	return goVersion.ReplaceAll(body, []byte(`"go_version":"go1"`))
}

// shortened writes more than 50 equal bytes as a repetition, {{a x 65}}.
func shortened(body []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(body); {
		run := 1
		for i+run < len(body) && body[i+run] == body[i] {
			run++
		}
		if run > 50 {
			fmt.Fprintf(&b, "{{%c x %d}}", body[i], run)
		} else {
			b.Write(body[i : i+run])
		}
		i += run
	}
	return b.Bytes()
}

func readTranscript(t *testing.T, file string) transcript {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var script transcript
	var p passage
	const prose, sent, answered = 0, 1, 2
	at := prose
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i, line := range append(lines, "") {
		switch {
		case at != prose && line == "":
			script, p, at = append(script, p), passage{}, prose
		case at == prose && strings.HasPrefix(line, "> "):
			p.sent, p.line, at = line, i+1, sent
		case at == prose:
			p.prose += line + "\n"
		case at == sent && !strings.HasPrefix(line, "< "):
			p.sent += "\n" + line
		default:
			p.answer += line + "\n"
			at = answered
		}
	}
	if strings.TrimSpace(p.prose) != "" {
		script = append(script, p)
	}
	return script
}

func (s transcript) write(t *testing.T, file string) {
	t.Helper()
	var b strings.Builder
	for i, p := range s {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.prose)
		if p.sent != "" {
			b.WriteString(p.sent + "\n" + p.answer)
		}
	}
	if err := os.WriteFile(file, []byte(strings.TrimRight(b.String(), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
