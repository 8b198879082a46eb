// Package internal_test checks the structure of the repository: which package may import which, what the
// product links, and which files are at the top.
package internal_test

import (
	"encoding/json"
	"errors"
	"go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// root is the path from this folder to the top of the repository.
const root = ".."

// rule says what a package may import.
type rule struct {
	ours   []string // packages of this repository, without "daybook/"
	others []string // packages of other modules; a name includes everything below it
	never  []string // packages of the standard library that it may not import, with everything below them
}

var (
	values  = []string{"internal/bulk", "internal/fault", "internal/field", "internal/listing", "internal/money", "internal/quality", "internal/text", "internal/fiscal"}
	domains = append([]string{"internal/trading", "internal/budget"}, values...)
	// The packages about every request, whatever its domain.
	traces = []string{"internal/journal", "internal/idempotency", "internal/access", "internal/batch", "internal/mapping"}
	// What a package that has only rules must not import.
	impure = []string{"database", "encoding/json", "log", "net", "os", "testing"}
	noSQL  = []string{"database", "testing"}
)

// table says which package may import which. Every package needs a row.
var table = map[string]rule{
	"internal/fault":                {never: impure},
	"internal/text":                 {others: []string{"golang.org/x/text/cases", "golang.org/x/text/unicode/norm"}, never: impure},
	"internal/field":                {ours: []string{"internal/fault", "internal/money", "internal/text"}, others: []string{"github.com/go-json-experiment/json/jsontext"}, never: impure},
	"internal/fiscal":               {never: impure},
	"internal/listing":              {never: impure},
	"internal/money":                {ours: []string{"internal/text"}, never: impure},
	"internal/quality":              {ours: []string{"internal/fiscal", "internal/money", "internal/text"}, never: impure},
	"internal/journal":              {ours: []string{"internal/text"}, others: []string{"github.com/go-json-experiment/json/jsontext"}, never: impure},
	"internal/idempotency":          {never: impure},
	"internal/metrics":              {others: []string{"github.com/prometheus/client_golang/prometheus", "github.com/prometheus/common/expfmt"}, never: append([]string{"encoding/json", "log"}, noSQL...)},
	"internal/access":               {ours: []string{"internal/fault", "internal/text"}, never: impure},
	"internal/disk":                 {others: []string{"golang.org/x/sys"}, never: append([]string{"encoding/json", "log", "net"}, noSQL...)},
	"internal/backup":               {ours: []string{"internal/disk", "internal/fault", "internal/journal", "internal/text"}, others: []string{"github.com/go-json-experiment/json"}, never: []string{"database", "encoding/json", "net", "testing"}},
	"internal/batch":                {ours: []string{"internal/fault", "internal/field", "internal/journal", "internal/text"}, never: impure},
	"internal/bulk":                 {ours: []string{"internal/batch", "internal/fault"}, never: impure},
	"internal/mapping":              {ours: []string{"internal/field", "internal/text"}, never: impure},
	"internal/trading":              {ours: append([]string{"internal/idempotency"}, values...), never: impure},
	"internal/budget":               {ours: append([]string{"internal/idempotency"}, values...), never: impure},
	"internal/seed":                 {ours: domains, never: impure},
	"internal/api":                  {ours: slices.Concat([]string{"internal/accept", "internal/api/gate", "internal/backup", "internal/commit", "internal/exchange", "internal/imports", "internal/metrics", "internal/seed", "internal/spool", "internal/statement"}, traces, domains), others: []string{"github.com/gin-gonic/gin", "golang.org/x/sync", "golang.org/x/time/rate", "github.com/go-json-experiment/json", "github.com/goccy/go-yaml"}, never: noSQL},
	"internal/api/gate":             {ours: append([]string{"internal/fault"}, traces...), others: []string{"golang.org/x/time/rate"}, never: append([]string{"encoding/json", "log"}, noSQL...)},
	"internal/accept":               {never: impure},
	"internal/spool":                {never: append([]string{"encoding/json", "log", "net"}, noSQL...)},
	"internal/commit":               {ours: append([]string{"internal/batch", "internal/exchange", "internal/sorted", "internal/spool"}, domains...), never: append([]string{"encoding/json", "log", "net", "os"}, noSQL...)},
	"internal/sorted":               {ours: []string{"internal/spool"}, never: append([]string{"encoding/json", "log", "net", "os"}, noSQL...)},
	"internal/server":               {ours: []string{"internal/disk"}, others: []string{"github.com/coreos/go-systemd/v22/daemon"}, never: []string{"database", "encoding/json", "testing"}},
	"internal/imports":              {ours: []string{"internal/batch", "internal/bulk", "internal/commit", "internal/exchange", "internal/fault", "internal/mapping", "internal/spool", "internal/tables", "internal/text"}, never: append([]string{"encoding/json", "log", "net", "os"}, noSQL...)},
	"internal/settings":             {ours: []string{"internal/disk", "internal/text"}, others: []string{"github.com/pelletier/go-toml/v2", "github.com/spf13/pflag"}, never: append([]string{"encoding/json", "log", "net"}, noSQL...)},
	"internal/tables":               {ours: []string{"internal/text"}, others: []string{"github.com/go-json-experiment/json/jsontext", "golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/unicode", "golang.org/x/text/transform", "golang.org/x/text/unicode/norm"}, never: append([]string{"encoding/json", "log", "net"}, noSQL...)},
	"internal/exchange":             {ours: append([]string{"internal/tables"}, domains...), others: []string{"github.com/go-json-experiment/json", "golang.org/x/text/unicode/norm"}, never: append([]string{"encoding/json", "log", "net", "os"}, noSQL...)},
	"internal/statement":            {ours: []string{"internal/budget", "internal/money", "internal/tables", "internal/text"}, never: append([]string{"encoding/json", "log", "net", "os"}, noSQL...)},
	"internal/wiretest":             {never: append([]string{"encoding/json", "net/http"}, noSQL...)},
	"db/records":                    {ours: slices.Concat([]string{"internal/backup"}, traces, domains), others: []string{"github.com/go-json-experiment/json/jsontext"}, never: append([]string{"encoding/json", "io/fs", "net", "os"}, noSQL...)},
	"db/sqlite":                     {ours: slices.Concat([]string{"db/records", "db/sqlite/backup", "db/sqlite/chain", "db/sqlite/file", "db/sqlite/internal/cursor", "db/sqlite/internal/gen", "db/sqlite/internal/turns", "db/sqlite/rows", "db/sqlite/schema", "db/sqlite/sqlerr", "db/sqlite/verify", "internal/backup", "internal/disk", "internal/exchange", "internal/metrics"}, traces, domains), never: []string{"net/http", "encoding/json", "testing"}},
	"db/sqlite/backup":              {ours: slices.Concat([]string{"db/records", "db/sqlite/chain", "db/sqlite/file", "db/sqlite/internal/gen", "db/sqlite/rows", "db/sqlite/schema", "db/sqlite/sqlerr", "db/sqlite/verify", "internal/access", "internal/backup", "internal/disk", "internal/fault", "internal/journal"}), others: []string{"modernc.org/sqlite/lib"}, never: []string{"encoding/json", "net", "testing"}},
	"db/sqlite/chain":               {ours: []string{"db/sqlite/internal/cursor", "db/sqlite/internal/gen", "db/sqlite/rows", "db/sqlite/sqlerr", "internal/fault", "internal/journal"}, never: []string{"encoding/json", "net", "os", "testing"}},
	"db/sqlite/file":                {ours: []string{"db/sqlite/internal/cursor", "db/sqlite/internal/gen", "db/sqlite/schema", "db/sqlite/sqlerr", "internal/backup", "internal/disk", "internal/fault", "internal/journal", "internal/text"}, others: []string{"modernc.org/sqlite"}, never: []string{"encoding/json", "net/http", "testing"}},
	"db/sqlite/internal/sqlitetest": {ours: slices.Concat([]string{"db/records", "db/sqlite/backup", "db/sqlite/chain", "db/sqlite/file", "db/sqlite/internal/gen", "db/sqlite/migrations", "db/sqlite/rows", "db/sqlite/schema", "db/sqlite/verify", "db/storetest", "internal/backup"}, traces, domains), never: []string{"net", "encoding/json"}},
	"db/sqlite/migrations":          {never: append([]string{"encoding/json", "net", "os"}, noSQL...)},
	"db/sqlite/rows":                {ours: slices.Concat([]string{"db/records", "db/sqlite/internal/cursor", "db/sqlite/internal/gen", "db/sqlite/sqlerr", "internal/access", "internal/backup", "internal/batch", "internal/journal", "internal/mapping"}, domains), never: []string{"encoding/json", "net", "os", "testing"}},
	"db/sqlite/schema":              {ours: []string{"db/sqlite/internal/gen", "db/sqlite/migrations", "internal/text"}, others: []string{"github.com/pressly/goose/v3", "modernc.org/sqlite"}, never: []string{"encoding/json", "net", "os", "testing"}},
	"db/sqlite/sqlerr":              {ours: []string{"internal/fault", "internal/idempotency"}, others: []string{"modernc.org/sqlite/lib"}, never: []string{"encoding/json", "net", "os", "testing"}},
	"db/sqlite/verify":              {ours: slices.Concat([]string{"db/records", "db/sqlite/chain", "db/sqlite/file", "db/sqlite/internal/gen", "db/sqlite/rows", "db/sqlite/schema", "db/sqlite/sqlerr", "internal/text"}, traces, domains), others: []string{"github.com/go-json-experiment/json/jsontext"}, never: []string{"encoding/json", "net", "os", "testing"}},
	"db/sqlite/internal/cursor":     {others: []string{"modernc.org"}, never: []string{"database", "net", "encoding/json", "testing"}},
	"db/sqlite/internal/faultdisk":  {others: []string{"modernc.org"}, never: []string{"net", "encoding/json"}},
	"db/sqlite/internal/turns":      {ours: []string{"internal/fault"}, never: append([]string{"net", "encoding/json"}, noSQL...)},
	"db/sqlite/internal/gen":        {never: []string{"net", "encoding/json", "testing"}},
	"db/storetest":                  {ours: slices.Concat([]string{"db/records"}, traces, domains), others: []string{"github.com/google/go-cmp"}, never: []string{"database", "net"}},
	"web":                           {ours: []string{"internal/accept"}, never: append([]string{"encoding/json", "log", "os"}, noSQL...)},
	"web/compress":                  {never: append([]string{"encoding/json", "net", "testing"}, noSQL...)},
	"web/licenses":                  {never: append([]string{"net"}, noSQL...)},
	"cmd/app":                       {ours: slices.Concat([]string{"db/records", "db/sqlite", "db/sqlite/backup", "db/sqlite/file", "db/sqlite/verify", "internal/api", "internal/api/gate", "internal/backup", "internal/disk", "internal/exchange", "internal/imports", "internal/seed", "internal/server", "internal/settings", "internal/spool", "web"}, traces, domains), others: []string{"github.com/go-json-experiment/json", "github.com/spf13/cobra", "github.com/spf13/pflag"}, never: noSQL},
	"cmd/pack":                      {never: append([]string{"net"}, noSQL...)},
	"cmd/bench":                     {ours: slices.Concat([]string{"db/sqlite", "internal/api", "internal/disk", "internal/journal", "internal/metrics", "internal/server"}, domains), never: []string{"testing"}},
}

// allows reports whether a package under the rule may import another.
func (r rule) allows(imported string) bool {
	if room, ours := strings.CutPrefix(imported, "daybook/"); ours {
		return slices.Contains(r.ours, room)
	}
	if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
		return within(imported, r.others)
	}
	return imported != "C" && !within(imported, r.never)
}

