package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// root is the path from this folder to the top of the repository.
var root = filepath.Join("..", "..")

func readAll(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const contributing = ".github/CONTRIBUTING.md"

// pages returns the paths of the README and of the pages of the manual, from the top of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	manual, err := filepath.Glob(filepath.Join(root, "web", "manual", "*.md"))
	if err != nil || len(manual) == 0 {
		t.Fatalf("got the manual %v, %v", manual, err)
	}
	pages := []string{"README.md"}
	for _, page := range manual {
		pages = append(pages, filepath.Join("web", "manual", filepath.Base(page)))
	}
	return pages
}

// wholeManual returns the text of all pages.
func wholeManual(t *testing.T) string {
	t.Helper()
	var whole strings.Builder
	for _, page := range pages(t) {
		whole.WriteString(readAll(t, page))
	}
	return whole.String()
}

// TestManualCommands runs the commands of each page in order, against a server with a new database. It
// compares what they print with the page. With -update it writes what they print into the page.
func TestManualCommands(t *testing.T) {
	called := map[string]bool{}
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) { runCommands(t, page, called) })
	}
	server, err := startServing(t.Context(), t.TempDir(), plainEnvironment(), "--db", "new.db", "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	testAllCalled(t, get(t, server.addr, "/openapi.json"), called)
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

func runCommands(t *testing.T, page string, called map[string]bool) {
	t.Helper()
	text := readAll(t, page)
	if page == filepath.FromSlash(feeds) || !strings.Contains(text, "\n$ curl") { // TestManualFeeds runs those of feeds
		return
	}
	dir := t.TempDir()
	server, err := startServing(t.Context(), dir, plainEnvironment(), "--db", "new.db", "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var rewritten strings.Builder
	imported := shownImport
	for _, part := range parseManual(text) {
		if part.command == "" {
			rewritten.WriteString(part.text)
			continue
		}
		c, err := parseCurl(part.command)
		if err != nil {
			t.Fatal(err)
		}
		c.url = strings.ReplaceAll(c.url, shownImport, imported)
		got, err := c.perform(t.Context(), server.addr, dir)
		if err != nil {
			t.Fatalf("%s: %v", part.command, err)
		}
		if id := importAnswered.FindStringSubmatch(got); id != nil {
			imported = id[1]
		}
		got = strings.ReplaceAll(got, imported, shownImport)
		if !sameAnswer(c.url, got, part.text) {
			if !*update {
				t.Errorf("$ %s\ngot  %s\nwant %s", part.command, got, part.text)
			}
			part.text = got
		}
		path, _, _ := strings.Cut(strings.TrimPrefix(c.url, "http://localhost:8080"), "?")
		called[c.method+" "+path] = true
		rewritten.WriteString("$ " + part.command + "\n")
		if part.text != "" {
			rewritten.WriteString(part.text + "\n")
		}
	}
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, page), []byte(rewritten.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// part is a part of a page: a command with its answer, or other text without a command.
type part struct{ command, text string }

// parseManual splits a page into parts, at the commands in its console blocks. An answer has no line
// end at its end.
func parseManual(page string) []part {
	parts := []part{{}}
	inConsole := false
	for line := range strings.Lines(page) {
		last := &parts[len(parts)-1]
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inConsole = line == "```console\n"
			parts = append(parts, part{text: line})
		case inConsole && isCommand:
			parts = append(parts, part{command: strings.TrimSuffix(command, "\n")})
		case inConsole && last.text != "":
			last.text += "\n" + strings.TrimSuffix(line, "\n")
		case inConsole:
			last.text = strings.TrimSuffix(line, "\n")
		default:
			last.text += line
		}
	}
	return parts
}

// shownImport is the id of an import in the manual. The real one differs in each run.
const shownImport = "K7QZ2M4XPB6TIVJ3NRW5C6YHDA"

var importAnswered = regexp.MustCompile(`^{"id":"([A-Z2-7]{26})"`)

// journalled matches the times and hashes of journal entries, which differ in each run.
var journalled = regexp.MustCompile(`"expires_at":"[^"]*"|"at":"[^"]*"|"received_at":"[^"]*"|"hash":"[0-9a-f]{64}"`)

// sameAnswer reports whether a command printed what the page says. Of an answer with measured values it
// compares only the shape, because the values differ in each run.
func sameAnswer(url, got, want string) bool {
	measured := func(path string) bool { return strings.HasSuffix(url, path) }
	if !slices.ContainsFunc([]string{"/health", "/api/v1/status", "/api/v1/backups"}, measured) {
		return journalled.ReplaceAllString(got, "") == journalled.ReplaceAllString(want, "")
	}
	var a, b any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	return shape(a) == shape(b) && (!measured("/health") || strings.HasPrefix(got, `{"status":"ok"`))
}

// shape returns the field names and types of a JSON value without the values.
func shape(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Sprintf("%T", v)
	}
	fields := make([]string, 0, len(object))
	for name, value := range object {
		fields = append(fields, name+":"+shape(value))
	}
	slices.Sort(fields)
	return fmt.Sprint(fields)
}

// testAllCalled checks that the manual has a command for every operation of the OpenAPI document,
// except those of the page's files, whose names change with each build.
func testAllCalled(t *testing.T, document string, called map[string]bool) {
	t.Helper()
	var description struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"` // operations, and what all of a path share
	}
	if err := json.Unmarshal([]byte(document), &description); err != nil {
		t.Fatal(err)
	}
	if len(description.Paths) < 30 {
		t.Errorf("got %d paths in the description, want at least 30", len(description.Paths))
	}
	parameter := regexp.MustCompile(`\\\{[a-z_]+\\\}`)
	for path, operations := range description.Paths {
		pattern := "/?$"
		if path != "/" {
			pattern = parameter.ReplaceAllString(regexp.QuoteMeta(strings.TrimSuffix(path, "/")), `[^/]+`) + pattern
		}
		for method, described := range operations {
			method = strings.ToUpper(method)
			if !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}, method) {
				continue
			}
			var of struct{ Tags []string }
			if err := json.Unmarshal(described, &of); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(of.Tags, "Page") {
				continue
			}
			operation := regexp.MustCompile("^" + method + " " + pattern)
			found := false
			for call := range called {
				found = found || operation.MatchString(call)
			}
			if !found {
				t.Errorf("the manual has no command for %s %s", method, path)
			}
		}
	}
}

