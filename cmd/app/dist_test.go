package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
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
// different paths, with different settings of the compiler, and with another umask and time zone. Both builds have
// the same checksums, and SHA256SUMS has the checksums of the files.
func TestDistDependsOnTheSourceAlone(t *testing.T) {
	here, there := copyOfSource(t, "here"), copyOfSource(t, filepath.Join("somewhere", "else"))
	sums := dist(t, here, "022", "CGO_ENABLED=0")
	if got := dist(t, there, "077", "TZ=Asia/Tokyo", "GOFLAGS=-gcflags=-N", "GOAMD64=v3", "GOARM64=v8.1", "CGO_ENABLED=1", "GOFIPS140=latest"); got != sums {
		t.Errorf("got the checksums\n%swant those of the other copy\n%s", got, sums)
	}
	var want strings.Builder
	files, err := os.ReadDir(filepath.Join(here, "dist"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Name() == "SHA256SUMS" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(here, "dist", file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(content), file.Name())
	}
	if sums != want.String() {
		t.Errorf("got the checksums\n%swant those of the files\n%s", sums, want.String())
	}
	name := "daybook-v0-test-" + runtime.GOOS + "-" + runtime.GOARCH
	unpacked := unpack(t, filepath.Join(here, "dist", name+".tar.gz"))
	checkProgram(t, filepath.Join(unpacked, name), here)
	checkDocuments(t, filepath.Join(unpacked, name))
	checkParts(t, filepath.Join(here, "dist", name+".cdx.json"), filepath.Join(unpacked, name, "daybook"))
}

// checkParts checks that a bill of materials names each module of a program, and the packages of its page.
func checkParts(t *testing.T, file, program string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	of, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pkg:golang/stdlib@" + strings.TrimPrefix(of.GoVersion, "go"), "pkg:npm/svelte@", "pkg:npm/%40lucide/svelte@", "The font Inter"}
	for _, m := range of.Deps {
		want = append(want, "pkg:golang/"+m.Path+"@"+m.Version+`"`)
	}
	if len(want) < 40 {
		t.Errorf("got %d parts of the program, want at least 40", len(want))
	}
	for _, part := range want {
		if !bytes.Contains(content, []byte(part)) {
			t.Errorf("%s lacks %s", file, part)
		}
	}
}

// unpack returns a folder with what is in a tar.gz.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "tar", "-xzf", archive, "-C", folder).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return folder
}

// checkProgram checks the program of an unpacked archive that was built in source.
func checkProgram(t *testing.T, folder, source string) {
	t.Helper()
	file := filepath.Join(folder, "daybook")
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, most := len(program), 32_000_000; got > most {
		t.Errorf("got an executable of %d bytes, want at most %d", got, most)
	}
	if bytes.Contains(program, []byte(source)) {
		t.Errorf("the executable contains the path %s, where it was built, want no path", source)
	}
	if r := runIn(t, t.TempDir(), file, "version"); !strings.HasPrefix(r.stdout, "Daybook v0-test (go") {
		t.Errorf("got %+v, want its version", r)
	}
	licenses, err := os.ReadFile(filepath.Join(folder, "LICENSES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if r := runIn(t, t.TempDir(), file, "licenses"); r.err != nil || r.stdout != string(licenses) {
		t.Errorf("got %d bytes of licences, %v, want the %d beside the executable", len(r.stdout), r.err, len(licenses))
	}
	if !bytes.Contains(licenses, []byte("mousetrap")) {
		t.Error("LICENSES.txt lacks mousetrap, which only Windows links, want the modules of all platforms, not only of PLATFORMS")
	}
	// It calls itself what its user calls it.
	r := runIn(t, t.TempDir(), file, "serve", "--require-token")
	if !strings.HasPrefix(r.stderr, "daybook: ") || !strings.Contains(r.stderr, "`daybook token create --db app.db ") {
		t.Errorf("got the error %q, want it to speak of daybook", r.stderr)
	}
}

// checkDocuments checks that an unpacked archive has a man page for each command, completions, and each file
// that its documents link to.
func checkDocuments(t *testing.T, folder string) {
	t.Helper()
	app := newCommand(browse)
	for _, name := range []string{"_daybook", "daybook.bash", "daybook.fish", "daybook.ps1"} {
		if content, err := os.ReadFile(filepath.Join(folder, "completions", name)); err != nil || !bytes.Contains(content, []byte("__complete")) {
			t.Errorf("%s: got %d bytes, %v, want completions", name, len(content), err)
		}
	}
	for _, c := range app.Commands() {
		page, err := os.ReadFile(filepath.Join(folder, "man", "daybook-"+c.Name()+".1"))
		if err != nil || !bytes.Contains(page, []byte(c.Short)) {
			t.Errorf("the man page of %s: got %v and\n%s\nwant a page that says: %s", c.Name(), err, page, c.Short)
		}
	}
	links := 0
	for _, pattern := range []string{"*.md", "manual/*.md"} {
		pages, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			content, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`).FindAllSubmatch(content, -1) {
				links++
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), string(found[1]))); err != nil {
					t.Errorf("%s links to %s, which is not in the archive", page, found[1])
				}
			}
		}
	}
	if links < 20 {
		t.Errorf("got %d links between documents, want at least 20", links)
	}
}

// dist runs `make dist` in a copy of the source and returns SHA256SUMS.
func dist(t *testing.T, source, umask string, environment ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", "umask "+umask+"; exec make dist VERSION=v0-test PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
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
	linkPackages(t, filepath.Join(top, "web", "node_modules"))
	return top
}

// linkPackages gives a copy the packages of the page that are installed here, if they are, so that it does not fetch
// them again. What shows that they are complete is written last.
func linkPackages(t *testing.T, to string) {
	t.Helper()
	from, last := filepath.Join(root, "web", "node_modules"), ".package-lock.json"
	list, err := os.ReadFile(filepath.Join(from, last))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	err = cmp.Or(err, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case entry.Type() == fs.ModeSymlink:
			points, err := os.Readlink(path)
			return cmp.Or(err, os.Symlink(points, target))
		case entry.Name() == last:
			return nil
		case os.Link(path, target) == nil:
			return nil
		}
		content, err := os.ReadFile(path)
		return cmp.Or(err, os.WriteFile(target, content, 0o755))
	}))
	if err = cmp.Or(err, os.WriteFile(filepath.Join(to, last), list, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestTheManualNamesThePackages: the manual names exactly the packages that `make dist` makes.
func TestTheManualNamesThePackages(t *testing.T) {
	platforms := regexp.MustCompile(`(?m)^RELEASED := (.+)$`).FindStringSubmatch(readAll(t, "Makefile"))
	if platforms == nil {
		t.Fatal("the Makefile has no RELEASED")
	}
	var want []string
	for platform := range strings.FieldsSeq(platforms[1]) {
		name := "daybook-VERSION-" + strings.ReplaceAll(platform, "/", "-")
		if strings.HasPrefix(platform, "windows/") {
			name += ".zip"
		} else {
			name += ".tar.gz"
		}
		if strings.HasPrefix(platform, "linux/") {
			for _, end := range []string{".deb", ".rpm", ".oci.tar"} {
				want = append(want, strings.TrimSuffix(name, ".tar.gz")+end)
			}
		}
		want = append(want, name)
	}
	got := regexp.MustCompile(`daybook-VERSION-[a-z0-9-]+\.(zip|tar\.gz|deb|rpm|oci\.tar)`).FindAllString(readAll(t, "web/manual/operations.md"), -1)
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
