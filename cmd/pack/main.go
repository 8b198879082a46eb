// Command pack makes the files of a release of what `make dist` has built: for each platform an archive and the
// list of what the program is made of, and on Linux an image for containers.
// The same input gives the same bytes: every file has the date of the release and no owner, and modes do not
// depend on the umask.
package main

import (
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: pack VERSION WORK DIST; WORK holds docs and programs/OS-ARCH, SOURCE_DATE_EPOCH the date")
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatalf("pack: %v", err)
	}
}

// entry is a file of a package, or a folder.
type entry struct {
	name    string // a path with slashes, also of a folder; it does not end in one
	folder  bool
	mode    fs.FileMode
	owner   int
	content []byte
}

// pack adds the documents to those in work, and writes the packages of all programs there into dist.
func pack(version, work, dist string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	date := time.Unix(seconds, 0).UTC()
	docs := filepath.Join(work, "docs")
	if err := gather(".", docs); err != nil {
		return err
	}
	documents, err := read(docs)
	if err != nil {
		return err
	}
	platforms, err := os.ReadDir(filepath.Join(work, "programs"))
	if err != nil {
		return err
	}
	for _, platform := range platforms {
		program, err := read(filepath.Join(work, "programs", platform.Name()))
		if err != nil {
			return err
		}
		name := "daybook-" + version + "-" + platform.Name()
		if err := archive(dist, name, append(program, documents...), date); err != nil {
			return err
		}
		if err := list(dist, name, version, program[0].content, documents, date); err != nil {
			return fmt.Errorf("what %s is made of: %w", name, err)
		}
		if !strings.HasPrefix(platform.Name(), "linux-") {
			continue
		}
		if err := image(dist, name, version, platform.Name(), program[0].content, date); err != nil {
			return fmt.Errorf("the image of %s: %w", name, err)
		}
	}
	return nil
}

// places says where the documents of the repository are in a package.
var places = []struct{ from, to string }{
	{"README.md", "README.md"},
	{"LICENSE", "LICENSE"},
	{"web/manual", "manual"},
	{"internal/api/openapi.yaml", "manual/openapi.yaml"},
	{"db/DESIGN.md", "manual/DESIGN.md"},
	{".github/CONTRIBUTING.md", "manual/CONTRIBUTING.md"},
}

// gather copies the documents of the repository into docs. Links between them follow.
func gather(repository, docs string) error {
	for _, place := range places {
		from := filepath.Join(repository, place.from)
		err := filepath.WalkDir(from, func(name string, found fs.DirEntry, err error) error {
			if err != nil || found.IsDir() {
				return err
			}
			content, err := os.ReadFile(name) //nolint:gosec // the repository's own files
			if err != nil {
				return err
			}
			below := filepath.ToSlash(strings.TrimPrefix(name, from))
			if strings.HasSuffix(name, ".md") {
				content = moved(content, place.from+below, place.to+below)
			}
			return write(filepath.Join(docs, place.to+below), content)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

var link = regexp.MustCompile(`\]\([^):#]+`)

// moved changes the links of a page, which is at from in the repository and at to in a package, to where the
// documents are there.
func moved(page []byte, from, to string) []byte {
	return link.ReplaceAllFunc(page, func(found []byte) []byte {
		target := path.Join(path.Dir(from), strings.TrimPrefix(string(found), "]("))
		for _, place := range places {
			if rest, is := strings.CutPrefix(target, place.from); is {
				if there, err := filepath.Rel(path.Dir(to), place.to+rest); err == nil {
					return []byte("](" + filepath.ToSlash(there))
				}
			}
		}
		return found
	})
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // everyone may read what is in a release
		return err
	}
	return os.WriteFile(file, content, 0o644) //nolint:gosec // the same
}

// read returns the files below a folder with their folders, in the order of their names. Programs are those
// that their owner may run.
func read(folder string) ([]entry, error) {
	var entries []entry
	files := os.DirFS(folder)
	err := fs.WalkDir(files, ".", func(name string, found fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		e := entry{name: name, folder: found.IsDir(), mode: 0o644}
		info, err := found.Info()
		if err != nil {
			return err
		}
		if e.folder || info.Mode()&0o100 != 0 {
			e.mode = 0o755
		}
		if !e.folder {
			e.content, err = fs.ReadFile(files, name)
		}
		entries = append(entries, e)
		return err
	})
	return entries, err
}

// archive writes the entries below a folder of the name of the archive: a zip for Windows, a tar.gz for others.
func archive(dist, name string, entries []entry, date time.Time) (err error) {
	below := []entry{{name: name, folder: true, mode: 0o755}}
	for _, e := range entries {
		e.name = path.Join(name, e.name)
		below = append(below, e)
	}
	slices.SortFunc(below, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	form, end := tarGz, ".tar.gz"
	if strings.Contains(name, "-windows-") {
		form, end = zipped, ".zip"
	}
	content, err := form(below, date)
	if err != nil {
		return fmt.Errorf("%s%s: %w", name, end, err)
	}
	return write(filepath.Join(dist, name+end), content)
}