// TestManualNamesTheCommandLine: every command, flag and variable that the manual names exists, and the
// manual names every one that exists.
func TestManualNamesTheCommandLine(t *testing.T) {
	manual := wholeManual(t)
	commands, flags := commandLine(newCommand(browse))
	for _, c := range commands {
		if !strings.Contains(manual, "`"+c+"`") {
			t.Errorf("the manual does not name %s", c)
		}
	}
	for _, c := range regexp.MustCompile("`(app [a-z ]+)`").FindAllStringSubmatch(manual, -1) {
		if !slices.Contains(commands, c[1]) {
			t.Errorf("the manual names %s, which does not exist", c[1])
		}
	}
	ofCurl := regexp.MustCompile(`--(data-binary|retry|retry-all-errors|max-time)\b[^-]`)
	named := regexp.MustCompile(`--([a-z][a-z-]*)`).FindAllStringSubmatch(ofCurl.ReplaceAllString(manual, ""), -1)
	testNames(t, "flag", flags, named)
	variables := make([]string, len(flags))
	for i, f := range flags {
		variables[i] = strings.ToUpper(strings.ReplaceAll(f, "-", "_"))
	}
	for _, v := range regexp.MustCompile(`APP_([A-Z_]+)`).FindAllStringSubmatch(manual, -1) {
		if !slices.Contains(variables, v[1]) {
			t.Errorf("the manual names APP_%s, which no flag has", v[1])
		}
	}
}

// commandLine returns the commands that can be run, and all flags.
func commandLine(c *cobra.Command) (commands, flags []string) {
	add := func(f *pflag.Flag) {
		if !slices.Contains(flags, f.Name) {
			flags = append(flags, f.Name)
		}
	}
	c.LocalFlags().VisitAll(add)
	if c.Runnable() {
		commands = append(commands, c.CommandPath())
	}
	for _, sub := range c.Commands() {
		below, more := commandLine(sub)
		commands = append(commands, below...)
		for _, name := range more {
			if !slices.Contains(flags, name) {
				flags = append(flags, name)
			}
		}
	}
	return commands, flags
}

