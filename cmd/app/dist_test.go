package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestDistDependsOnTheSourceAlone runs `make dist` for this machine in two copies of the source, at
// different paths and with different settings of the compiler. Both builds have the same checksums,
// and SHA256SUMS has the checksums of the files.
func TestDistDependsOnTheSourceAlone(t *testing.T) {
	here, there := copyOfSource(t, "here"), copyOfSource(t, filepath.Join("somewhere", "else"))
	sums := dist(t, here, "CGO_ENABLED=0")
	if got := dist(t, there, "GOFLAGS=-gcflags=-N", "GOAMD64=v3", "GOARM64=v8.1", "CGO_ENABLED=1", "GOFIPS140=latest"); got != sums {
		t.Errorf("got the checksums\n%swant those of the other copy\n%s", got, sums)
	}
	name := "daybook-v0-test-" + runtime.GOOS + "-" + runtime.GOARCH
	file := filepath.Join(here, "dist", name)
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	licenses, err := os.ReadFile(filepath.Join(here, "dist", "LICENSES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x  %s\n%x  LICENSES.txt\n", sha256.Sum256(program), name, sha256.Sum256(licenses)); sums != want {
		t.Errorf("got the checksums\n%swant those of the files\n%s", sums, want)
	}
	if got, most := len(program), 32_000_000; got > most {
		t.Errorf("got an executable of %d bytes, want at most %d", got, most)
	}
	if bytes.Contains(program, []byte(here)) {
		t.Errorf("the executable contains the path %s, where it was built, want no path", here)
	}
	if r := runIn(t, t.TempDir(), file, "version"); !strings.HasPrefix(r.stdout, "Daybook v0-test (go") {
		t.Errorf("got %+v, want its version", r)
	}
	if r := runIn(t, t.TempDir(), file, "licenses"); r.err != nil || r.stdout != string(licenses) {
		t.Errorf("got %d bytes of licences, %v, want the %d beside the executable", len(r.stdout), r.err, len(licenses))
	}
	if !bytes.Contains(licenses, []byte("mousetrap")) {
		t.Error("LICENSES.txt lacks mousetrap, which only Windows links, want the modules of all platforms, not only of PLATFORMS")
	}
}

// dist runs `make dist` in a copy of the source and returns SHA256SUMS.
func dist(t *testing.T, source string, environment ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", "dist", "VERSION=v0-test", "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
	command.Dir = source
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "MAKE") && !strings.HasPrefix(setting, "MFLAGS") { // without the settings of a make that runs this test
			command.Env = append(command.Env, setting)
		}
	}
	command.Env = append(command.Env, environment...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("make dist: %v\n%s", err, out)
	}
	sums, err := os.ReadFile(filepath.Join(source, "dist", "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	return string(sums)
}

// copyOfSource copies the files of the working tree that git tracks, and new ones that it does not
// ignore.
func copyOfSource(t *testing.T, name string) string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	files, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	top := filepath.Join(t.TempDir(), name)
	for file := range strings.Lines(string(files)) {
		file = strings.TrimSpace(file)
		target := filepath.Join(top, file)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, []byte(readAll(t, file)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// TestReadmeNamesTheExecutables: the README names exactly the executables that `make dist` builds.
func TestReadmeNamesTheExecutables(t *testing.T) {
	platforms := regexp.MustCompile(`(?m)^RELEASED := (.+)$`).FindStringSubmatch(readAll(t, "Makefile"))
	if platforms == nil {
		t.Fatal("the Makefile has no RELEASED")
	}
	var want []string
	for platform := range strings.FieldsSeq(platforms[1]) {
		name := "daybook-VERSION-" + strings.ReplaceAll(platform, "/", "-")
		if strings.HasPrefix(platform, "windows/") {
			name += ".exe"
		}
		want = append(want, name)
	}
	got := regexp.MustCompile(`daybook-VERSION-[a-z0-9-]+(\.exe)?`).FindAllString(readAll(t, "web/manual/operations.md"), -1)
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