func within(imported string, tops []string) bool {
	return slices.ContainsFunc(tops, func(top string) bool {
		return imported == top || strings.HasPrefix(imported, top+"/")
	})
}

// TestPackagesImportWhatTheyMay: no package imports more than its row of the table allows, and each row
// has a package.
func TestPackagesImportWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for room, imports := range packages(t) {
		seen[room] = true
		rule, known := table[room]
		if !known {
			t.Errorf("the package %s has no row in the table, want one", room)
			continue
		}
		for _, imported := range imports {
			if !rule.allows(imported) {
				t.Errorf("%s imports %s, which the table does not allow", room, imported)
			}
		}
	}
	for room := range table {
		if !seen[room] {
			t.Errorf("the table has a row for %s, want none, because there is no such package", room)
		}
	}
}

// TestTheTableForbids: the table forbids the imports that matter most.
func TestTheTableForbids(t *testing.T) {
	for _, c := range []struct{ room, imported string }{
		{"internal/fault", "daybook/internal/text"},
		{"internal/money", "daybook/internal/fault"},
		{"internal/trading", "daybook/internal/budget"},
		{"internal/trading", "net/http"},
		{"internal/budget", "daybook/internal/trading"},
		{"internal/budget", "database/sql"},
		{"internal/budget", "encoding/json"},
		{"internal/budget", "encoding/json/v2"},
		{"internal/backup", "daybook/db/sqlite"},
		{"internal/backup", "database/sql"},
		{"internal/seed", "daybook/db/sqlite"},
		{"internal/tables", "daybook/internal/budget"},
		{"internal/tables", "daybook/internal/trading"},
		{"internal/exchange", "daybook/db/sqlite"},
		{"internal/exchange", "net/http"},
		{"internal/api", "daybook/db/sqlite"},
		{"internal/api", "database/sql"},
		{"internal/api", "modernc.org/sqlite"},
		{"internal/api", "daybook/internal/wiretest"},
		{"internal/api", "daybook/web"},
		{"internal/api/gate", "daybook/internal/api"},
		{"internal/api/gate", "daybook/internal/trading"},
		{"internal/api/gate", "github.com/gin-gonic/gin"},
		{"internal/server", "daybook/internal/api"},
		{"internal/settings", "github.com/spf13/cobra"},
		{"internal/server", "daybook/internal/wiretest"},
		{"internal/server", "github.com/gin-gonic/gin"},
		{"db/sqlite", "daybook/internal/api"},
		{"db/sqlite", "github.com/gin-gonic/gin"},
		{"db/sqlite", "modernc.org/sqlite2"},
		{"db/records", "daybook/db/sqlite"},
		{"db/records", "database/sql"},
		{"db/sqlite/schema", "daybook/db/sqlite/file"},
		{"db/sqlite/file", "daybook/db/sqlite/verify"},
		{"db/sqlite/verify", "daybook/db/sqlite/backup"},
		{"db/sqlite/backup", "daybook/db/sqlite"},
		{"web", "daybook/internal/api"},
		{"cmd/app", "github.com/gin-gonic/gin"},
		{"cmd/app", "C"},
	} {
		if table[c.room].allows(c.imported) {
			t.Errorf("got %s allowed to import %s, want that forbidden", c.room, c.imported)
		}
	}
}

