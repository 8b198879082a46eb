package main

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"daybook/web"
)

// TestLicenses: the command prints the licences in the program. If there are none, its error says how
// to build a program with them.
func TestLicenses(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("the licences\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		page       fstest.MapFS
		want, fail string
	}{
		"built":   {page: fstest.MapFS{"licenses.txt.gz": {Data: packed.Bytes()}}, want: "the licences\n"},
		"unbuilt": {fail: "`make build` puts both into bin/app"},
		"damaged": {page: fstest.MapFS{"licenses.txt.gz": {Data: packed.Bytes()[:packed.Len()-9]}}, fail: "unexpected EOF"},
	} {
		var out bytes.Buffer
		command := licensesCommand(row.page)
		command.SetArgs(nil)
		command.SetOut(&out)
		command.SilenceErrors, command.SilenceUsage = true, true
		err := command.Execute()
		if out.String() != row.want || err == nil != (row.fail == "") || err != nil && !strings.Contains(err.Error(), row.fail) {
			t.Errorf("%s: got %q, %v, want %q and the error %q", name, out.String(), err, row.want, row.fail)
		}
	}
}

// TestTheBuiltPageHasItsLicences: a program that has the page has the licence of every
// module and package in it. As a control, a package that does not exist is reported missing.
func TestTheBuiltPageHasItsLicences(t *testing.T) {
	text, err := licenses(web.Files())
	if _, unbuilt := fs.Stat(web.Files(), "index.html.gz"); unbuilt != nil {
		if err == nil {
			t.Error("a program without a page: got licences, want an error")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := append(shippedModules(t), "Daybook", "Go and its standard library")
	for _, name := range []string{"svelte", "d3-scale", "d3-hierarchy", "bits-ui", "marked"} {
		want = append(want, "in the page: "+name)
	}
	if missing := unlicensed(string(text), want); len(missing) > 0 {
		t.Errorf("got no licence of %v, want one of each; `make build` writes them again", missing)
	}
	invented := append(slices.Clone(want), "example.com/invented v1.0.0", "in the page: invented")
	if got := unlicensed(string(text), invented); len(got) != 2 {
		t.Errorf("as a control: got %v reported missing, want the two invented parts", got)
	}
}

// unlicensed returns the parts without a licence in the text.
func unlicensed(text string, parts []string) (missing []string) {
	headed := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^={80}\n(.+)\n={80}$`).FindAllStringSubmatch(text, -1) {
		headed[heading[1]] = true
		list, _, _ := strings.Cut(heading[1], ", in ")
		for name := range strings.SplitSeq(list, ", ") {
			name, _, _ = strings.Cut(name, " ")
			headed["in the page: "+name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return headed[part] })
}

// shippedModules returns the modules that the program links on any platform of a release.
func shippedModules(t *testing.T) (modules []string) {
	t.Helper()
	platforms := regexp.MustCompile(`(?m)^RELEASED := (.+)$`).FindStringSubmatch(readAll(t, "Makefile"))
	if platforms == nil {
		t.Fatal("the Makefile has no RELEASED")
	}
	for platform := range strings.FieldsSeq(platforms[1]) {
		system, processor, _ := strings.Cut(platform, "/")
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "nomsgpack",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./cmd/app")
		list.Dir, list.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, strings.Split(strings.TrimSpace(string(out)), "\n")...)
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}