func testNames(t *testing.T, what string, want []string, found [][]string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, f[1])
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("the manual names the %s %s, which does not exist", what, name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("the manual does not name the %s %s", what, name)
		}
	}
}

// TestManualNamesTheTargets: the README, the manual and CONTRIBUTING name exactly the targets that
// `make help` lists.
func TestManualNamesTheTargets(t *testing.T) {
	var targets []string
	for _, target := range regexp.MustCompile(`(?m)^([a-z]+):.*## `).FindAllStringSubmatch(readAll(t, "Makefile"), -1) {
		targets = append(targets, target[1])
	}
	manual := wholeManual(t) + readAll(t, contributing)
	named := regexp.MustCompile("(?m)(?:`|^    )make ([a-z]+)").FindAllStringSubmatch(manual, -1)
	testNames(t, "target", targets, named)
	for _, command := range []string{"    make run ", "    make test "} {
		if !strings.Contains(manual, "\n"+command) {
			t.Errorf("the README does not show %q", strings.TrimSpace(command))
		}
	}
}

// TestContributingMapsTheRooms: every file and folder that CONTRIBUTING names exists, and its table has
// a row for every folder in internal.
func TestContributingMapsTheRooms(t *testing.T) {
	rooms := readAll(t, contributing)
	for _, name := range regexp.MustCompile("`((?:cmd|db|internal|query|web)(?:/[A-Za-z_./]+)?)`").FindAllStringSubmatch(rooms, -1) {
		if _, err := os.Stat(filepath.Join(root, name[1])); err != nil {
			t.Errorf("CONTRIBUTING names %s: %v", name[1], err)
		}
	}
	folders, err := filepath.Glob(filepath.Join(root, "internal", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("got the folders %v, %v, want those in internal", folders, err)
	}
	for _, room := range folders {
		info, err := os.Stat(room)
		if err != nil {
			t.Fatal(err)
		}
		if row := "| `internal/" + filepath.Base(room) + "` |"; info.IsDir() && !strings.Contains(rooms, row) {
			t.Errorf("CONTRIBUTING has no row %s", row)
		}
	}
}

// TestManualLinks: each relative link of README, manual and DESIGN leads to a file, and to
// a heading of it.
func TestManualLinks(t *testing.T) {
	links := 0
	for _, page := range append(pages(t), "db/DESIGN.md", contributing) {
		for _, link := range regexp.MustCompile(`\]\(([^):]*)\)`).FindAllStringSubmatch(readAll(t, page), -1) {
			links++
			name, heading, _ := strings.Cut(link[1], "#")
			if name = filepath.Join(filepath.Dir(page), name); strings.HasPrefix(link[1], "#") {
				name = page
			}
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			} else if heading != "" && !slices.Contains(headings(readAll(t, name)), heading) {
				t.Errorf("%s links to %s: the heading does not exist", page, link[1])
			}
		}
	}
	if links < 10 {
		t.Errorf("found %d links, want at least 10", links)
	}
}

// headings returns the anchors of a page's headings, as GitHub makes them.
func headings(page string) (anchors []string) {
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		words := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(h[1]), "")
		anchors = append(anchors, strings.ReplaceAll(words, " ", "-"))
	}
	return anchors
}

// TestManualNamesTests: each test that the manual or DESIGN names exists.
func TestManualNamesTests(t *testing.T) {
	var code strings.Builder
	for _, pattern := range []string{"cmd/*/*_test.go", "cmd/*/*/*_test.go", "db/*/*_test.go", "db/*/*/*_test.go", "db/storetest/*.go", "internal/*/*_test.go", "internal/*/*/*_test.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(data)
		}
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)(\\.\\.\\.)?`").FindAllStringSubmatch(wholeManual(t)+readAll(t, "db/DESIGN.md"), -1)
	if len(named) < 40 {
		t.Errorf("found %d names of tests, want at least 40", len(named))
	}
	for _, test := range named {
		declared := "func " + test[1] + "("
		if test[2] != "" {
			declared = "func " + test[1]
		}
		if !strings.Contains(code.String(), declared) {
			t.Errorf("the manual or DESIGN names %s, which does not exist", test[1])
		}
	}
}