// packages returns the imports of every package of the product without its tests, on any system and with
// any tags.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	everything := build.Default
	everything.UseAllFiles = true
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); dir != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "bin") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != root {
			return filepath.SkipDir // another module
		}
		p, err := everything.ImportDir(dir, 0)
		if _, none := errors.AsType[*build.NoGoError](err); none {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.GoFiles)+len(p.CgoFiles) == 0 {
			return nil
		}
		room, err := filepath.Rel(root, dir)
		found[filepath.ToSlash(room)] = p.Imports
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTheProductNeedsNoCompilerOfC: no package that the product links uses cgo, except the standard
// library, and that only if cgo is enabled. Our builds disable it.
func TestTheProductNeedsNoCompilerOfC(t *testing.T) {
	linked := 0
	for _, p := range list(t, "CGO_ENABLED=1", "-deps", "-tags", "nomsgpack", "./cmd/app") {
		linked++
		if !p.Standard && (len(p.CgoFiles) > 0 || slices.Contains(p.Imports, "C")) {
			t.Errorf("got %s with cgo, want it without", p.ImportPath)
		}
	}
	if linked < 100 {
		t.Errorf("got %d packages linked, want at least 100", linked)
	}
	for _, p := range list(t, "CGO_ENABLED=0", "-deps", "-tags", "nomsgpack", "./cmd/app") {
		if p.ImportPath == "runtime/cgo" || len(p.CgoFiles) > 0 {
			t.Errorf("a build without cgo: got %s linked, want no package with cgo", p.ImportPath)
		}
	}
}

