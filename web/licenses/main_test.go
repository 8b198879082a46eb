package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folderOf writes files below a folder, and returns that.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestAPartIsItsLicencesAndNotices, those of the folders on the way to its packages too.
func TestAPartIsItsLicencesAndNotices(t *testing.T) {
	folder := folderOf(t, map[string]string{
		"LICENSE": "top", "NOTICE.txt": "notice", "license.go": "code", "licensing.md": "prose",
		"a/COPYING": "a's", "a/b/main.go": "code", "c/LICENSE-MIT": "c's, which is not linked",
	})
	p, err := partOf("m v1", folder, []string{filepath.Join(folder, "a", "b"), folder})
	if want := []string{"top", "notice", "a's"}; err != nil || !slices.Equal(p.Texts, want) {
		t.Errorf("got %q, %v, want %q", p.Texts, err, want)
	}
	for name, files := range map[string]map[string]string{
		"no licence": {"README": "MIT", "NOTICE": "by me"}, "an empty licence": {"LICENSE": " \n"},
	} {
		if p, err := partOf("m v1", folderOf(t, files), nil); err != nil || len(p.Texts) > 0 {
			t.Errorf("%s: got %q, %v, want none", name, p.Texts, err)
		}
	}
}

// TestAPartWithoutALicenceIsAnError that names it: an invented one beside those that the
// program is linked from, which all have theirs.
func TestAPartWithoutALicenceIsAnError(t *testing.T) {
	root := filepath.Join("..", "..")
	parts, err := linked(t.Context(), root, "nomsgpack", []string{"linux/amd64", "darwin/arm64", "windows/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := render(parts)
	if err != nil || !strings.Contains(text, "modernc.org/sqlite v") || len(parts) < 20 {
		t.Errorf("got %d parts, %v, want all that is linked", len(parts), err)
	}
	if _, err := render(append(parts, part{Name: "invented v1"})); err == nil || !strings.HasSuffix(err.Error(), " in invented v1") {
		t.Errorf("got %v, want the invented one named", err)
	}
}

// TestWriteReplacesTheList of the page's packages.
func TestWriteReplacesTheList(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	folder := folderOf(t, map[string]string{"licenses.json": `[{"name":"of the page 1.2.3","texts":["a\r\nb\n"]}]`})
	if err := write(t.Context(), "nomsgpack", folder, []string{"linux/amd64"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "licenses.txt"))
	if err != nil || !strings.HasSuffix(string(text), "\nof the page 1.2.3\n"+strings.Repeat("=", 80)+"\n\na\nb\n") {
		t.Errorf("got %d bytes, %v, want the page's to come last", len(text), err)
	}
	if _, err := os.Stat(filepath.Join(folder, "licenses.json")); err == nil {
		t.Error("the list is still there")
	}
}