// TestLibcIsTheDriversOwn: go.mod has the version of libc that the SQLite driver requires. The driver is
// generated for that version and breaks with others.
func TestLibcIsTheDriversOwn(t *testing.T) {
	const driver, libc = "modernc.org/sqlite", "modernc.org/libc"
	got := strings.TrimSpace(run(t, "CGO_ENABLED=0", "list", "-m", "-f", "{{.Version}}", libc))
	file := strings.TrimSpace(run(t, "CGO_ENABLED=0", "list", "-m", "-f", "{{.GoMod}}", driver))
	var module struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal([]byte(run(t, "CGO_ENABLED=0", "mod", "edit", "-json", file)), &module); err != nil {
		t.Fatal(err)
	}
	for _, required := range module.Require {
		if required.Path != libc {
			continue
		}
		if got != required.Version {
			t.Errorf("got %s %s, want %s, which %s is made for", libc, got, required.Version, driver)
		}
		return
	}
	t.Errorf("got no requirement of %s in %s, want one", libc, driver)
}

// listed is what `go list -json` prints about a package.
type listed struct {
	ImportPath string
	Standard   bool
	CgoFiles   []string
	Imports    []string
}

func list(t *testing.T, environment string, args ...string) []listed {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(run(t, environment, append([]string{"list", "-json=ImportPath,Standard,CgoFiles,Imports"}, args...)...)))
	var packages []listed
	for {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// run runs the go command at the root. It also reads the files that the command reads, so that the cache
// of test results notices a change.
func run(t *testing.T, environment string, args ...string) string {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		if _, err := os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	packages(t)
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = root
	command.Env = append(os.Environ(), environment)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return string(out)
}

// TestRoomsFitOnAScreen: a folder has at most 42 product files of Go, and a file has at most 400 lines,
// so that a person can read them. Generated code does not count.
func TestRoomsFitOnAScreen(t *testing.T) {
	const mostFiles, mostLines = 42, 400
	counts := map[string]int{}
	for room := range packages(t) {
		if room == "db/sqlite/internal/gen" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".gen.go") {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			counts[room]++
			if lines := strings.Count(string(content), "\n"); lines > mostLines {
				t.Errorf("%s has %d lines, want at most %d", file, lines, mostLines)
			}
		}
		if counts[room] > mostFiles {
			t.Errorf("%s has %d files, want at most %d", room, counts[room], mostFiles)
		}
	}
	if counts["internal/api"] < 20 {
		t.Errorf("got %d files in internal/api, want at least 20", counts["internal/api"])
	}
}

// TestTopLevel: the top folder, which a newcomer sees first, has exactly these names. Files that git
// does not track do not count.
func TestTopLevel(t *testing.T) {
	want := []string{"LICENSE", "Makefile", "README.md", "cmd", "db", "go.mod", "go.sum", "internal", "query", "web"}
	list := exec.CommandContext(t.Context(), "git", "ls-files")
	list.Dir = root
	files, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var got []string
	for file := range strings.Lines(string(files)) {
		name, _, _ := strings.Cut(strings.TrimSpace(file), "/")
		if !strings.HasPrefix(name, ".") && !slices.Contains(got, name) {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v at the top, want %v", got, want)
	}
}

// TestPagesAreShort: the pages that a newcomer reads first stay short.
func TestPagesAreShort(t *testing.T) {
	for page, most := range map[string]struct{ bytes, lines, characters int }{
		"README.md":    {bytes: 10 << 10, lines: 140, characters: 250},
		"db/DESIGN.md": {bytes: 18 << 10, lines: 140, characters: 160},
	} {
		content, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		lines, longest := strings.Count(string(content), "\n"), 0
		for line := range strings.Lines(string(content)) {
			longest = max(longest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
		}
		if len(content) > most.bytes || lines > most.lines || longest > most.characters {
			t.Errorf("%s has %d bytes and %d lines of up to %d characters, want at most %d, %d and %d: move details into the manual or beside the code",
				page, len(content), lines, longest, most.bytes, most.lines, most.characters)
		}
	}
}

// TestSlowTestsExist: `make check` skips the slow tests that the Makefile names. Each name is that of a
// test, because a renamed test would no longer be skipped.
func TestSlowTestsExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file) // #nosec G122 -- the repository's own files
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			tests[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slow := 0
	for _, line := range regexp.MustCompile(`(?m)^SLOW := .*$`).FindAllString(string(makefile), -1) {
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(line, -1) {
			slow++
			if !tests[name] {
				t.Errorf("the Makefile skips %s, want the name of a test", name)
			}
		}
	}
	if slow == 0 {
		t.Error("got no slow test in the Makefile, want some")
	}
}

// TestNoTestIsLeftOut: `make unraced` finds the files of tests that are built only without the race detector by
// their first line. A file that says it in another way would run nowhere in `make test`.
func TestNoTestIsLeftOut(t *testing.T) {
	const first = "//go:build !race\n"
	found := 0
	for _, top := range []string{"cmd", "db", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, "_test.go") {
				return err
			}
			source, err := os.ReadFile(file) // #nosec G122 -- the repository's own files
			for _, line := range regexp.MustCompile(`(?m)^//go:build .*!race.*$`).FindAllString(string(source), -1) {
				found++
				if !strings.HasPrefix(string(source), first) {
					t.Errorf("%s is built for %q, want its first line to be %q", file, line, first)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 10 {
		t.Errorf("got %d files that are built without the race detector, want at least 10", found)
	}
}
